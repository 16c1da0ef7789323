/* pieces.h - divides rows into pieces whose sort fits in memory
 *
 * A sort needs scratch memory in addition to the keys. If it does not fit, the pieces of a row are
 * sorted one after the other, which needs the scratch memory of one, and are then merged. */
#ifndef CLSORT_TOOLS_PIECES_H
#define CLSORT_TOOLS_PIECES_H

#include "device.h"
#include "rows.h"

struct pieces {
    size_t length; /* keys of each piece of a row, except the last; 0 if rows have no keys */
    size_t count;  /* of a row; 0 if rows have no keys */
};

/* Chooses as few pieces as fit in the memory that is available now. flags: as in clsort_desc.
 * unread_size: bytes of keys that are not in memory yet. The device is open. Prints an error and
 * returns false if even the smallest pieces do not fit. */
bool pieces_choose(struct pieces *pieces, const char *name, const struct rows *rows, uint32_t flags,
                   size_t unread_size, const struct device *device);

/* Sorts one piece. */
typedef clsort_status pieces_sorter(void *context, void *keys, size_t count);

/* Sorts the pieces of a row one after the other. */
clsort_status pieces_sort(const struct pieces *pieces, const struct rows *rows, void *row,
                          pieces_sorter *sort, void *context);

/* Merges the sorted pieces of a row, which is a copy, to where the keys of that row are in the
 * array `keys`. flags: as in clsort_desc. */
clsort_status pieces_merge(const struct pieces *pieces, const struct rows *rows,
                           const struct data_type *type, uint32_t flags, const void *row,
                           size_t index, void *keys);

#endif
