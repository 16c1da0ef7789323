/* npy.h - clsort-tool-common: headers of NumPy's .npy files
 *
 * A file consists of the magic string, the format version (1.0, 2.0 or 3.0), the length of the
 * dictionary, the dictionary as a Python literal, and the elements. */
#ifndef CLSORT_TOOLS_NPY_H
#define CLSORT_TOOLS_NPY_H

#include "data.h"

enum {
    NPY_MAGIC_SIZE = 6,
    NPY_PREFIX_SIZE = 12, /* bytes of a file that determine the size of its header */
    NPY_MAX_FIELDS = 256,
    NPY_MAX_LIST = 8192,                       /* characters of a list of fields */
    NPY_MAX_HEADER_SIZE = 1536 + NPY_MAX_LIST, /* of the headers that npy_format writes */
    NPY_MAX_DIMENSIONS = 64,                   /* as in NumPy 2 */
    NPY_DESCR_SIZE = 32,
    NPY_REASON_SIZE = 320
};

/* A field of records. */
struct npy_field {
    const char *name; /* in the header, as long as name_length says */
    size_t name_length, offset, size;
    const struct data_type *type; /* NULL: it is no number, but some bytes, or an array */
    bool is_string;               /* the bytes are those of a byte string */
    bool is_swapped, is_time;     /* as in struct npy_array */
};

struct npy_records {
    struct data_type type; /* of the whole records */
    size_t count;
    struct npy_field field[NPY_MAX_FIELDS];
};

struct npy_array {
    const struct data_type *type; /* bool: u8; datetime64 and timedelta64: i64 */
    const char *list;             /* of records: the list of fields in the header; else NULL */
    size_t list_length;
    char descr[NPY_DESCR_SIZE]; /* dtype as in the header, such as <u4 */
    bool is_swapped;            /* the byte order is not that of the machine */
    bool is_time;               /* the value INT64_MIN is NaT */
    bool is_fortran;            /* the first index varies fastest, not the last */
    unsigned dimensions;
    uint64_t shape[NPY_MAX_DIMENSIONS];
    uint64_t count; /* number of elements; their size in bytes is less than 2^63 */
};

/* Returns whether a file that begins with these bytes is a .npy file. */
bool npy_is_magic(const void *start, size_t size);

/* Returns the size of the header, given the first NPY_PREFIX_SIZE bytes of a file; 0 if the format
 * version is not supported. */
size_t npy_header_size(const void *prefix);

/* Parses a complete header. If it returns false, reason says why the file is not supported; text
 * from the header is printable in it. */
bool npy_parse(const void *header, size_t size, struct npy_array *array,
               char reason[NPY_REASON_SIZE]);

/* The same for a file whose elements may be records: then the type of the array is that of *records. They refer to
 * the header. */
bool npy_parse_records(const void *header, size_t size, struct npy_array *array,
                       struct npy_records *records, char reason[NPY_REASON_SIZE]);

/* Returns an array of one dimension in the byte order of the machine. */
struct npy_array npy_array_of(const struct data_type *type, uint64_t count);

/* Returns whether the elements are stored in C order, in which the last index varies fastest. */
bool npy_is_c_order(const struct npy_array *array);

/* Changes the shape to one dimension of all elements, in the order in which they are stored. */
void npy_flatten(struct npy_array *array);

/* Changes the shape to rows of `length` elements each, in the order in which they are stored. Returns
 * false if that does not divide their number. */
bool npy_divide(struct npy_array *array, uint64_t length);

/* Changes the type of the elements, to the byte order of the machine. */
void npy_set_type(struct npy_array *array, const struct data_type *type);

/* Formats the header of an array. Returns its size, which for one dimension does not depend on the number of elements
 * (128 bytes, unless they are records). */
size_t npy_format(char header[NPY_MAX_HEADER_SIZE], const struct npy_array *array);

#endif
