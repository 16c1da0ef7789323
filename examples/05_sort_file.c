/* 05_sort_file.c - sort a binary file of 32-bit unsigned integers: 05_sort_file INPUT OUTPUT
 *
 * Without arguments it makes a small file, sorts it, and checks the result. */
#include "need.h"

/* Unless ok, prints the name of the file and the error of the C library, and exits. */
static void need_file(int ok, const char *path)
{
    if (!ok) {
        perror(path);
        exit(EXIT_FAILURE);
    }
}

/* Reads the whole file. The caller frees the array. */
static uint32_t *read_keys(const char *path, size_t *count)
{
    FILE *file = fopen(path, "rb");
    need_file(file != NULL, path);
    need_file(fseek(file, 0, SEEK_END) == 0, path);
    const long bytes = ftell(file);
    need_file(bytes >= 0, path);
    rewind(file);
    *count = (size_t)bytes / sizeof(uint32_t);
    uint32_t *keys = malloc(*count > 0 ? *count * sizeof *keys : 1);
    need_file(keys != NULL, path);
    need_file(fread(keys, sizeof *keys, *count, file) == *count, path);
    fclose(file);
    return keys;
}

static void write_keys(const char *path, const uint32_t *keys, size_t count)
{
    FILE *file = fopen(path, "wb");
    need_file(file != NULL, path);
    need_file(fwrite(keys, sizeof *keys, count, file) == count, path);
    need_file(fclose(file) == 0, path);
}

static size_t sort_file(const char *input, const char *output)
{
    size_t count;
    uint32_t *keys = read_keys(input, &count);
    need(clsort_array(CLSORT_U32, keys, count), "clsort_array");
    write_keys(output, keys, count);
    free(keys);
    return count;
}

/* Returns whether a file of pseudo-random keys is in order after it has been sorted onto itself. */
static int try_it(const char *path)
{
    enum { COUNT = 100000 };
    size_t count = COUNT;
    uint32_t *keys = malloc(COUNT * sizeof *keys);
    int in_order = 1;
    need_file(keys != NULL, path);
    for (uint32_t i = 0; i < COUNT; i++)
        keys[i] = (i + 1) * 2654435761u;
    write_keys(path, keys, count);
    free(keys);

    sort_file(path, path);

    keys = read_keys(path, &count);
    for (size_t i = 1; i < count; i++)
        in_order &= keys[i - 1] <= keys[i];
    free(keys);
    remove(path);
    return in_order && count == COUNT;
}

int main(int argc, char **argv)
{
    if (argc == 3) {
        printf("%zu keys sorted\n", sort_file(argv[1], argv[2]));
        return EXIT_SUCCESS;
    }
    if (argc != 1) {
        fprintf(stderr, "usage: %s [INPUT OUTPUT]\n", argv[0]);
        return EXIT_FAILURE;
    }
    const int sorted = try_it("05_sort_file.example.u32");
    printf("the file is %s\n", sorted ? "in order" : "NOT in order");
    return sorted ? EXIT_SUCCESS : EXIT_FAILURE;
}
