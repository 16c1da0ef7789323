/* no_tmpfile.c - for LD_PRELOAD: open fails with O_TMPFILE, as on a file system without its support */
#include "next.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
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
