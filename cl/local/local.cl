// local.cl - the whole input in one work-group: stable LSD radix sort in local memory, 4-way splits
//
// For inputs that fit one tile (see split.cl). One launch.
//
// Cost model: keys are read and written once; each two bits that vary cost one split. At these sizes the
// launch and the barriers are all of the time: 4096 u32 keys took 37 us on an H200, 0.0002 of the model.
#ifndef CLSORT_LOCAL_LOCAL_CL
#define CLSORT_LOCAL_LOCAL_CL

#include "common/four_way_split.cl"
#include "common/group_key_summary.cl"

__kernel WORK_GROUP_KERNEL void local_sort(BUFFER(control), INPUT(keys), BUFFER(keys_to),
                                           VALUE_INPUT(values) VALUE_BUFFER(values_to) const uint n,
                                           const key_t flip, const key_t window, const key_t pad,
                                           const uint begin_bit, const uint end_bit)
{
    __local split_exchange_t x;
    __local cls_key_summary seen[GROUP_SIZE];
    const uint t = (uint)get_local_id(0);
    split_tile_t tile;
    split_load(&tile, &x, AT(const key_t, keys), n, pad);

    cls_key_summary mine = summary_of_nothing();
    for (uint j = t; j < n; j += GROUP_SIZE) {
        const key_t key = ordered(x.key[j], flip);
        mine = merge_summaries(
            mine, summary_of_key(key, ordered(x.key[min(j + 1, n - 1)], flip), window));
    }
    VALUES(for (uint i = 0; i < ITEMS; i++) x.from[t * ITEMS + i] = (ushort)(t * ITEMS + i);)
    mine = group_key_summary(mine, seen);
    const ulong varying = (mine.any ^ mine.all) & window;
    const uint sorted = (uint)mine.is_sorted;
    if (t == 0)
        write_control_head(AT(cls_control_head, control), mine, window);

    for (uint bit = begin_bit; bit < end_bit && !sorted; bit += 2) {
        const uint mask = end_bit - bit == 1 ? 1 : 3;
        if ((varying >> bit & mask) == 0)
            continue;
        uint place[ITEMS];
        split_ranks(&tile, &x, flip, bit, mask, place);
        split_store(&tile, &x, place);
        split_reload(&tile, &x);
    }

    for (uint j = t; j < n; j += GROUP_SIZE)
        AT(key_t, keys_to)[j] = x.key[j];
#if VALUE_BYTES > 0
    value_t value[ITEMS];
    for (uint i = 0; i < ITEMS; i++) {
        const uint j = t + i * GROUP_SIZE;
        if (j < n)
#if VALUE_INDEX
            value[i] = value_of_index(x.from[j]);
#else
            value[i] = AT(const value_t, values)[x.from[j]];
#endif
    }
    // In place, all values must be read before the first is written.
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (uint i = 0; i < ITEMS; i++) {
        const uint j = t + i * GROUP_SIZE;
        if (j < n)
            AT(value_t, values_to)[j] = value[i];
    }
#endif
}

#endif
