// scan_and_split.cl - the primitives of work-group sorts, each in a kernel of its own, for the self-test
#ifndef CLSORT_SELF_TEST_SCAN_AND_SPLIT_CL
#define CLSORT_SELF_TEST_SCAN_AND_SPLIT_CL

#include "common/four_way_split.cl"
#include "common/group_key_summary.cl"
#include "self_test/scramble.cl"

// Each work-item's prefix sum, and behind all of them their total.
__kernel WORK_GROUP_KERNEL void block_scan(__global ulong *sums)
{
    __local ulong work[2 * GROUP_SIZE];
    const uint t = (uint)get_local_id(0);
    ulong total;
    sums[t] = group_exclusive_scan(scramble(t), work, &total);
    if (t == GROUP_SIZE - 1)
        sums[GROUP_SIZE] = total;
}

// OR and AND of all work-items' keys, as each work-item has them, and whether they are in order: asked when
// one work-item's keys are not, and when all are.
__kernel WORK_GROUP_KERNEL void block_seen(__global ulong *seen)
{
    __local cls_key_summary work[GROUP_SIZE];
    const uint t = (uint)get_local_id(0);
    cls_key_summary mine = {scramble(t), scramble(t), t != GROUP_SIZE / 2};
    const cls_key_summary disordered = group_key_summary(mine, work);
    mine.is_sorted = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    mine = group_key_summary(mine, work);
    seen[4 * t] = mine.any;
    seen[4 * t + 1] = mine.all;
    seen[4 * t + 2] = disordered.is_sorted;
    seen[4 * t + 3] = mine.is_sorted;
}

// The place of each key of a tile that is split by its two lowest bits.
__kernel WORK_GROUP_KERNEL void block_rank(__global ulong *places)
{
    __local split_exchange_t x;
    const uint t = (uint)get_local_id(0);
    split_tile_t tile;
    uint place[ITEMS];
    for (uint i = 0; i < ITEMS; i++)
        tile.key[i] = scramble(t * ITEMS + i) >> 9;
    split_ranks(&tile, &x, 0, 0, 3, place);
    for (uint i = 0; i < ITEMS; i++)
        places[t * ITEMS + i] = place[i];
}

#endif
