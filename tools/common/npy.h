/* npy.h - the header of NumPy's .npy files, for arrays of one dimension
 *
 * A file is the magic string, version, length of the dictionary, the dictionary as a Python
 * literal, and the elements. Format versions 1 to 3. */
#ifndef CLSORT_TOOLS_NPY_H
#define CLSORT_TOOLS_NPY_H

#include "data.h"

enum {
    NPY_MAGIC_SIZE = 6,
    NPY_PREFIX_SIZE = 12, /* enough of a file to know its header's size */
    NPY_HEADER_SIZE = 128 /* of the headers that npy_format makes */
};

/* Whether a file that begins with these size bytes is a .npy file. */
bool npy_is_magic(const void *start, size_t size);

/* The size of the header of a file that begins with these NPY_PREFIX_SIZE bytes. 0 when the version
 * is unknown. */
size_t npy_header_size(const void *prefix);

/* Reads a whole header. NULL, or the reason why the file cannot be used. */
const char *npy_parse(const void *header, size_t size, const struct data_type **type,
                      uint64_t *count);

/* Writes a header. */
void npy_format(char header[NPY_HEADER_SIZE], const struct data_type *type, uint64_t count);

#endif
