/* check.h - clsort --check */
#ifndef CLSORT_TOOLS_CHECK_H
#define CLSORT_TOOLS_CHECK_H

#include "segments.h"

/* Checks whether the keys of each row, or of each segment of CLSORT_OFFSETS, are in order; prints
 * the first two neighbours that are not, with their indexes, values and bits. name: the
 * file. flags: as in clsort_desc. keys: as elements_to_keys returns them. Prints an error and
 * returns false if memory runs out. */
bool check_order(const char *name, const struct npy_array *array, const struct rows *rows,
                 const struct segments *segments, uint32_t flags, void *keys, bool *ordered);

/* Prints that a record precedes the one before it. */
void check_print_records(const char *name, size_t at);

/* Prints two keys that are out of order, and their indexes in the array. */
void check_print(const char *name, const struct npy_array *array, uint32_t flags,
                 const void *before, size_t first, const void *after, size_t second);

#endif
