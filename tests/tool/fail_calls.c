/* fail_calls.c - for LD_PRELOAD: transfers are short or interrupted, and the N-th call of a kind fails
 *
 * $CLSORT_FAIL_CALL is "NAME N ERROR": the call of pread, pwrite, fallocate, ftruncate, fsync or open with this number,
 * from 1 on, fails with this error number. Every third transfer is interrupted, and every fifth one is short. */
#include "next.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PART = 8192 };

/* Counts a call. Sets errno and returns true if it has to fail. */
static bool fails(const char *call)
{
    static atomic_long calls;
    const char *text = getenv("CLSORT_FAIL_CALL");
    char name[16];
    long at;
    int error;

    if (text == NULL || sscanf(text, "%15s %ld %d", name, &at, &error) != 3 ||
        strcmp(name, call) != 0 || atomic_fetch_add(&calls, 1) + 1 != at)
        return false;
    fprintf(stderr, "reached\n");
    errno = error;
    return true;
}

/* Returns the size of a transfer, 0 if it is interrupted. */
static size_t transfer_size(size_t size)
{
    static atomic_ulong transfers;
    const unsigned long number = atomic_fetch_add(&transfers, 1);

    if (number % 3 == 1) {
        errno = EINTR;
        return 0;
    }
    return number % 5 == 2 && size > PART ? PART : size;
}

ssize_t pread(int fd, void *data, size_t size, off_t offset)
{
    static ssize_t (*next)(int, void *, size_t, off_t);

    next_function("pread", &next);
    if (fails("pread") || (size = transfer_size(size)) == 0)
        return -1;
    return next(fd, data, size, offset);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t offset)
{
    static ssize_t (*next)(int, const void *, size_t, off_t);

    next_function("pwrite", &next);
    if (fails("pwrite") || (size = transfer_size(size)) == 0)
        return -1;
    return next(fd, data, size, offset);
}

int fallocate(int fd, int mode, off_t offset, off_t size)
{
    int (*next)(int, int, off_t, off_t);

    next_function("fallocate", &next);
    return fails("fallocate") ? -1 : next(fd, mode, offset, size);
}

int ftruncate(int fd, off_t size)
{
    int (*next)(int, off_t);

    next_function("ftruncate", &next);
    return fails("ftruncate") ? -1 : next(fd, size);
}

int fsync(int fd)
{
    int (*next)(int);

    next_function("fsync", &next);
    return fails("fsync") ? -1 : next(fd);
}

int open(const char *path, int flags, ...)
{
    int (*next)(const char *, int, ...);
    va_list arguments;
    mode_t mode;

    va_start(arguments, flags);
    mode = va_arg(arguments, mode_t); /* unspecified if it is not given, and not used then */
    va_end(arguments);
    next_function("open", &next);
    return fails("open") ? -1 : next(path, flags, mode);
}
