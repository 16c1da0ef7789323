/* pieces.h - divides rows into pieces whose sort fits in memory
 *
 * A sort needs scratch memory in addition to the keys. If it does not fit, the pieces of a row are
 * sorted one after the other, which needs the scratch memory of one, and are then merged. */
#ifndef CLSORT_TOOLS_PIECES_H
#define CLSORT_TOOLS_PIECES_H

#include "device.h"
#include "merge.h"
#include "rows.h"

struct pieces {
    size_t length; /* keys of each piece of a row, except the last; 0 if rows have no keys */
    size_t count;  /* of a row; 0 if rows have no keys */
};

/* Memory that a sort needs in addition to its elements. */
struct pieces_cost {
    uint64_t fixed;
    double per_element;
};

/* Return it for keys and for records. flags: as in clsort_desc. index_size: of the indexes of --argsort, else 0. */
struct pieces_cost pieces_cost_of_keys(const struct device *device, size_t key_size,
                                       size_t index_size, uint32_t flags);
struct pieces_cost pieces_cost_of_records(const struct device *device, size_t record_size,
                                          size_t index_size);

/* Returns the memory that a selection from `length` keys needs in addition to these and to the output: that of the
 * first k keys or, if is_nth, of only the last of them. */
uint64_t pieces_cost_of_selection(const struct device *device, size_t key_size, uint64_t length,
                                  uint64_t k, bool is_nth);

/* Returns the memory, or what a buffer of the device can have if that is less. */
uint64_t pieces_limit(const struct device *device, uint64_t memory);

/* Chooses as few pieces as fit in the memory that is available now. flags: as in clsort_desc.
 * missing_size: bytes of keys and indexes that are not in memory yet. The device is open. Prints an
 * error and returns false if even the smallest pieces do not fit. */
bool pieces_choose(struct pieces *pieces, const char *name, const struct rows *rows, uint32_t flags,
                   size_t missing_size, const struct device *device);

/* Checks that the sort of a whole row fits in the memory that is available now, with swapping. Prints an
 * error and returns false if it does not. */
bool pieces_check_row(const char *name, const struct rows *rows, uint32_t flags,
                      size_t missing_size, const struct device *device);

/* Returns whether it fits without swapping. */
bool pieces_fit(const struct rows *rows, uint32_t flags, size_t missing_size,
                const struct device *device);

/* The same for a selection of the first k keys of each row or, if is_nth, of only the k-th of them.
 * It is not divided: the pieces are whole rows. */
bool pieces_choose_selection(struct pieces *pieces, const char *name, const struct rows *rows,
                             uint64_t k, bool is_nth, size_t missing_size,
                             const struct device *device);

/* The same for records, of which one row consists. */
bool pieces_check_records(const char *name, const struct rows *rows, size_t missing_size,
                          const struct device *device);

/* Sorts one piece. indexes: NULL, or set to the permutation that sorts the keys. */
typedef clsort_status pieces_sorter(void *context, void *keys, void *indexes, size_t count);

/* Sorts the pieces of a row one after the other. */
clsort_status pieces_sort(const struct pieces *pieces, const struct rows *rows,
                          const struct row *row, pieces_sorter *sort, void *context);

/* Begins to merge the sorted pieces of a row, by their indexes if it has some. */
void pieces_start_merge(struct merge *merge, const struct rows *rows, const struct row *row);

/* Merges the sorted pieces of a row, which is a copy, to where the elements of that row are in
 * `array`, an array of indexes if the row has some, else of keys. flags: as in clsort_desc. */
clsort_status pieces_merge(const struct pieces *pieces, const struct rows *rows,
                           const struct data_type *type, uint32_t flags, const struct row *row,
                           void *array);

#endif
