/* rank.h - what the ranks of a tile's elements take (rank.cl) */
#ifndef CLSORT_ALGO_RANK_H
#define CLSORT_ALGO_RANK_H

#include "algo/algo.h"
#include "device/sub_group.h"

/* Local memory of ranks_t in rank.cl. */
static inline uint64_t cls_rank_bytes(const struct cls_caps *caps, unsigned group_size,
                                      unsigned bits)
{
    const uint64_t lane_groups = group_size / cls_sub_group_in(caps, group_size);
    const bool meets =
        caps->sub_group_backend == CLS_SUB_GROUP_LOCAL || group_size < caps->sub_group_size;
    const uint64_t room = meets ? group_size : 1;
    return ((lane_groups + 1) * 2 << bits) + 4 * (lane_groups + room) + 4;
}

#endif
