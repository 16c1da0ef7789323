/* truncate_at_read.c - for LD_PRELOAD: a file is truncated before it is read from a given offset on
 *
 * Before the first read of the file CLSORT_TEST_FILE at an offset of at least CLSORT_TEST_OFFSET bytes, the file is
 * truncated to CLSORT_TEST_SIZE bytes. The process is aborted if that fails. */
#include "next.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns true if a read of this descriptor at `at` is one that CLSORT_TEST_FILE is truncated before. */
static bool is_due(int fd, off_t at)
{
    const char *path = getenv("CLSORT_TEST_FILE");
    const char *offset = getenv("CLSORT_TEST_OFFSET");
    struct stat file, opened;

    return path != NULL && offset != NULL && stat(path, &file) == 0 && fstat(fd, &opened) == 0 &&
           file.st_dev == opened.st_dev && file.st_ino == opened.st_ino && at >= atoll(offset);
}

static void truncate_if_due(int fd, off_t at)
{
    static atomic_flag is_truncated = ATOMIC_FLAG_INIT;
    const char *new_size = getenv("CLSORT_TEST_SIZE");

    if (new_size != NULL && is_due(fd, at) && !atomic_flag_test_and_set(&is_truncated) &&
        truncate(getenv("CLSORT_TEST_FILE"), atoll(new_size)) != 0)
        abort();
}

ssize_t read(int fd, void *space, size_t size)
{
    ssize_t (*next)(int, void *, size_t);

    truncate_if_due(fd, lseek(fd, 0, SEEK_CUR));
    next_function("read", &next);
    return next(fd, space, size);
}

ssize_t pread(int fd, void *space, size_t size, off_t at)
{
    ssize_t (*next)(int, void *, size_t, off_t);

    truncate_if_due(fd, at);
    next_function("pread", &next);
    return next(fd, space, size, at);
}
