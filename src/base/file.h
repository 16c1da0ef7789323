/* file.h - complete reads of files */
#ifndef CLSORT_BASE_FILE_H
#define CLSORT_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* Reads size bytes from a file descriptor. Returns false at the end of the file or on an error. */
bool cls_file_read(int file, void *to, size_t size);

#endif
