/* copy_file.c - clsort-bench-copy: copies a file by the engine of external sorts, to compare these with
 *
 *   clsort-bench-copy INPUT OUTPUT
 *
 * All bytes count as equal, so that the first pass finds them in order and writes them as they are. */
#include "external.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { UNIT = 4096, MEMORY = 512 << 20 };

static bool sort_nothing(void *context, void *elements, size_t count)
{
    (void)context, (void)elements, (void)count;
    return true;
}

static int compare_nothing(const void *context, const void *a, const void *b)
{
    (void)context, (void)a, (void)b;
    return 0;
}

static size_t find_nothing(const void *context, const void *elements, size_t count)
{
    (void)context, (void)elements;
    return count;
}

static void keep(const void *context, void *elements, size_t count)
{
    (void)context, (void)elements, (void)count;
}

static void ignore_progress(uint64_t bytes)
{
    (void)bytes;
}

int main(int argc, char **argv)
{
    const int input = argc == 3 ? open(argv[1], O_RDONLY) : -1;
    const int output = argc == 3 ? open(argv[2], O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
    const char *const folder = ".";
    struct stat status;
    uint64_t needed;

    if (input < 0 || output < 0 || fstat(input, &status) != 0 || status.st_size % UNIT != 0) {
        fprintf(stderr, "usage: clsort-bench-copy INPUT OUTPUT (of a multiple of %d bytes)\n",
                UNIT);
        return 2;
    }
    const struct external_order order = {.size = UNIT,
                                         .sort = sort_nothing,
                                         .compare = compare_nothing,
                                         .disorder = find_nothing,
                                         .decode = keep,
                                         .encode = keep};
    const struct external_input source = {
        .name = argv[1], .fd = input, .count = (uint64_t)status.st_size / UNIT};
    const struct external_request request = {.size = UNIT,
                                             .count = (uint64_t)status.st_size / UNIT,
                                             .memory = MEMORY,
                                             .scratch_per_byte = 1};
    struct external external = {.order = &order,
                                .inputs = &source,
                                .input_count = 1,
                                .output_name = argv[2],
                                .output_folder = folder,
                                .output = output,
                                .folders = &folder,
                                .folder_count = 1,
                                .progress = ignore_progress};

    return external_plan_make(&external.plan, &request, &needed) && external_sort(&external) &&
                   fsync(output) == 0
               ? 0
               : 2;
}
