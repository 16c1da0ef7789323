/* replay.c - runs a fuzz target over the files of its corpus, instead of libFuzzer: replay FOLDER */
#include "fuzz.h"

#include <dirent.h>
#include <string.h>

enum { MAX_BYTES = 1 << 16 };

/* Passes a copy of exactly the size of the file, so that AddressSanitizer detects reads behind it. */
static int run_file(const char *path)
{
    uint8_t all[MAX_BYTES];
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return EXIT_FAILURE;
    }
    const size_t size = fread(all, 1, sizeof all, file);
    fclose(file);
    uint8_t *data = malloc(size > 0 ? size : 1);
    if (!data)
        return EXIT_FAILURE;
    memcpy(data, all, size);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;
    if (!folder) {
        fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
        return EXIT_FAILURE;
    }
    int status = EXIT_SUCCESS;
    size_t files = 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char path[4096];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", argv[1], entry->d_name);
        printf("%s\n", path);
        fflush(stdout); /* if the target aborts, this is the last line */
        if (run_file(path) != EXIT_SUCCESS)
            status = EXIT_FAILURE;
        files++;
    }
    closedir(folder);
    return files > 0 ? status : EXIT_FAILURE;
}
