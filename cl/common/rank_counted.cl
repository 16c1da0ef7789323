// rank_counted.cl - ranks the elements of a tile stably by a digit, whose counts are known first
//
// Each sub-group first counts the digits of its own elements by atomics. The counters are then
// scanned over the sub-groups and the digits: each becomes the rank of the next element of its
// sub-group and digit. Finally, each sub-group ranks its elements, SUB_GROUP_SIZE at a time: a match
// finds the lanes of equal digit, and the highest of these lanes advances the counter by the number
// of these lanes.
//
// rank_stable.cl counts while it ranks, and needs no atomics. But here the totals of the tile can be
// published before the elements are ranked, and the rank that rank_item returns is final.
//
// NVIDIA, CUB, RADIX_RANK_MATCH_EARLY_COUNTS_ANY, has the same order of steps.
//
// Steps: rank_clear, rank_count for each element, rank_totals, rank_starts, then rank_item for each
// element in order.
//
// Cost: per element a match, two atomics and a shuffle; 4 * SUB_GROUPS accesses per digit; 3
// barriers per tile, in addition to those of the sub-group backend.
//
// The options are described in rank.cl.
#ifndef CLSORT_COMMON_RANK_COUNTED_CL
#define CLSORT_COMMON_RANK_COUNTED_CL

#ifndef RANK_COUNTED
#define RANK_COUNTED 1
#endif

#include "common/rank_sub_groups.cl"

static inline void rank_count(__local ranks_t *ranks, const uint digit)
{
    atomic_inc(sub_group_counters(ranks) + digit);
}

// Sets total[] to the number of the tile's elements with each of this work-item's bins. All
// elements have been counted.
static inline void rank_totals(__local const ranks_t *ranks, uint *total)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < BINS_PER_ITEM; i++) {
        const uint d = (uint)get_local_id(0) * BINS_PER_ITEM + i;
        uint sum = 0;
        UNROLL
        for (uint g = 0; g < SUB_GROUPS; g++) {
            sum += ranks->count[g][min(d, RADIX - 1)];
        }
        total[i] = d < RADIX ? sum : 0;
    }
}

// Replaces the counts of the digits by the ranks at which they start, in the tile and in each
// sub-group.
static inline void rank_starts(__local ranks_t *ranks, const uint *total)
{
    uint start = rank_of_digits(ranks, total);
    // There is no `if`, since PoCL would here, close to a barrier, take work-item 0's branch for
    // all work-items. Digits out of range start where the tile ends.
    for (uint i = 0; i < BINS_PER_ITEM; i++) {
        const uint d = (uint)get_local_id(0) * BINS_PER_ITEM + i;
        uint next = start;
        for (uint g = 0; g < (d < RADIX ? SUB_GROUPS : 0); g++) {
            const uint count = ranks->count[g][d];
            ranks->count[g][d] = next;
            next += count;
        }
        ranks->start[min(d, RADIX)] = (ushort)start;
        start += total[i];
    }
    ranks->start[RADIX] = TILE;
    barrier(CLK_LOCAL_MEM_FENCE);
}

// Returns the rank in the tile of an element. The sub-group passes its elements in order.
static inline uint rank_item(__local ranks_t *ranks, const uint digit)
{
    const lane_mask_t same = sg_match(digit, BITS, ranks->words);
    const uint highest = sg_highest(same);
    // Lanes with this digit up to this one; in the highest of them, that is all of them.
    const uint number = lane_count(same & lanes_up_to());
    uint first = 0;
    if (lane_id() == highest) {
        first = atomic_add(sub_group_counters(ranks) + digit, number);
    }
    sg_fence();
    return sg_shuffle(first, highest, ranks->words) + number - 1;
}

#endif
