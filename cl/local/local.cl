// local.cl - sorts the whole input in one work-group: stable LSD radix sort in local memory
//
// The input fits in one tile, which is sorted in local memory by 4-way splits, two bits at a time.
// The key summary shows which splits are not needed: those whose bits are constant, and all of them
// if the input is sorted.
//
// Ha, Krueger and Silva, "Fast four-way parallel radix sorting on GPUs", Computer Graphics Forum
// 28(8), 2009 (common/four_way_split.cl).
//
// There is one kernel, local_sort: it loads, sorts and writes the tile in one launch.
//
// Cost: keys are read and written once, 8 bytes per u32 key; each two bits that vary take one
// split. Measured (H200, 2^10 u32 keys): 36 us, 0.00006 of that model at the card's 4.18 TB/s of
// copying, since the launch and the barriers take all of the time.
//
// Options, besides those of common/types.cl and common/keys.cl:
//   GROUP_SIZE    work-items of the group
//   ITEMS         keys per work-item
#ifndef CLSORT_LOCAL_LOCAL_CL
#define CLSORT_LOCAL_LOCAL_CL

#include "common/four_way_split.cl"
#include "common/group_key_summary.cl"
#include "common/permute.cl"

// Returns the summary of this work-item's share of the n keys in local memory.
static inline cls_key_summary local_summary(__local const key_t *keys, const uint n,
                                            const key_t flip, const key_t window)
{
    cls_key_summary summary = summary_of_nothing();
    for (uint j = (uint)get_local_id(0); j < n; j += GROUP_SIZE) {
        const key_t key = ordered(keys[j], flip), next = ordered(keys[min(j + 1, n - 1)], flip);
        summary = merge_summaries(summary, summary_of_key(key, next, window));
    }
    return summary;
}

__kernel WORK_GROUP_KERNEL void local_sort(BUFFER(control), INPUT(keys), BUFFER(keys_to),
                                           VALUE_INPUT(values) VALUE_BUFFER(values_to) const uint n,
                                           const key_t flip, const key_t window, const key_t pad,
                                           const uint begin_bit, const uint end_bit)
{
    __local split_exchange_t x;
    __local cls_key_summary group_summaries[GROUP_SIZE];
    const uint t = (uint)get_local_id(0);
    split_tile_t tile;
    split_load(&tile, &x, AT(const key_t, keys), n, pad);
    cls_key_summary summary = local_summary(x.key, n, flip, window);
    VALUES(for (uint i = 0; i < ITEMS; i++) x.from[t * ITEMS + i] = (ushort)(t * ITEMS + i);)
    summary = group_key_summary(summary, group_summaries);
    const ulong varying = (summary.any ^ summary.all) & window;
    const uint is_sorted = summary.is_sorted;
    if (t == 0) {
        write_control_head(AT(cls_control_head, control), summary, window);
    }

    for (uint bit = begin_bit; bit < end_bit && !is_sorted; bit += 2) {
        const uint mask = end_bit - bit == 1 ? 1 : 3;
        if ((varying >> bit & mask) == 0) {
            continue;
        }
        uint rank[ITEMS];
        split_ranks(&tile, &x, flip, bit, mask, rank);
        split_store(&tile, &x, rank);
        split_reload(&tile, &x);
    }

    barrier(CLK_GLOBAL_MEM_FENCE); // in place, all keys must be read before the first is written
    for (uint j = t; j < n; j += GROUP_SIZE) {
        AT(key_t, keys_to)[j] = x.key[j];
    }
    VALUES(PERMUTE_VALUES(j < n, x.from, INPUT_VALUES(values), 0, AT(value_t, values_to)))
}

#endif
