// match.cl - stable ranking by sub-group matches, in a kernel of its own, for the self-test
#ifndef CLSORT_SELF_TEST_MATCH_CL
#define CLSORT_SELF_TEST_MATCH_CL

#include "common/rank_stable.cl"
#include "self_test/scramble.cl"

// The place of each element of a tile that is sorted by a digit, where lanes match; then where each digit starts.
// Some digits are there for most of the elements.
__kernel SUB_GROUP_KERNEL void block_match(__global ulong *places)
{
    __local ranks_t ranks;
    uint digit[ITEMS], rank[ITEMS], total[DIGITS];
    rank_clear(&ranks);
    for (uint i = 0; i < ITEMS; i++) {
        const uint number = scramble(tile_index(i));
        digit[i] = (number >> 9) % (number >> 31 ? RADIX : 3);
        rank[i] = rank_item(&ranks, digit[i]);
    }
    rank_digit_totals(&ranks, total);
    rank_starts(&ranks, total);
    for (uint i = 0; i < ITEMS; i++)
        places[tile_index(i)] = rank_in_tile(&ranks, digit[i], rank[i]);
    for (uint d = (uint)get_local_id(0); d <= RADIX; d += GROUP_SIZE)
        places[TILE + d] = ranks.start[d];
}

#endif
