/* file.h - the user's folders, and reading files whole */
#ifndef CLSORT_BASE_FILE_H
#define CLSORT_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* One kind of a user's files, as the XDG base directory specification has them. */
struct cls_user_folder {
    const char *variable; /* of the environment, that names the folder itself */
    const char *xdg;      /* that names the parent of clsort's */
    const char *home;     /* the folder below $HOME, where there is neither */
};

/* The folder that `option` names, else the environment. Allocated; NULL when it is named "" or unknown. */
char *cls_user_folder(const struct cls_user_folder *folder, const char *option);

/* False when the file ends before. */
bool cls_file_read(int file, void *to, size_t size);

#endif
