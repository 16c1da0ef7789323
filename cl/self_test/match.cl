// match.cl - self-test of stable ranking by sub-group matches (src/algo/primitives)
//
// The option RANK_COUNTED selects one of the two ways to rank (common/rank.cl).
#ifndef CLSORT_SELF_TEST_MATCH_CL
#define CLSORT_SELF_TEST_MATCH_CL

#include "self_test/layout.h"

#include "common/rank.cl"

// Writes the rank of each element of a tile, then the rank at which each digit starts. Half of the
// elements have one of three digits, so that many lanes match.
__kernel SUB_GROUP_KERNEL void test_match(__global ulong *results)
{
    __local ranks_t ranks;
    uint digit[ITEMS], rank[ITEMS], total[BINS_PER_ITEM];
    for (uint i = 0; i < ITEMS; i++) {
        const uint number = cls_scramble(tile_index(i));
        digit[i] = (number >> 9) % (number >> 31 ? RADIX : 3);
    }
    rank_clear(&ranks);
    for (uint i = 0; i < ITEMS; i++) {
#if RANK_COUNTED
        rank_count(&ranks, digit[i]);
#else
        rank[i] = rank_in_sub_group(&ranks, digit[i]);
#endif
    }
    rank_totals(&ranks, total);
    rank_starts(&ranks, total);
    for (uint i = 0; i < ITEMS; i++) {
#if RANK_COUNTED
        rank[i] = rank_item(&ranks, digit[i]);
#else
        rank[i] = rank_in_tile(&ranks, digit[i], rank[i]);
#endif
        results[tile_index(i)] = rank[i];
    }
    for (uint d = (uint)get_local_id(0); d <= RADIX; d += GROUP_SIZE) {
        results[TILE + d] = ranks.start[d];
    }
}

#endif
