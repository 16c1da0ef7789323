/* merge.h - merges the sorted pieces of an array */
#ifndef CLSORT_TOOLS_MERGE_H
#define CLSORT_TOOLS_MERGE_H

#include "data.h"

struct merge;

/* Creates a merge of arrays of up to max_count keys, whose pieces have `piece` keys, except the
 * last. flags: as in clsort_desc. The caller frees it by merge_destroy. Returns NULL if memory runs
 * out. */
struct merge *merge_create(const struct data_type *type, uint32_t flags, size_t max_count,
                           size_t piece);
void merge_destroy(struct merge *merge);

/* Begins to merge an array, which must not change until all its keys are taken. */
void merge_start(struct merge *merge, const void *keys, size_t count);

/* The same for pieces that are not sorted: `indexes` has the permutation that sorts each piece, in
 * numbers of index_size bytes, from 0 for the first key of the piece. */
void merge_start_indexes(struct merge *merge, const void *keys, const void *indexes,
                         size_t index_size, size_t count);

/* Copies the next count keys in sorted order. Of equal keys, those that come first in the array are
 * first. At most as many keys can be taken as the array has. */
void merge_take(struct merge *merge, void *to, size_t count);

/* Stores the indexes that the next count keys have in the array, after merge_start_indexes. */
void merge_take_indexes(struct merge *merge, uint64_t *to, size_t count);

#endif
