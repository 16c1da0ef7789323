/* rows.h - the rows of an array: the sequences of keys along one axis, which are sorted alone
 *
 * An array of any shape is sorted along an axis as an array of three dimensions, outer x length x
 * inner, in C order: inner is the number of keys between neighbours on the axis. */
#ifndef CLSORT_TOOLS_ROWS_H
#define CLSORT_TOOLS_ROWS_H

#include "npy.h"

enum { ROWS_INDEX_SIZE = NPY_MAX_DIMENSIONS * 22 + 3 };

struct rows {
    size_t count; /* outer * inner; an empty array has one row of length 0 */
    size_t length;
    size_t inner;
    size_t key_size;
    size_t index_size; /* --argsort: of an index in memory; otherwise 0 */
};

/* A row whose elements are adjacent. */
struct row {
    size_t number; /* 0 to rows.count - 1 */
    void *keys;
    void *indexes; /* --argsort: one for each key; otherwise NULL */
};

/* Returns whether the array has this axis; negative axes count from the last one, -1. */
bool rows_axis_exists(const struct npy_array *array, int axis);

/* Returns the index in array->shape of an axis that exists. */
unsigned rows_axis_index(const struct npy_array *array, int axis);

/* Returns the rows along an axis that exists, without indexes. */
struct rows rows_of(const struct npy_array *array, int axis);

/* Returns the bytes that rows_visit allocates. */
size_t rows_copy_size(const struct rows *rows);

/* Returns a row of arrays whose rows are adjacent. indexes: NULL if index_size is 0. */
struct row rows_adjacent(const struct rows *rows, void *keys, void *indexes, size_t number);

/* Does something with a row. Returns CLSORT_OK to continue with the next one. */
typedef clsort_status rows_visitor(void *context, const struct row *row);

/* Calls visit for all rows in the order of their numbers. indexes: an array of the same shape as the
 * keys, or NULL if index_size is 0. If is_written, visit may change the indexes or, without indexes,
 * the keys. Returns the first status of visit that is not CLSORT_OK, or CLSORT_E_MEMORY. */
clsort_status rows_visit(const struct rows *rows, void *keys, void *indexes, bool is_written,
                         rows_visitor *visit, void *context);

/* Returns where a key of a row is in memory, counted in keys. */
size_t rows_key(const struct rows *rows, size_t row, size_t position);

/* Formats the index of the key that is there in memory as NumPy does: a number, or a tuple if the
 * array has several dimensions. */
void rows_format_index(char text[ROWS_INDEX_SIZE], const struct npy_array *array, size_t key);

#endif
