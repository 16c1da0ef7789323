// rank_stable.cl - ranks the elements of a tile stably by a digit: sub-groups match equal digits
//
// A sub-group ranks its own elements, SUB_GROUP_SIZE at a time: a match finds the lanes of equal
// digit, and the highest of these lanes adds the number of these lanes to the digit's counter.
// Sub-groups need to synchronise only after each has counted all its elements. The counters are
// then scanned over the sub-groups and the digits.
//
// Adinets and Merrill, "Onesweep: a faster least significant digit radix sort for GPUs",
// arXiv:2206.01784, 2022, section 4; Ashkiani, Davidson, Meyer and Owens, "GPU multisplit", PPoPP
// 2016.
//
// Steps: rank_clear, rank_in_sub_group for each element in order, rank_totals, rank_starts, then
// rank_in_tile for each element; rank_tile does all of them.
//
// Cost: a match, three reads and at most one write of local memory per element; 3 * SUB_GROUPS
// accesses per digit; 3 barriers per tile, in addition to those of the sub-group backend.
//
// The options are described in rank.cl.
#ifndef CLSORT_COMMON_RANK_STABLE_CL
#define CLSORT_COMMON_RANK_STABLE_CL

#include "common/digit.cl"
#include "common/rank_sub_groups.cl"

// Returns the number of preceding elements of the sub-group that have the same digit. Elements are
// passed in order.
static inline uint rank_in_sub_group(__local ranks_t *ranks, const uint digit)
{
    __local rank_counter_t *count = sub_group_counters(ranks) + digit;
    const lane_mask_t same = sg_match(digit, BITS, ranks->words);
    const uint rank = *count + lane_count(same & lanes_below());
    sg_fence();
    if (same >> lane_id() == 1) {
        *count = (ushort)(rank + 1);
    }
    sg_fence();
    return rank;
}

// Sets total[] to the number of the tile's elements with each of this work-item's bins. All
// elements have been ranked by rank_in_sub_group.
static inline void rank_totals(__local ranks_t *ranks, uint *total)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < BINS_PER_ITEM; i++) {
        const uint d = (uint)get_local_id(0) * BINS_PER_ITEM + i;
        uint sum = 0;
        if (d < RADIX) {
#pragma unroll 8
            for (uint g = 0; g < SUB_GROUPS; g++) {
                const uint count = ranks->count[g][d];
                ranks->count[g][d] = (ushort)sum;
                sum += count;
            }
        }
        total[i] = sum;
    }
}

// Computes the rank at which each digit starts, for rank_in_tile.
static inline void rank_starts(__local ranks_t *ranks, const uint *total)
{
    uint start = rank_of_digits(ranks, total);
    // There is no `if`, since PoCL would here, close to a barrier, take work-item 0's branch for
    // all work-items. Digits out of range start where the tile ends.
    for (uint i = 0; i < BINS_PER_ITEM; i++) {
        ranks->start[min((uint)get_local_id(0) * BINS_PER_ITEM + i, RADIX)] = (ushort)start;
        start += total[i];
    }
    ranks->start[RADIX] = TILE;
    barrier(CLK_LOCAL_MEM_FENCE);
}

// Returns an element's rank in the tile, from its digit and what rank_in_sub_group returned.
static inline uint rank_in_tile(__local const ranks_t *ranks, const uint digit, const uint rank)
{
    return ranks->start[digit] + ranks->count[sg_index()][digit] + rank;
}

// Adds to rank[i] the rank of element i in the tile, and sets total[i] to the number of the tile's
// `count` elements with each of this work-item's bins. The last tile is padded at its end, by
// keys with the last digit, `mask`.
static inline void rank_tile(__local ranks_t *ranks, const uint count, const uint mask, uint *rank,
                             uint *total)
{
    rank_clear(ranks);
    UNROLL
    for (uint i = 0; i < ITEMS; i++) {
        rank[i] += rank_in_sub_group(ranks, DIGIT_IN(rank[i]));
    }
    rank_totals(ranks, total);
    rank_starts(ranks, total);
    UNROLL
    for (uint i = 0; i < ITEMS; i++) {
        rank[i] += rank_in_tile(ranks, DIGIT_IN(rank[i]), 0);
    }
    for (uint i = 0; i < BINS_PER_ITEM; i++) {
        total[i] -= (uint)get_local_id(0) * BINS_PER_ITEM + i == mask ? TILE - count : 0;
    }
}

#endif
