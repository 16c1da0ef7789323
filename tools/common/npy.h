/* npy.h - clsort-tool-common: headers of NumPy's .npy files, for arrays of one dimension
 *
 * A file consists of the magic string, the format version (1 to 3), the length of the dictionary,
 * the dictionary as a Python literal, and the elements. */
#ifndef CLSORT_TOOLS_NPY_H
#define CLSORT_TOOLS_NPY_H

#include "data.h"

enum {
    NPY_MAGIC_SIZE = 6,
    NPY_PREFIX_SIZE = 12, /* bytes of a file that determine the size of its header */
    NPY_HEADER_SIZE = 128 /* size of the headers that npy_format writes */
};

/* Returns whether a file that begins with these bytes is a .npy file. */
bool npy_is_magic(const void *start, size_t size);

/* Returns the size of the header, given the first NPY_PREFIX_SIZE bytes of a file; 0 if the format
 * version is not supported. */
size_t npy_header_size(const void *prefix);

/* Parses a complete header. Returns NULL, or why the file is not supported. */
const char *npy_parse(const void *header, size_t size, const struct data_type **type,
                      uint64_t *count);

/* Formats the header of an array of count elements. */
void npy_format(char header[NPY_HEADER_SIZE], const struct data_type *type, uint64_t count);

#endif
