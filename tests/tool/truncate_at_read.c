/* truncate_at_read.c - for LD_PRELOAD: a file is truncated before it is read from a given offset on
 *
 * Before the first read of the file CLSORT_TEST_FILE at an offset of at least CLSORT_TEST_OFFSET bytes, the file is
 * truncated to CLSORT_TEST_SIZE bytes. The process is aborted if that fails. */
#include "next.h"

#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns true if the next read of this descriptor is one that CLSORT_TEST_FILE is truncated before. */
static bool is_due(int fd, const char *path, const char *offset)
{
    struct stat file, opened;

    return stat(path, &file) == 0 && fstat(fd, &opened) == 0 && file.st_dev == opened.st_dev &&
           file.st_ino == opened.st_ino && lseek(fd, 0, SEEK_CUR) >= atoll(offset);
}

ssize_t read(int fd, void *space, size_t size)
{
    static bool is_truncated;
    ssize_t (*next)(int, void *, size_t);
    const char *path = getenv("CLSORT_TEST_FILE");
    const char *offset = getenv("CLSORT_TEST_OFFSET");
    const char *new_size = getenv("CLSORT_TEST_SIZE");

    if (!is_truncated && path != NULL && offset != NULL && new_size != NULL &&
        is_due(fd, path, offset)) {
        if (truncate(path, atoll(new_size)) != 0)
            abort();
        is_truncated = true;
    }
    next_function("read", &next);
    return next(fd, space, size);
}
