// scan_and_split.cl - self-test of the primitives of work-group sorts (src/algo/primitives)
//
//   test_scan       prefix sums over a work-group (common/scan.cl)
//   test_summary    the key summary of a work-group (common/group_key_summary.cl)
//   test_rank       ranks of the 4-way split (common/four_way_split.cl)
#ifndef CLSORT_SELF_TEST_SCAN_AND_SPLIT_CL
#define CLSORT_SELF_TEST_SCAN_AND_SPLIT_CL

#include "common/four_way_split.cl"
#include "common/group_key_summary.cl"
#include "self_test/layout.h"

// Writes the prefix sum of each work-item, then the total.
__kernel WORK_GROUP_KERNEL void test_scan(__global ulong *results)
{
    __local ulong sums[2 * GROUP_SIZE];
    const uint t = (uint)get_local_id(0);
    ulong total;
    results[t] = group_exclusive_scan(t, sums, &total); // another scan may follow at once
    results[t] = group_exclusive_scan(cls_scramble(t), sums, &total);
    if (t == GROUP_SIZE - 1) {
        results[GROUP_SIZE] = total;
    }
}

// Writes the summary that each work-item receives. It is computed twice, since only one of the two
// results of the order check can be tested at a time.
__kernel WORK_GROUP_KERNEL void test_summary(__global cls_summary_result *results)
{
    __local cls_key_summary summaries[GROUP_SIZE];
    const uint t = (uint)get_local_id(0);
    cls_key_summary mine = {cls_scramble(t), cls_scramble(t), t != GROUP_SIZE / 2, 0};
    const cls_key_summary sorted_but_1 = group_key_summary(mine, summaries);
    mine.is_sorted = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    mine = group_key_summary(mine, summaries);
    results[t].any = mine.any;
    results[t].all = mine.all;
    results[t].is_sorted = mine.is_sorted;
    results[t].is_sorted_but_1 = sorted_but_1.is_sorted;
}

// Writes the rank of each key of a tile that is split by its two lowest bits.
__kernel WORK_GROUP_KERNEL void test_rank(__global ulong *results)
{
    __local split_exchange_t x;
    const uint t = (uint)get_local_id(0);
    split_tile_t tile;
    uint rank[ITEMS];
    for (uint i = 0; i < ITEMS; i++) {
        tile.key[i] = cls_scramble(t * ITEMS + i) >> 9;
    }
    split_ranks(&tile, &x, 0, 0, 3, rank);
    for (uint i = 0; i < ITEMS; i++) {
        results[t * ITEMS + i] = rank[i];
    }
}

#endif
