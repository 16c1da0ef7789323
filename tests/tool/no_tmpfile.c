/* no_tmpfile.c - for LD_PRELOAD: open fails with O_TMPFILE, as on a file system without its support, and mkstemp raises
 * the signal CLSORT_TEST_SIGNAL after it has created a file */
#include "next.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/types.h>

int open(const char *path, int flags, ...)
{
    int (*next)(const char *, int, ...);
    va_list arguments;
    mode_t mode = 0;

    if ((flags & O_TMPFILE) == O_TMPFILE) {
        errno = EOPNOTSUPP;
        return -1;
    }
    if (flags & O_CREAT) {
        va_start(arguments, flags);
        mode = va_arg(arguments, mode_t);
        va_end(arguments);
    }
    next_function("open", &next);
    return next(path, flags, mode);
}

int mkstemp(char *path)
{
    int (*next)(char *);
    const char *number = getenv("CLSORT_TEST_SIGNAL");

    next_function("mkstemp", &next);
    const int fd = next(path);
    if (number != NULL)
        raise(atoi(number));
    return fd;
}
