/* file.c - configuration and cache folders of the user, and complete reads of files */
#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *join(const char *a, const char *b)
{
    const size_t size = strlen(a) + strlen(b) + 2;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s/%s", a, b);
    return path;
}

char *cls_user_folder(const struct cls_user_folder *folder, const char *option)
{
    const char *path = option ? option : getenv(folder->variable);
    const char *xdg = getenv(folder->xdg), *home = getenv("HOME");
    if (path)
        return *path ? strdup(path) : NULL;
    if (xdg && *xdg == '/') /* the XDG specification requires that relative paths are ignored */
        return join(xdg, "clsort");
    return home && *home ? join(home, folder->home) : NULL;
}

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
