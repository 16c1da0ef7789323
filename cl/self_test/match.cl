// match.cl - self-test of stable ranking by sub-group matches (src/algo/primitives)
#ifndef CLSORT_SELF_TEST_MATCH_CL
#define CLSORT_SELF_TEST_MATCH_CL

#include "common/rank_stable.cl"
#include "self_test/layout.h"

// Writes the rank of each element of a tile, then the rank at which each digit starts. Half of the
// elements have one of three digits, so that many lanes match.
__kernel SUB_GROUP_KERNEL void test_match(__global ulong *results)
{
    __local ranks_t ranks;
    __local uint counters[RANK_COUNTERS];
    uint digit[ITEMS], total[DIGITS];
    rank_clear(counters);
    for (uint i = 0; i < ITEMS; i++) {
        const uint number = cls_scramble(tile_index(i));
        digit[i] = (number >> 9) % (number >> 31 ? RADIX : 3);
        rank_count(counters, digit[i]);
    }
    rank_totals(counters, total);
    rank_starts(&ranks, counters, total);
    for (uint i = 0; i < ITEMS; i++) {
        results[tile_index(i)] = rank_item(&ranks, counters, digit[i]);
    }
    for (uint d = (uint)get_local_id(0); d <= RADIX; d += GROUP_SIZE) {
        results[TILE + d] = ranks.start[d];
    }
}

#endif
