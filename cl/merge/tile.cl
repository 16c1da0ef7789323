// tile.cl - a work-group merges runs of a tile in local memory
//
// Each work-item finds by a co-rank where its outputs start in the two runs, and merges ITEMS of them
// in registers. The options are those of layout.h.
#ifndef CLSORT_MERGE_TILE_CL
#define CLSORT_MERGE_TILE_CL

#include "common/order.cl"
#include "common/work_group.cl"
#include "merge/co_rank.cl"

// The ITEMS keys of a work-item, which are neighbours in the tile. from[i] is the index that key[i]
// had in the tile when it was loaded: values are not moved until the tile is written.
typedef struct {
    key_t key[ITEMS];
    VALUES(ushort from[ITEMS];)
} merge_items_t;

typedef struct {
    key_t key[TILE + 1]; // the last one may be read, but is never used
    VALUES(ushort from[TILE + 1];)
    uint co_rank[GROUP_SIZE + 1]; // the co-rank of each work-item's first output
    uint out_of_order;            // 1: the co-ranks show runs out of order
} merge_exchange_t;

DEFINE_CO_RANK(co_rank_local, __local)

// Loads a tile of `count` keys, the first a_count from a, the others from b, into local memory. A
// work-item issues all its reads before it uses a result.
static inline void load_tile(__local merge_exchange_t *x, __global const key_t *a,
                             __global const key_t *b, const uint a_count, const uint count)
{
    const uint t = (uint)get_local_id(0);
    key_t key[ITEMS];
#pragma unroll
    for (uint i = 0; i < ITEMS; i++) {
        const uint j = t + i * GROUP_SIZE;
        if (j < count) {
            key[i] = j < a_count ? a[j] : b[j - a_count];
        }
    }
#pragma unroll
    for (uint i = 0; i < ITEMS; i++) {
        const uint j = t + i * GROUP_SIZE;
        x->key[j] = key[i];
        VALUES(x->from[j] = (ushort)j;)
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

static inline void store_items(const merge_items_t *items, __local merge_exchange_t *x)
{
    const uint first = (uint)get_local_id(0) * ITEMS;
    for (uint i = 0; i < ITEMS; i++) {
        x->key[first + i] = items->key[i];
        VALUES(x->from[first + i] = items->from[i];)
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

static inline void load_items(merge_items_t *items, __local const merge_exchange_t *x)
{
    const uint first = (uint)get_local_id(0) * ITEMS;
    for (uint i = 0; i < ITEMS; i++) {
        items->key[i] = x->key[first + i];
        VALUES(items->from[i] = x->from[first + i];)
    }
}

// Sets the items [first, last) to the next outputs of the merge of [a, a_end) and [b, b_end); those
// past the end are undefined. Returns the index of the first key of run a that is not among them.
static inline uint merge_items(merge_items_t *items, __local const merge_exchange_t *x, uint a,
                               const uint a_end, uint b, const uint b_end, const uint first,
                               const uint last, const order_t order)
{
    key_t key_a = x->key[a], key_b = x->key[b];
#pragma unroll
    for (uint i = 0; i < ITEMS; i++) {
        if (i < first || i >= last) {
            continue;
        }
        const bool is_b = a >= a_end || (b < b_end && precedes(key_b, key_a, order));
        items->key[i] = is_b ? key_b : key_a;
        VALUES(items->from[i] = x->from[is_b ? b : a];)
        if (is_b) {
            b += b < b_end;
        } else {
            a++;
        }
        const key_t next = x->key[is_b ? b : a];
        key_b = is_b ? next : key_b;
        key_a = is_b ? key_a : next;
    }
    return a;
}

// Merges the runs [first, middle) and [middle, end) of the tile. The items [first_item, last_item) of
// this work-item become the outputs from `rank` on; there may be none. All work-items of the group
// have to call this together, but may pass different runs. `continues` says whether the next
// work-item merges the same runs.
static inline void merge_some_items(merge_items_t *items, __local merge_exchange_t *x,
                                    const uint first, const uint middle, const uint end,
                                    const uint rank, const uint first_item, const uint last_item,
                                    const bool continues, const order_t order)
{
    uint a = 0, a_after = 0;
    if (first_item < last_item) {
        const uint a_count = middle - first, b_count = end - middle;
        a = (uint)co_rank_local(x->key + first, x->key + middle, rank, MIN_FROM_A(rank, b_count),
                                MAX_FROM_A(rank, a_count), order);
        a_after = merge_items(items, x, first + a, middle, middle + rank - a, end, first_item,
                              last_item, order) -
                  first;
    }
#if CHECKED
    const uint t = (uint)get_local_id(0);
    x->co_rank[t] = a;
    x->out_of_order = 0;
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
#if CHECKED
    if (continues && x->co_rank[t + 1] != a_after) {
        x->out_of_order = 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x->out_of_order) {
        load_items(items, x);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#else
    (void)continues;
    (void)a_after;
#endif
}

// The same for all items of this work-item.
static inline void merge_runs(merge_items_t *items, __local merge_exchange_t *x, const uint first,
                              const uint middle, const uint end, const uint rank,
                              const bool continues, const order_t order)
{
    merge_some_items(items, x, first, middle, end, rank, 0, ITEMS, continues, order);
}

#endif
