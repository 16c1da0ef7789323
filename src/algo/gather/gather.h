/* gather.h - moves wide values to the positions of their keys, by a permutation (gather.cl)
 *
 * This is not an algorithm, but the last step of any sort whose values are too wide to move in
 * every pass: the algorithm sorts the indexes of the values, which are the permutation. */
#ifndef CLSORT_ALGO_GATHER_H
#define CLSORT_ALGO_GATHER_H

#include "algo/algo.h"

struct cls_gather_job {
    const struct cls_arrays *arrays; /* the values to move */
    clsort_buffer control;           /* control block of the sort; starts with cls_control_head */
    clsort_buffer index;             /* its sorted index values */
    clsort_buffer count; /* the clamped count, if the program reads it (cls_gather.count_bytes) */
    bool has_gaps;       /* the sort leaves some elements where they are */
    clsort_buffer slice; /* in place: scratch of count * cls_gather_slice() bytes */
};

/* Returns the number of bytes of each value that move at a time in place. Unless the caller has changed max_slice,
 * the scratch memory of the sort of indexes and of the gather is at most as large as the keys and values, besides
 * tables. */
uint64_t cls_gather_slice(const struct cls_gather *gather);

/* Enlarges the regions of a sort of indexes for the slice. The gather begins when the keys are sorted, so that the
 * slice takes the region of the keys. With merges_regions, that region also has the values of the sort, which are
 * unsorted indexes, and the region of the values is empty. This is not done if a key and an index are as long as a
 * value or longer: the one region might then exceed the largest buffer of a device on which the array of values does
 * not. */
void cls_gather_lay_out(const struct cls_gather *gather, uint64_t count, uint64_t *region_bytes);

/* Sets sort_region[] to the algorithm's regions within those so laid out for the same count. cls_gather_job.slice is
 * region[CLS_KEYS]. */
void cls_gather_place(const struct cls_gather *gather, uint64_t count, const clsort_buffer *region,
                      size_t regions, clsort_buffer *sort_region);

/* Returns the bytes per element that a gather out of place reads and writes, by the cost model in
 * gather.cl. */
uint64_t cls_gather_bytes_per_element(const struct cls_gather *gather);

/* Describes the program of the gather. */
void cls_gather_program(const struct cls_gather *gather, struct cls_program_spec *program);

/* Enqueues the initialization of the indexes, before a sort with gaps in the same chain. */
cl_int cls_gather_clear(const cl_kernel *kernels, const struct cls_gather *gather,
                        const struct cls_gather_job *job, struct cls_chain *chain);

/* Enqueues the gather after a sort in the same chain. */
cl_int cls_gather_enqueue(const cl_kernel *kernels, const struct cls_gather *gather,
                          const struct cls_gather_job *job, struct cls_chain *chain);

#endif
