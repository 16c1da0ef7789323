/* file.c - complete reads of files */
#include "base/file.h"

#include <errno.h>
#include <unistd.h>

bool cls_file_read(int file, void *to, size_t size)
{
    for (char *at = to; size > 0;) {
        const ssize_t n = read(file, at, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) /* 0 is the end of the file */
            return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}
