/* folder.c - removes temporary folders */
#include "folder.h"

#include <ftw.h>
#include <stdio.h>

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *position)
{
    (void)info;
    (void)type;
    (void)position;
    return remove(path);
}

void folder_remove(const char *path)
{
    enum { MAX_OPEN_FOLDERS = 16 };
    nftw(path, remove_entry, MAX_OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
}
