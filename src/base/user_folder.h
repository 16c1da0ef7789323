/* user_folder.h - configuration and cache folders of the user */
#ifndef CLSORT_BASE_USER_FOLDER_H
#define CLSORT_BASE_USER_FOLDER_H

/* Where a folder is: as in the XDG Base Directory Specification, unless `variable` is set. */
struct cls_user_folder {
    const char *variable; /* environment variable with the path of the folder */
    const char *xdg;      /* environment variable with the path of its parent folder */
    const char *home;     /* path relative to $HOME if neither variable is set */
};

/* Returns the path in option or, if option is NULL, the path from the environment. The caller frees
 * it. Returns NULL if the path is "", if no variable is set, or if memory is short. */
char *cls_user_folder(const struct cls_user_folder *folder, const char *option);

#endif
