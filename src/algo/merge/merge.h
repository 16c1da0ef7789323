/* merge.h - what the two shapes of merge sort share: merge.c for work-groups, merge_cores.c for CPUs */
#ifndef CLSORT_ALGO_MERGE_H
#define CLSORT_ALGO_MERGE_H

#include "algo/algo.h"

/* The parameter "shape", their only one. */
enum { CLS_MERGE_GROUPS = 1, CLS_MERGE_CORES };
extern const char *const cls_merge_variants[];

/* What is merged: pairs of runs of `width` elements, neighbours in one place, or two inputs, of which the first
 * has `width`. */
struct cls_merge_round {
    clsort_buffer keys, values, second_keys, second_values, keys_to, values_to;
    uint64_t width;
    bool two_inputs;
};

/* How often runs of this width are merged in pairs until count elements are one run. */
unsigned cls_merge_rounds(uint64_t count, uint64_t width);

/* The round that merges runs of this width. Rounds go back and forth between output and scratch so that the last
 * one, after which there is one run, ends in the output. */
struct cls_merge_round cls_merge_round(const struct cls_sort *sort, uint64_t width);

/* The merge of the two inputs. Index values are read too: they are made in scratch before. */
struct cls_merge_round cls_merge_inputs(const struct cls_sort *sort);

/* Whether what is merged may not be in order: the caller says that it is. */
void cls_merge_options(const struct cls_spec *spec, struct cls_text *options);

/* What `traffic` says where tiles are of this width. */
uint64_t cls_merge_bytes_per_element(const struct cls_spec *spec, uint64_t count, uint64_t width);

/* Scratch of the regions that every algorithm has; sorts move everything there and back. */
void cls_merge_scratch(const struct cls_spec *spec, uint64_t count, struct cls_schedule *schedule);

#endif
