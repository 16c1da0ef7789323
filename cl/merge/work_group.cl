// work_group.cl - stable merge sort for work-groups, and the merge of two sorted inputs
//
//   merge_tiles    each work-item sorts its few keys in registers by odd-even transposition (Habermann 1972;
//                  neighbours only, so stable), then runs are merged in local memory until the tile is one
//   merge_split    where the tiles of a merge round begin in the two runs that they come from: co-ranks
//   merge_round    a group merges one tile of the output, whatever the runs look like
//   merge_begin    for two inputs, which need no tiles: the control block, and values that are indexes
//
// Hwu, Kirk and El Hajj, "Programming massively parallel processors", 4th ed., chapters 12 and 13; Green,
// McColl and Bader 2012 (corank.cl), sections 3 and 4.
//
// Cost model: tiles read and write everything once, and so does each of the log2(n / TILE) rounds: for u32 keys 8
// bytes a key and pass.
// Measured (H200, 2^28 u32 keys by a custom order, 16 rounds): 21.3 Gkeys/s, 0.68 of that model at the card's 4.27 TB/s
// of copying. A round takes 536 us, 0.94 of it; its splits wait 90 us for memory; the tiles take as long as five
// rounds, with instructions.
//
// GROUP_SIZE, ITEMS    work-items in a group, and keys of each; a tile is GROUP_SIZE * ITEMS keys
// CHECKED              1: what is merged may not be in order. Then co-ranks may go backwards, and a round, or a
//                      merge inside a tile, moves its elements without merging them, so that each is
//                      there once, whatever happens
#ifndef CLSORT_MERGE_WORK_GROUP_CL
#define CLSORT_MERGE_WORK_GROUP_CL

#include "common/layout.h"
#include "common/order.cl"
#include "common/work_group.cl"
#include "merge/co_rank.cl"

// Groups of merge_split: small, so that many cores ask for memory; and their tiles, but for the first.
#define SPLIT_GROUP (GROUP_SIZE < 32 ? GROUP_SIZE : 32)
#define SPLITS (SPLIT_GROUP > 1 ? SPLIT_GROUP - 1 : 1)

typedef struct {
    cls_control_head head;
    uint disorder; // 1: co-ranks went backwards
} control_t;

// Work-item t's keys, at ITEMS * t and following of the tile, and where in the tile as it was read each came
// from: values stay where they are until the tile is written.
typedef struct {
    key_t key[ITEMS];
    VALUES(ushort from[ITEMS];)
} merge_items_t;

typedef struct {
    key_t key[TILE + 1]; // the last is read, and not used, when a run ends with the tile
    VALUES(ushort from[TILE + 1];)
    uint rank[GROUP_SIZE + 1];
    uint disorder;
} merge_exchange_t;

DEFINE_CO_RANK(co_rank_local, __local)

// Reads a tile of `count` keys, the first a_count from a, the others from b, each at its place in the tile. All are
// on their way before the first is waited for.
static inline void load_keys(__local merge_exchange_t *x, __global const key_t *a,
                             __global const key_t *b, const uint a_count, const uint count)
{
    const uint t = (uint)get_local_id(0);
    key_t key[ITEMS];
#pragma unroll
    for (uint i = 0; i < ITEMS; i++) {
        const uint j = t + i * GROUP_SIZE;
        if (j < count)
            key[i] = j < a_count ? a[j] : b[j - a_count];
    }
#pragma unroll
    for (uint i = 0; i < ITEMS; i++) {
        const uint j = t + i * GROUP_SIZE;
        x->key[j] = key[i];
        VALUES(x->from[j] = (ushort)j;)
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

static inline void put_items(const merge_items_t *items, __local merge_exchange_t *x)
{
    const uint first = (uint)get_local_id(0) * ITEMS;
    for (uint i = 0; i < ITEMS; i++) {
        x->key[first + i] = items->key[i];
        VALUES(x->from[first + i] = items->from[i];)
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

static inline void take_items(merge_items_t *items, __local const merge_exchange_t *x)
{
    const uint first = (uint)get_local_id(0) * ITEMS;
    for (uint i = 0; i < ITEMS; i++) {
        items->key[i] = x->key[first + i];
        VALUES(items->from[i] = x->from[first + i];)
    }
}

// The next ITEMS outputs of the merge of [a, a_end) and [b, b_end). Where there are no more, anything.
static inline uint merge_items(merge_items_t *items, __local const merge_exchange_t *x, uint a,
                               const uint a_end, uint b, const uint b_end, const order_t order)
{
    key_t key_a = x->key[a], key_b = x->key[b];
#pragma unroll
    for (uint i = 0; i < ITEMS; i++) {
        const bool is_b = a >= a_end || (b < b_end && precedes(key_b, key_a, order));
        items->key[i] = is_b ? key_b : key_a;
        VALUES(items->from[i] = x->from[is_b ? b : a];)
        if (is_b)
            b += b < b_end;
        else
            a++;
        const key_t next = x->key[is_b ? b : a];
        key_b = is_b ? next : key_b;
        key_a = is_b ? key_a : next;
    }
    return a;
}

// Merges the runs [first, middle) and [middle, end) of the tile, of which this work-item's keys are to be
// those from `rank` on. All work-items of the group call it together, each perhaps with runs of its own;
// `joins` says that the next one goes on with the same runs.
static inline void merge_runs(merge_items_t *items, __local merge_exchange_t *x, const uint first,
                              const uint middle, const uint end, const uint rank, const bool joins,
                              const order_t order)
{
    const uint a_count = middle - first, b_count = end - middle;
    const uint a = (uint)co_rank_local(x->key + first, x->key + middle, rank,
                                       MIN_OF_A(rank, b_count), MAX_OF_A(rank, a_count), order);
#if CHECKED
    const uint t = (uint)get_local_id(0);
    x->rank[t] = a;
    x->disorder = 0;
#endif
    const uint a_after =
        merge_items(items, x, first + a, middle, middle + rank - a, end, order) - first;
    barrier(CLK_LOCAL_MEM_FENCE);
#if CHECKED
    if (joins && x->rank[t + 1] != a_after)
        x->disorder = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x->disorder)
        take_items(items, x);
    barrier(CLK_LOCAL_MEM_FENCE);
#else
    (void)joins;
    (void)a_after;
#endif
}

static inline void begin(__global control_t *control)
{
    control->head.is_sorted = 0;
    control->disorder = 0;
}

__kernel WORK_GROUP_KERNEL void merge_begin(BUFFER(control), VALUE_BUFFER(values) const index_t n)
{
#if VALUE_INDEX
    for (index_t i = get_global_id(0); i < n; i += get_global_size(0))
        AT(value_t, values)[i] = value_of_index(i);
#endif
    if (get_global_id(0) == 0)
        begin(AT(control_t, control));
}

// -- tiles ----------------------------------------------------------------------------------------

// Sorts the first `count` of this work-item's keys.
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

static inline void sort_tile(merge_items_t *items, __local merge_exchange_t *x, const uint count,
                             const order_t order)
{
    const uint first = (uint)get_local_id(0) * ITEMS;
    sort_items(items, sub_sat(count, first), order);
    for (uint width = ITEMS; width < TILE; width *= 2) {
        put_items(items, x);
        const uint pair = first / (2 * width) * (2 * width);
        const uint begin = min(pair, count), middle = min(pair + width, count),
                   end = min(pair + 2 * width, count);
        merge_runs(items, x, begin, middle, end, min(first, count) - begin,
                   first + ITEMS < pair + 2 * width, order);
    }
    put_items(items, x);
}

__kernel WORK_GROUP_KERNEL void merge_tiles(BUFFER(control), INPUT(keys), BUFFER(keys_to),
                                            VALUE_INPUT(values) VALUE_BUFFER(values_to)
                                                const index_t n,
                                            ORDER)
{
    __local merge_exchange_t x;
    const uint t = (uint)get_local_id(0);
    const order_t order = ORDER_ARGUMENTS;
    const index_t base = (index_t)get_group_id(0) * TILE;
    const uint count = (uint)min(n - base, (index_t)TILE);
    merge_items_t items;
    __global const key_t *from = AT(const key_t, keys) + base;
    load_keys(&x, from, from, count, count);
    take_items(&items, &x);
    barrier(CLK_LOCAL_MEM_FENCE);
    sort_tile(&items, &x, count, order);
    for (uint j = t; j < count; j += GROUP_SIZE)
        AT(key_t, keys_to)[base + j] = x.key[j];
#if VALUE_BYTES > 0
    value_t value[ITEMS];
    for (uint i = 0; i < ITEMS; i++) {
        const uint j = t + i * GROUP_SIZE;
        if (j < count)
#if VALUE_INDEX
            value[i] = value_of_index(base + x.from[j]);
#else
            value[i] = AT(const value_t, values)[base + x.from[j]];
#endif
    }
    // In place, all values must be read before the first is written.
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (uint i = 0; i < ITEMS; i++) {
        const uint j = t + i * GROUP_SIZE;
        if (j < count)
            AT(value_t, values_to)[base + j] = value[i];
    }
#endif
    if (get_global_id(0) == 0)
        begin(AT(control_t, control));
}

// -- rounds ---------------------------------------------------------------------------------------

// The two runs that an output comes from. In a round they are neighbours in one array; two inputs are one pair
// of runs in two arrays.
typedef struct {
    index_t begin; // of the outputs
    index_t a_count;
    index_t b_count;
    index_t b_at; // where run b begins in its array; run a begins at `begin`
} pair_t;

static inline pair_t pair_of(const index_t output, const index_t n, const index_t width,
                             const uint two_inputs)
{
    pair_t pair;
    if (two_inputs) {
        pair.begin = pair.b_at = 0;
        pair.a_count = width;
        pair.b_count = n - width;
    } else {
        pair.begin = output / width / 2 * 2 * width;
        pair.a_count = min(width, n - pair.begin);
        pair.b_at = pair.begin + pair.a_count;
        pair.b_count = min(width, n - pair.b_at);
    }
    return pair;
}

static inline index_t co_rank_of(__global const key_t *keys, __global const key_t *second,
                                 const pair_t pair, const index_t output, const order_t order)
{
    const index_t rank = output - pair.begin;
    return co_rank_far(keys + pair.begin, second + pair.b_at, rank, MIN_OF_A(rank, pair.b_count),
                       MAX_OF_A(rank, pair.a_count), order);
}

// starts[tile]: how many keys of run a go before the tile. A group's first tile is the last of the group before, so
// that each start can be compared with the one before it.
__kernel __attribute__((reqd_work_group_size(SPLIT_GROUP, 1, 1))) void
merge_split(BUFFER(control), INPUT(keys), INPUT(second), BUFFER(starts), const index_t n,
            const index_t width, const uint two_inputs, ORDER)
{
    const order_t order = ORDER_ARGUMENTS;
    const index_t tiles = n / TILE + (n % TILE != 0), first = (index_t)get_group_id(0) * SPLITS;
    const uint last = (uint)min((index_t)SPLITS, tiles - 1 - first);
#if CHECKED
    __local index_t start_of[SPLITS + 1];
#endif
    for (uint s = (uint)get_local_id(0); s <= last; s += SPLIT_GROUP) {
        const index_t output = (first + s) * TILE;
        const pair_t pair = pair_of(output, n, width, two_inputs);
        const index_t start =
            co_rank_of(AT(const key_t, keys), AT(const key_t, second), pair, output, order);
        if (s > 0 || first == 0)
            AT(index_t, starts)[first + s] = start;
#if CHECKED
        start_of[s] = start;
#endif
    }
#if CHECKED
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = 1 + (uint)get_local_id(0); s <= last; s += SPLIT_GROUP) {
        const index_t output = (first + s) * TILE;
        const index_t start = start_of[s], before = start_of[s - 1];
        if (output > pair_of(output, n, width, two_inputs).begin &&
            (start < before || start - before > TILE))
            AT(control_t, control)->disorder = 1;
    }
#endif
}

__kernel WORK_GROUP_KERNEL void
merge_round(BUFFER(control), INPUT(keys), INPUT(second), BUFFER(keys_to),
            VALUE_BUFFER(values) VALUE_BUFFER(second_values) VALUE_BUFFER(values_to) BUFFER(starts),
            const index_t n, const index_t width, const uint two_inputs, ORDER)
{
    __local merge_exchange_t x;
    const uint t = (uint)get_local_id(0);
    const order_t order = ORDER_ARGUMENTS;
    const index_t base = (index_t)get_group_id(0) * TILE;
    const uint count = (uint)min(n - base, (index_t)TILE);
    const pair_t pair = pair_of(base, n, width, two_inputs);
    const index_t rank = base - pair.begin, next = rank + count;
    index_t a = AT(const index_t, starts)[get_group_id(0)];
    index_t a_next = next == pair.a_count + pair.b_count
                         ? pair.a_count
                         : AT(const index_t, starts)[get_group_id(0) + 1];
#if CHECKED
    if (AT(const control_t, control)->disorder) {
        a = min(rank, pair.a_count);
        a_next = min(next, pair.a_count);
    }
#endif
    const uint a_count = (uint)(a_next - a);
    const index_t a_from = pair.begin + a, b_from = pair.b_at + rank - a;
    load_keys(&x, AT(const key_t, keys) + a_from, AT(const key_t, second) + b_from, a_count, count);

    merge_items_t items;
    const uint first = min(t * ITEMS, count);
    merge_runs(&items, &x, 0, a_count, count, first, first + ITEMS < count, order);
    put_items(&items, &x);
    for (uint j = t; j < count; j += GROUP_SIZE) {
        AT(key_t, keys_to)[base + j] = x.key[j];
#if VALUE_BYTES > 0
        const uint from = x.from[j];
        __global value_t *to = AT(value_t, values_to) + base;
        to[j] = from < a_count ? AT(const value_t, values)[a_from + from]
                               : AT(const value_t, second_values)[b_from + from - a_count];
#endif
    }
}

#endif
