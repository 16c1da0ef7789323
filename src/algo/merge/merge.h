/* merge.h - what the two variants of merge sort share: work_group.c for work-groups, cores.c for
 * CPU cores; and the merge by columns, rows.c */
#ifndef CLSORT_ALGO_MERGE_H
#define CLSORT_ALGO_MERGE_H

#include "algo/algo.h"
#include "cl/merge/layout.h"

/* The values of their only parameter, "variant". */
enum { CLS_MERGE_GROUPS = 1, CLS_MERGE_CORES };
extern const char *const cls_merge_variants[];

/* A merge of all pairs of neighbouring runs of `width` elements in one array, or of two inputs, of
 * which the first has `width` elements. */
struct cls_merge_round {
    clsort_buffer keys, values, second_keys, second_values, keys_to, values_to;
    uint64_t width;
    bool two_inputs;
};

static inline bool cls_merges_two_inputs(const struct cls_spec *spec)
{
    return spec->operation == CLSORT_MERGE_SORTED;
}

/* Returns the number of rounds that merge runs of this width until count elements are one run. */
unsigned cls_merge_rounds(uint64_t count, uint64_t width);

/* Returns the round that merges runs of this width. Rounds alternate between output and scratch so
 * that the last one writes to the output. */
struct cls_merge_round cls_merge_round(const struct cls_sort *sort, uint64_t width);

/* The launches of a variant. */
struct cls_merge_steps {
    cl_int (*init)(const struct cls_sort *sort); /* before a merge of two inputs */
    cl_int (*sort_tiles)(const struct cls_sort *sort);
    cl_int (*merge)(const struct cls_sort *sort, const struct cls_merge_round *round);
};

/* Enqueues a merge of two inputs, or a sort: tiles of `tile` elements, then rounds of merges. */
cl_int cls_merge_enqueue(const struct cls_sort *sort, uint64_t tile,
                         const struct cls_merge_steps *steps);

/* Add the arguments MERGE_KEY_ARRAYS, MERGE_VALUE_ARRAYS and MERGE_ROUND (cl/merge/arrays.cl). */
void cls_merge_arg_key_arrays(struct cls_launch *launch, const struct cls_merge_round *round);
void cls_merge_arg_value_arrays(struct cls_launch *launch, const struct cls_spec *spec,
                                const struct cls_merge_round *round);
void cls_merge_arg_round(struct cls_launch *launch, const struct cls_sort *sort,
                         const struct cls_merge_round *round);

/* Enqueues a launch of merge_split (cl/merge/split.cl), which has all its arguments, for some tiles. */
cl_int cls_merge_split_enqueue(const struct cls_sort *sort, struct cls_launch *launch,
                               uint64_t tiles);

/* Adds the option CHECKED, which is 1 if runs may be out of order: with a custom order, or if the
 * caller asserts that the inputs are sorted. */
void cls_merge_options(const struct cls_spec *spec, struct cls_text *options);

/* The cost model of a variant whose tiles have `width` elements. */
uint64_t cls_merge_bytes_per_element(const struct cls_spec *spec, uint64_t count, uint64_t width);

/* Sets the sizes of the regions that every algorithm has. A sort needs scratch for all keys and
 * values. */
void cls_merge_scratch(const struct cls_spec *spec, uint64_t count, struct cls_schedule *schedule);

#endif
