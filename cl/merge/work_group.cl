// work_group.cl - stable merge sort for work-groups, and the merge of two sorted inputs
//
// Work-groups sort tiles, and then rounds merge pairs of sorted runs until one run is left.
// Co-ranks divide the output of a round into tiles of equal size, so that the load is balanced
// whatever the keys are (merge path).
//
// Hwu, Kirk and El Hajj, "Programming massively parallel processors", 4th ed., chapters 12 and 13;
// Green, McColl and Bader 2012 (merge/co_rank.cl), sections 3 and 4; Habermann, "Parallel
// neighbor-sort", 1972.
//
// Kernels, in launch order:
//   merge_init    only for two inputs, which need no tiles, in place of merge_tiles: initializes
//                 the control block and writes values that are indexes
//   merge_tiles   one group per tile: each work-item sorts its ITEMS keys in registers by odd-even
//                 transposition, which is stable since it only swaps neighbours; then the group
//                 merges runs in local memory until the tile is one run
//   merge_split   once per round: computes the co-rank of each output tile, which is where the tile
//                 starts in its two runs
//   merge_round   once per round, one group per output tile: merges the tile in local memory
//
// Cost: merge_tiles and each of the log2(n / TILE) rounds read and write each element once: 8 bytes
// per u32 key and pass.
// Measured (H200, 2^28 u32 keys by a custom order, 16 rounds): 21.3 Gkeys/s, 0.68 of that model at
// the card's 4.27 TB/s of copying. merge_round takes 536 us, 0.94 of the model; merge_split takes
// another 90 us per round, waiting for memory; merge_tiles takes as long as five rounds, limited by
// instructions.
//
// If the runs are out of order, a co-rank may be less than the one before it, or exceed it by more
// than the number of outputs between them. With the option CHECKED (layout.h explains the options),
// such runs are copied, not merged, so that the output is a permutation of the input. If a
// work-group finds such co-ranks in its tile, it copies the tile's runs in this step only. If
// merge_split finds them, merge_round leaves all elements in their tiles, in this round and in all
// later ones.
#ifndef CLSORT_MERGE_WORK_GROUP_CL
#define CLSORT_MERGE_WORK_GROUP_CL

#include "common/permute.cl"
#include "merge/arrays.cl"
#include "merge/layout.h"
#include "merge/split.cl"
#include "merge/tile.cl"

__kernel WORK_GROUP_KERNEL void merge_init(BUFFER(control), VALUE_BUFFER(values) const index_t n)
{
#if VALUE_INDEX
    for (index_t i = get_global_id(0); i < n; i += get_global_size(0)) {
        AT(value_t, values)[i] = value_of_index(i);
    }
#endif
    if (get_global_id(0) == 0) {
        init_control(AT(cls_merge_control, control));
    }
}

// -- tiles ----------------------------------------------------------------------------------------

// Sorts the first `count` keys of this work-item by odd-even transposition.
static inline void sort_items(merge_items_t *items, const uint count, const order_t order)
{
#pragma unroll
    for (uint round = 0; round < ITEMS; round++) {
#pragma unroll
        for (uint i = round % 2; i + 1 < ITEMS; i += 2) {
            const key_t a = items->key[i], b = items->key[i + 1];
            const bool swap = i + 1 < count && precedes(b, a, order);
            items->key[i] = swap ? b : a;
            items->key[i + 1] = swap ? a : b;
#if VALUE_BYTES > 0
            const ushort from_a = items->from[i], from_b = items->from[i + 1];
            items->from[i] = swap ? from_b : from_a;
            items->from[i + 1] = swap ? from_a : from_b;
#endif
        }
    }
}

// Sorts the first `count` keys of the tile into local memory.
static inline void sort_tile(merge_items_t *items, __local merge_exchange_t *x, const uint count,
                             const order_t order)
{
    const uint first = (uint)get_local_id(0) * ITEMS;
    sort_items(items, sub_sat(count, first), order);
    for (uint width = ITEMS; width < TILE; width *= 2) {
        store_items(items, x);
        const uint pair = first / (2 * width) * (2 * width);
        const uint begin = min(pair, count), middle = min(pair + width, count),
                   end = min(pair + 2 * width, count);
        merge_runs(items, x, begin, middle, end, min(first, count) - begin,
                   first + ITEMS < pair + 2 * width, order);
    }
    store_items(items, x);
}

__kernel WORK_GROUP_KERNEL void merge_tiles(BUFFER(control), INPUT(keys), BUFFER(keys_to),
                                            VALUE_INPUT(values) VALUE_BUFFER(values_to)
                                                const index_t n,
                                            ORDER)
{
    __local merge_exchange_t x;
    const order_t order = ORDER_ARGUMENTS;
    const index_t base = (index_t)get_group_id(0) * TILE;
    const uint count = (uint)min(n - base, (index_t)TILE);
    merge_items_t items;
    __global const key_t *from = AT(const key_t, keys) + base;
    load_tile(&x, from, from, count, count);
    load_items(&items, &x);
    barrier(CLK_LOCAL_MEM_FENCE);
    sort_tile(&items, &x, count, order);
    for (uint j = (uint)get_local_id(0); j < count; j += GROUP_SIZE) {
        AT(key_t, keys_to)[base + j] = x.key[j];
    }
    VALUES(PERMUTE_VALUES(j < count, x.from, INPUT_VALUES(values), base, AT(value_t, values_to)))
    if (get_global_id(0) == 0) {
        init_control(AT(cls_merge_control, control));
    }
}

// -- rounds ---------------------------------------------------------------------------------------

__kernel WORK_GROUP_KERNEL void merge_round(BUFFER(control), MERGE_KEY_ARRAYS,
                                            MERGE_VALUE_ARRAYS BUFFER(starts), MERGE_ROUND, ORDER)
{
    __local merge_exchange_t x;
    const uint t = (uint)get_local_id(0);
    const order_t order = ORDER_ARGUMENTS;
    const index_t base = (index_t)get_group_id(0) * TILE;
    merge_part_t part;
    set_part(&part, AT(const cls_merge_control, control), AT(const index_t, starts), n, width,
             two_inputs);
    const uint a_count = part.a_count, count = part.count;
    const index_t a_first = part.a_first, b_first = part.b_first;
    load_tile(&x, AT(const key_t, keys) + a_first, AT(const key_t, second_keys) + b_first, a_count,
              count);

    merge_items_t items;
    const uint first = min(t * ITEMS, count);
    merge_runs(&items, &x, 0, a_count, count, first, first + ITEMS < count, order);
    store_items(&items, &x);
    for (uint j = t; j < count; j += GROUP_SIZE) {
        AT(key_t, keys_to)[base + j] = x.key[j];
#if VALUE_BYTES > 0
        const uint from = x.from[j];
        __global value_t *to = AT(value_t, values_to) + base;
        to[j] = from < a_count ? AT(const value_t, values)[a_first + from]
                               : AT(const value_t, second_values)[b_first + from - a_count];
#endif
    }
}

#endif
