/* gather.h - wide values take their places after their keys, by the permutation (gather.cl)
 *
 * Not an algorithm of its own: the last step of any sort whose values are too wide to move in every pass. */
#ifndef CLSORT_ALGO_GATHER_H
#define CLSORT_ALGO_GATHER_H

#include "algo/algo.h"

struct cls_gather {
    size_t value_bytes;
    unsigned key_bytes, index_bits;
    unsigned group_size, units;
    uint64_t max_iterations; /* as in caps.h */
};

struct cls_gather_job {
    const struct cls_arrays *arrays;
    clsort_buffer control; /* starts with head_t of head.cl: of the sort that made the index */
    clsort_buffer index;
    clsort_buffer slice; /* in place: count * cls_gather_slice() bytes */
};

/* Bytes of each value that move at a time when in place: few enough that the slice and two indexes take
 * no more scratch than keys and values would. */
uint64_t cls_gather_slice(const struct cls_gather *gather);

/* Bytes that a row reads and writes out of place, by the cost model in gather.cl. */
uint64_t cls_gather_bytes_per_element(const struct cls_gather *gather);

struct cls_gather cls_gather_for(const struct cls_caps *caps, const struct cls_spec *sort,
                                 size_t value_bytes);
void cls_gather_program(const struct cls_gather *gather, struct cls_program_spec *program);
cl_int cls_gather_enqueue(const cl_kernel *kernels, const struct cls_gather *gather,
                          const struct cls_gather_job *job, struct cls_chain *chain);

#endif
