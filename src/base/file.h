/* file.h - complete reads of files */
#ifndef CLSORT_BASE_FILE_H
#define CLSORT_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* Reads size bytes from a file descriptor. Returns false if the file is shorter or cannot be read. */
bool cls_file_read(int file, void *to, size_t size);

#endif
