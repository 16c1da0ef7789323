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

char *cls_user_folder(enum cls_folder folder, const char *option)
{
    static const char *const variables[] = {
        [CLS_FOLDER_CACHE] = "CLSORT_CACHE_DIR", [CLS_FOLDER_CONFIG] = "CLSORT_CONFIG_DIR"};
    const char *path = option ? option : getenv(variables[folder]);
    if (path)
        return *path ? strdup(path) : NULL;
    const struct cls_default_folder found = cls_default_folder(folder);
    return found.parent ? join(found.parent, found.name) : NULL;
}
