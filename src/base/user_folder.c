/* user_folder.c - configuration and cache folders of the user */
#include "base/user_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
