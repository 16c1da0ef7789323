/* fail_calls.c - for LD_PRELOAD: transfers are short or interrupted, and the N-th call of a kind fails
 *
 * $CLSORT_FAIL_CALL is "NAME N ERROR": the call of pread, pwrite, fallocate, ftruncate, fsync, fdatasync or open with
 * this number, from 1 on, fails with this error number; "NAME N+ ERROR": and so do all later ones. `direct` are the
 * transfers by descriptors opened with O_DIRECT, and fail_uring.c adds calls of liburing. Every third transfer is
 * interrupted, and every fifth one is short. */
#include "fail_calls.h"
#include "next.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PART = 8192 };

bool fail_call(const char *call)
{
    static atomic_long calls;
    const char *text = getenv("CLSORT_FAIL_CALL");
    char name[16], more[2];
    long at;
    int error;

    if (text == NULL)
        return false;
    const bool is_lasting = sscanf(text, "%15s %ld%1[+] %d", name, &at, more, &error) == 4;
    if ((!is_lasting && sscanf(text, "%15s %ld %d", name, &at, &error) != 3) ||
        strcmp(name, call) != 0)
        return false;
    const long number = atomic_fetch_add(&calls, 1) + 1;
    if (number == at)
        fprintf(stderr, "reached\n");
    if (is_lasting ? number < at : number != at)
        return false;
    errno = error;
    return true;
}

bool fail_is_direct(int fd)
{
    return (fcntl(fd, F_GETFL) & O_DIRECT) != 0;
}

size_t fail_transfer_size(size_t size)
{
    static atomic_ulong transfers;
    const unsigned long number = atomic_fetch_add(&transfers, 1);

    if (number % 3 == 1) {
        errno = EINTR;
        return 0;
    }
    return number % 5 == 2 && size > PART ? PART : size;
}

/* Counts a call of pread or pwrite. Sets errno and returns true if it has to fail. */
static bool fail_transfer(const char *call, int fd)
{
    return fail_call(call) || (fail_is_direct(fd) && fail_call("direct"));
}

ssize_t pread(int fd, void *data, size_t size, off_t offset)
{
    static ssize_t (*next)(int, void *, size_t, off_t);

    next_function("pread", &next);
    if (fail_transfer("pread", fd) || (size = fail_transfer_size(size)) == 0)
        return -1;
    return next(fd, data, size, offset);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t offset)
{
    static ssize_t (*next)(int, const void *, size_t, off_t);

    next_function("pwrite", &next);
    if (fail_transfer("pwrite", fd) || (size = fail_transfer_size(size)) == 0)
        return -1;
    return next(fd, data, size, offset);
}

int fallocate(int fd, int mode, off_t offset, off_t size)
{
    int (*next)(int, int, off_t, off_t);

    next_function("fallocate", &next);
    return fail_call("fallocate") ? -1 : next(fd, mode, offset, size);
}

int ftruncate(int fd, off_t size)
{
    int (*next)(int, off_t);

    next_function("ftruncate", &next);
    return fail_call("ftruncate") ? -1 : next(fd, size);
}

int fsync(int fd)
{
    int (*next)(int);

    next_function("fsync", &next);
    return fail_call("fsync") ? -1 : next(fd);
}

int fdatasync(int fd)
{
    int (*next)(int);

    next_function("fdatasync", &next);
    return fail_call("fdatasync") ? -1 : next(fd);
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
    return fail_call("open") ? -1 : next(path, flags, mode);
}
