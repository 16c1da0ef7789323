// cores.cl - stable merge sort for CPUs, and the merge of two sorted inputs: a work-item is a core's worker
//
//   cores_tiles    a tile that stays in the cache: runs of RUN keys by odd-even transposition in registers, then
//                  merges back and forth between output and scratch
//   cores_round    merges pairs of runs, a piece of the output for each work-item, found by co-ranks
//   cores_begin    for two inputs, which need no tiles: the control block, and values that are indexes
//
// Hwu, Kirk and El Hajj, "Programming massively parallel processors", 4th ed., chapter 12; corank.cl.
//
// Cost model: one read and one write of everything for the tiles and for each of the log2(n / tile) rounds
// beyond the cache; and one comparison a key for each doubling of a run's length, which is what counts: a merge waits
// about 10 cycles for each, since the next keys to compare depend on the last result. CHAINS merges share that
// wait.
// Measured (PoCL 3.1, 2 cores of an AMD EPYC, 2^22 u32 keys): 38 Mkeys/s, 0.07 of the 8 passes' 64 bytes a key at the
// 35 GB/s that two threads copy; a comparison takes a core 2.4 ns.
//
// CHECKED    1: what is merged may not be in order. Then pieces are found one after the other, so that each begins
//            where the one before ends, and every element is there once, whatever happens
#ifndef CLSORT_MERGE_CORES_CL
#define CLSORT_MERGE_CORES_CL

#include "common/elements.cl"
#include "common/layout.h"
#include "common/order.cl"
#include "merge/co_rank.cl"

#define RUN 8

DEFINE_CO_RANK(co_rank, __global)

// -- merging --------------------------------------------------------------------------------------

// Merges that go on side by side: none waits for another's comparisons.
#define CHAINS 4

// Outputs that are still to be merged: of run a, the items from a to a_end, of run b likewise, and where they go.
typedef struct {
    index_t a, a_end, b, b_end, to;
} chain_t;

static inline void move_item(const elements_t from, const index_t i, const elements_t to,
                             const index_t o)
{
    to.keys[o] = from.keys[i];
    VALUES(to.values[o] = from.values[i];)
}

static inline void step(chain_t *chain, const elements_t a, const elements_t b, const elements_t to,
                        const order_t order)
{
    const bool is_b = precedes(b.keys[chain->b], a.keys[chain->a], order);
    to.keys[chain->to] = *(is_b ? b.keys + chain->b : a.keys + chain->a);
    VALUES(to.values[chain->to] = *(is_b ? b.values + chain->b : a.values + chain->a);)
    chain->a += !is_b;
    chain->b += is_b;
    chain->to++;
}

static inline index_t safe_steps(const chain_t chain)
{
    return min(chain.a_end - chain.a, chain.b_end - chain.b);
}

static inline void finish_chain(chain_t chain, const elements_t a, const elements_t b,
                                const elements_t to, const order_t order)
{
    while (safe_steps(chain) > 0)
        for (index_t steps = safe_steps(chain); steps > 0; steps--)
            step(&chain, a, b, to, order);
    copy_elements(elements_at(a, chain.a), elements_at(to, chain.to), chain.a_end - chain.a);
    chain.to += chain.a_end - chain.a;
    copy_elements(elements_at(b, chain.b), elements_at(to, chain.to), chain.b_end - chain.b);
}

// While no run can end, nothing but the order is asked, and no branch depends on it.
static inline void merge_chains(chain_t *chain, const elements_t a, const elements_t b,
                                const elements_t to, const order_t order)
{
    for (;;) {
        index_t steps = safe_steps(chain[0]);
#pragma unroll
        for (uint c = 1; c < CHAINS; c++)
            steps = min(steps, safe_steps(chain[c]));
        if (steps == 0)
            break;
        for (; steps > 0; steps--)
#pragma unroll
            for (uint c = 0; c < CHAINS; c++)
                step(&chain[c], a, b, to, order);
    }
    for (uint c = 0; c < CHAINS; c++)
        finish_chain(chain[c], a, b, to, order);
}

// -- tiles ----------------------------------------------------------------------------------------

#if VALUE_INDEX
#define INPUT_VALUE(items, i) value_of_index(i)
#else
#define INPUT_VALUE(items, i) (items).values[i]
#endif

// `at` is the place of the first item in the whole input.
static inline void sort_run(const elements_t from, const index_t at, const elements_t to,
                            const uint count, const order_t order)
{
    key_t key[RUN];
    VALUES(value_t value[RUN];)
    for (uint i = 0; i < count; i++) {
        key[i] = from.keys[at + i];
        VALUES(value[i] = INPUT_VALUE(from, at + i);)
    }
    for (uint round = 0; round < count; round++)
        for (uint i = round % 2; i + 1 < count; i += 2) {
            const key_t a = key[i], b = key[i + 1];
            const bool swap = precedes(b, a, order);
            key[i] = swap ? b : a;
            key[i + 1] = swap ? a : b;
#if VALUE_BYTES > 0
            const value_t value_a = value[i], value_b = value[i + 1];
            value[i] = swap ? value_b : value_a;
            value[i + 1] = swap ? value_a : value_b;
#endif
        }
    for (uint i = 0; i < count; i++) {
        to.keys[i] = key[i];
        VALUES(to.values[i] = value[i];)
    }
}

// Merges two pairs of runs, all of `width` items, each pair from both ends at once: so no run can end before
// all is done. Where the order is none, the ends may not meet, and the items are moved as they are.
static inline void merge_pairs(const elements_t from, const elements_t to, const index_t width,
                               const order_t order)
{
    index_t a[2] = {0, 2 * width}, b[2] = {width, 3 * width};
    index_t a_last[2] = {width - 1, 3 * width - 1}, b_last[2] = {2 * width - 1, 4 * width - 1};
    for (index_t i = 0; i < width; i++)
#pragma unroll
        for (uint p = 0; p < 2; p++) {
            const bool is_b = precedes(from.keys[b[p]], from.keys[a[p]], order);
            move_item(from, is_b ? b[p] : a[p], to, p * 2 * width + i);
            a[p] += !is_b;
            b[p] += is_b;
            const bool is_a = precedes(from.keys[b_last[p]], from.keys[a_last[p]], order);
            move_item(from, is_a ? a_last[p] : b_last[p], to, (p + 1) * 2 * width - 1 - i);
            a_last[p] -= is_a;
            b_last[p] -= !is_a;
        }
#if CHECKED
    for (uint p = 0; p < 2; p++)
        if (a[p] != a_last[p] + 1)
            copy_elements(elements_at(from, p * 2 * width), elements_at(to, p * 2 * width),
                          2 * width);
#endif
}

static inline uint rounds_of(const index_t count)
{
    uint rounds = 0;
    for (index_t width = RUN; width < count; width *= 2)
        rounds++;
    return rounds;
}

// Sorts the items from `at` on: from -> to by way of other. The input may be `to`.
static inline void sort_tile(const elements_t from, const index_t at, const elements_t to,
                             const elements_t other, const index_t count, const order_t order)
{
    const bool odd = rounds_of(count) % 2;
    elements_t source = odd ? other : to, target = odd ? to : other;
    index_t i = 0;
    for (; i + RUN <= count; i += RUN)
        sort_run(from, at + i, elements_at(source, i), RUN, order);
    sort_run(from, at + i, elements_at(source, i), (uint)(count - i), order);
    for (index_t width = RUN; width < count; width *= 2) {
        for (i = 0; i + 4 * width <= count; i += 4 * width)
            merge_pairs(elements_at(source, i), elements_at(target, i), width, order);
        for (; i < count; i += 2 * width) {
            const index_t middle = min(i + width, count);
            const chain_t chain = {i, middle, middle, min(middle + width, count), i};
            finish_chain(chain, source, source, target, order);
        }
        const elements_t swap = source;
        source = target;
        target = swap;
    }
}

__kernel WORK_ITEM_KERNEL void cores_tiles(BUFFER(control), INPUT(keys), BUFFER(keys_to),
                                           BUFFER(keys_other),
                                           VALUE_INPUT(values) VALUE_BUFFER(values_to)
                                               VALUE_BUFFER(values_other) const index_t n,
                                           const index_t tile, ORDER)
{
    const order_t order = ORDER_ARGUMENTS;
    const index_t at = (index_t)get_group_id(0) * tile;
    const elements_t in = INPUT_ELEMENTS(keys, values), to = ELEMENTS(keys_to, values_to),
                     other = ELEMENTS(keys_other, values_other);
    sort_tile(in, at, elements_at(to, at), elements_at(other, at), min(n - at, tile), order);
    if (at == 0)
        AT(cls_control_head, control)->is_sorted = 0;
}

// -- rounds ---------------------------------------------------------------------------------------

// Of the first `rank` outputs, those of run a, where they are a_before of the first `before`, and a_after of the first
// `after`. Whatever the order says, it fits between the two.
static inline index_t rank_between(const elements_t a, const elements_t b, const index_t before,
                                   const index_t a_before, const index_t rank, const index_t after,
                                   const index_t a_after, const order_t order)
{
    return co_rank(a.keys, b.keys, rank, max(a_before, sub_sat(a_after, after - rank)),
                   min(a_before + (rank - before), a_after), order);
}

// The outputs [rank, rank_end) of the merge of two runs.
static inline void merge_piece(const elements_t a, const index_t a_count, const elements_t b,
                               const index_t b_count, const elements_t to, const index_t rank,
                               const index_t rank_end, const index_t piece, const order_t order)
{
    const index_t count = a_count + b_count;
    index_t first = 0;
#if CHECKED
    // From piece to piece, as every other work-item does.
    for (index_t done = 0; done < rank; done += piece)
        first = rank_between(a, b, done, first, done + piece, count, a_count, order);
#else
    first = rank_between(a, b, 0, 0, rank, count, a_count, order);
#endif
    const index_t end = rank_between(a, b, rank, first, rank_end, count, a_count, order);
    chain_t chain[CHAINS];
    const index_t share = (rank_end - rank) / CHAINS;
    index_t at = rank;
    for (uint c = 0; c < CHAINS; c++) {
        const index_t next = c + 1 < CHAINS ? at + share : rank_end;
        const index_t last = rank_between(a, b, at, first, next, rank_end, end, order);
        chain[c].a = first;
        chain[c].a_end = last;
        chain[c].b = at - first;
        chain[c].b_end = next - last;
        chain[c].to = at;
        first = last;
        at = next;
    }
    merge_chains(chain, a, b, to, order);
}

// Pairs of runs of `width` items, neighbours in one array, or two inputs, of which the first has `width`. A piece
// is a part of one pair.
__kernel WORK_ITEM_KERNEL void cores_round(BUFFER(keys), BUFFER(second), BUFFER(keys_to),
                                           VALUE_BUFFER(values) VALUE_BUFFER(second_values)
                                               VALUE_BUFFER(values_to) const index_t n,
                                           const index_t width, const index_t piece,
                                           const uint two_inputs, ORDER)
{
    const order_t order = ORDER_ARGUMENTS;
    const index_t at = (index_t)get_group_id(0) * piece, end = at + min(piece, n - at);
    const index_t begin = two_inputs ? 0 : at / width / 2 * 2 * width;
    const index_t a_count = two_inputs ? width : min(width, n - begin);
    const index_t b_at = two_inputs ? 0 : begin + a_count;
    const index_t b_count = two_inputs ? n - width : min(width, n - b_at);
    const elements_t a = ELEMENTS(keys, values), b = ELEMENTS(second, second_values),
                     to = ELEMENTS(keys_to, values_to);
    merge_piece(elements_at(a, begin), a_count, elements_at(b, b_at), b_count,
                elements_at(to, begin), at - begin, end - begin, piece, order);
}

__kernel WORK_ITEM_KERNEL void cores_begin(BUFFER(control), VALUE_BUFFER(values) const index_t n)
{
#if VALUE_INDEX
    for (index_t i = get_global_id(0); i < n; i += get_global_size(0))
        AT(value_t, values)[i] = value_of_index(i);
#endif
    if (get_global_id(0) == 0)
        AT(cls_control_head, control)->is_sorted = 0;
}

#endif
