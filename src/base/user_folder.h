/* user_folder.h - configuration and cache folders of the user */
#ifndef CLSORT_BASE_USER_FOLDER_H
#define CLSORT_BASE_USER_FOLDER_H

#include "base/platform.h"

/* Returns the path in option or, if option is NULL, the path from the environment:
 * $CLSORT_CACHE_DIR or $CLSORT_CONFIG_DIR, else cls_default_folder. The caller frees it. Returns NULL
 * if the path is "", if no variable is set, or if memory is short. */
char *cls_user_folder(enum cls_folder folder, const char *option);

#endif
