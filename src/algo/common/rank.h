/* rank.h - local memory for ranking a tile stably (rank_sub_groups.cl) */
#ifndef CLSORT_ALGO_COMMON_RANK_H
#define CLSORT_ALGO_COMMON_RANK_H

#include "algo/algo.h"
#include "device/sub_group.h"

/* Returns the size of ranks_t, which has the arrays count, start, sums and words. Their sizes
 * depend on build options, so that the host cannot use sizeof. counter_bytes: of rank_counter_t. */
static inline uint64_t cls_counter_rank_bytes(const struct cls_caps *caps, unsigned group_size,
                                              unsigned bits, size_t counter_bytes)
{
    const uint64_t radix = UINT64_C(1) << bits;
    const uint64_t sub_groups = group_size / cls_sub_group_in(caps, group_size);
    const bool emulated =
        caps->sub_group_backend == CLS_SUB_GROUP_LOCAL || group_size < caps->sub_group_size;
    const uint64_t words = emulated ? group_size : 1;
    const uint64_t padded_start = radix * sizeof(cl_ushort) + sizeof(cl_uint);
    return sub_groups * radix * counter_bytes + padded_start +
           (sub_groups + words) * sizeof(cl_uint);
}

/* The same for rank_stable.cl and for rank_counted.cl. */
static inline uint64_t cls_rank_bytes(const struct cls_caps *caps, unsigned group_size,
                                      unsigned bits)
{
    return cls_counter_rank_bytes(caps, group_size, bits, sizeof(cl_ushort));
}
static inline uint64_t cls_counted_rank_bytes(const struct cls_caps *caps, unsigned group_size,
                                              unsigned bits)
{
    return cls_counter_rank_bytes(caps, group_size, bits, sizeof(cl_uint));
}

#endif
