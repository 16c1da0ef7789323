/* folder.h - removes temporary folders */
#ifndef CLSORT_TESTS_FOLDER_H
#define CLSORT_TESTS_FOLDER_H

/* Removes the folder with all that is in it, if it exists. */
void folder_remove(const char *path);

#endif
