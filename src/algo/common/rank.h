/* rank.h - local memory for ranking a tile stably (rank_stable.cl) */
#ifndef CLSORT_ALGO_COMMON_RANK_H
#define CLSORT_ALGO_COMMON_RANK_H

#include "algo/algo.h"
#include "device/sub_group.h"

/* Returns the size of the RANK_COUNTERS counters. */
static inline uint64_t cls_rank_counter_bytes(const struct cls_caps *caps, unsigned group_size,
                                              unsigned bits)
{
    return (uint64_t)(group_size / cls_sub_group_in(caps, group_size)) * sizeof(cl_uint) << bits;
}

/* Returns the size of ranks_t, which has the arrays start, sums and words. Their sizes depend on
 * build options, so that the host cannot use sizeof. */
static inline uint64_t cls_rank_bytes(const struct cls_caps *caps, unsigned group_size,
                                      unsigned bits)
{
    const uint64_t radix = UINT64_C(1) << bits;
    const uint64_t sub_groups = group_size / cls_sub_group_in(caps, group_size);
    const bool emulated =
        caps->sub_group_backend == CLS_SUB_GROUP_LOCAL || group_size < caps->sub_group_size;
    const uint64_t words = emulated ? group_size : 1;
    const uint64_t padded_start = radix * sizeof(cl_ushort) + sizeof(cl_uint);
    return padded_start + (sub_groups + words) * sizeof(cl_uint);
}

#endif
