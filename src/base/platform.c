/* platform.c - the part of the platform layer that is the same on all systems */
#include "base/platform.h"

#include <stdlib.h>

unsigned char *cls_file_load(const char *path, enum cls_access access, size_t max_size,
                             size_t *size, bool *is_missing)
{
    struct cls_file file;
    if (!cls_file_open(path, access, &file, is_missing))
        return NULL;
    *size = file.size <= max_size ? (size_t)file.size : 0;
    unsigned char *content = file.size <= max_size ? malloc(*size ? *size : 1) : NULL;
    if (content && !cls_file_read(&file, content, *size)) {
        free(content);
        content = NULL;
    }
    cls_file_close(&file);
    return content;
}
