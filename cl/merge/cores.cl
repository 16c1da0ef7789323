// cores.cl - stable merge sort for CPU cores, and the merge of two sorted inputs
//
// A work-item sorts a tile that fits in its core's cache; then rounds merge pairs of sorted runs
// until one run is left. The output of a round is divided by co-ranks into pieces of equal size,
// one per work-item.
//
// Hwu, Kirk and El Hajj, "Programming massively parallel processors", 4th ed., chapter 12; Siebert
// and Traeff 2014 (merge/co_rank.cl); Habermann, "Parallel neighbor-sort", 1972.
//
// Kernels, in launch order, all with one work-item per group:
//   merge_cores_init    only for two inputs, which need no tiles, in place of merge_cores_tiles:
//                       initializes the control block and writes values that are indexes. Launched
//                       only if values are indexes
//   merge_cores_tiles   sorts runs of RUN keys by odd-even transposition in registers, then merges
//                       them back and forth between the output and scratch until the tile is one
//                       run
//   merge_cores_round   once per round: merges a piece of the output in blocks. As long as many
//                       outputs in a row come from one run, it finds their end by exponential
//                       search and copies them; otherwise, if one run is much longer, it skips
//                       elements of that run several at a time; otherwise it compares every key
//
// Cost: the tiles and each of the log2(n / tile) rounds read and write each element once: 8 bytes
// per u32 key and pass. The speed is limited not by memory but by comparisons, one per key each
// time that the length of a run doubles: the next keys to compare depend on the result, which takes
// about 10 cycles. Merges are therefore interleaved.
//
// Measured (PoCL 3.1, 2 cores of an AMD EPYC, 2^22 u32 keys): 38 Mkeys/s, 0.07 of that model (8
// passes, 64 bytes per key) at the 35 GB/s that two threads copy; a comparison takes a core 2.4 ns.
//
// With the option CHECKED (layout.h explains the options), each work-item searches for the starts
// of all preceding pieces in order. A piece then starts where the preceding one ends, so that the
// output is a permutation of the input.
#ifndef CLSORT_MERGE_CORES_CL
#define CLSORT_MERGE_CORES_CL

#include "common/elements.cl"
#include "common/order.cl"
#include "merge/arrays.cl"
#include "merge/co_rank.cl"
#include "merge/layout.h"
#include "merge/pair.cl"

#define RUN 8
#define CHAINS 4       // merges that are interleaved
#define STRETCHES 8    // pairs of stretches that are copied before their lengths are judged
#define MIN_COPIED 256 // outputs of these pairs for which the searches pay off
#define MIN_SKEW 6     // ratio of the lengths of two runs for which skipping pays off
#if KEY_ORDER == 3 || VALUE_BYTES > 16
#define SKIPPED 1 // elements of the longer run that are compared at once
#else
#define SKIPPED 8
#endif

DEFINE_CO_RANK(co_rank, __global)

// -- merging --------------------------------------------------------------------------------------

// A merge of the elements [a, a_end) of one run and [b, b_end) of another, whose next output goes
// to index `to`.
typedef struct {
    index_t a, a_end, b, b_end, to;
} chain_t;

static inline void copy_element(const elements_t from, const index_t i, const elements_t to,
                                const index_t j)
{
    to.keys[j] = from.keys[i];
    VALUES(to.values[j] = from.values[i];)
}

// Writes the next output of the merge. Both runs must have elements left.
static inline void merge_next(chain_t *chain, const elements_t a, const elements_t b,
                              const elements_t to, const order_t order)
{
    const bool is_b = precedes(b.keys[chain->b], a.keys[chain->a], order);
    to.keys[chain->to] = *(is_b ? b.keys + chain->b : a.keys + chain->a);
    VALUES(to.values[chain->to] = *(is_b ? b.values + chain->b : a.values + chain->a);)
    chain->a += !is_b;
    chain->b += is_b;
    chain->to++;
}

// Returns a number of outputs during which no run can end.
static inline index_t min_left(const chain_t chain)
{
    return min(chain.a_end - chain.a, chain.b_end - chain.b);
}

static inline void finish_chain(chain_t chain, const elements_t a, const elements_t b,
                                const elements_t to, const order_t order)
{
    while (min_left(chain) > 0) {
        for (index_t left = min_left(chain); left > 0; left--) {
            merge_next(&chain, a, b, to, order);
        }
    }
    copy_elements(elements_at(a, chain.a), elements_at(to, chain.to), chain.a_end - chain.a);
    chain.to += chain.a_end - chain.a;
    copy_elements(elements_at(b, chain.b), elements_at(to, chain.to), chain.b_end - chain.b);
}

// Interleaves the merges. The inner loops have no branch that depends on the keys.
static inline void merge_chains(chain_t *chain, const elements_t a, const elements_t b,
                                const elements_t to, const order_t order)
{
    for (;;) {
        index_t left = min_left(chain[0]);
#pragma unroll
        for (uint c = 1; c < CHAINS; c++) {
            left = min(left, min_left(chain[c]));
        }
        if (left == 0) {
            break;
        }
        for (; left > 0; left--) {
#pragma unroll
            for (uint c = 0; c < CHAINS; c++) {
                merge_next(&chain[c], a, b, to, order);
            }
        }
    }
    for (uint c = 0; c < CHAINS; c++) {
        finish_chain(chain[c], a, b, to, order);
    }
}

// -- tiles ----------------------------------------------------------------------------------------

#if VALUE_INDEX
#define INPUT_VALUE(elements, i) value_of_index(i)
#else
#define INPUT_VALUE(elements, i) (elements).values[i]
#endif

// Sorts at most RUN elements, from index `first` of the input on, by odd-even transposition.
static inline void sort_run(const elements_t from, const index_t first, const elements_t to,
                            const uint count, const order_t order)
{
    key_t key[RUN];
    VALUES(value_t value[RUN];)
    for (uint i = 0; i < count; i++) {
        key[i] = from.keys[first + i];
        VALUES(value[i] = INPUT_VALUE(from, first + i);)
    }
    for (uint round = 0; round < count; round++) {
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
    }
    for (uint i = 0; i < count; i++) {
        to.keys[i] = key[i];
        VALUES(to.values[i] = value[i];)
    }
}

// Merges two pairs of runs of `width` elements each, both from both ends at once, which interleaves
// four merges. No run can end before half of its pair's outputs are written, so no bounds are
// checked. If the runs are out of order, the two ends of a pair may not meet; its elements are then
// copied unmerged.
static inline void merge_two_pairs(const elements_t from, const elements_t to, const index_t width,
                                   const order_t order)
{
    index_t a[2] = {0, 2 * width}, b[2] = {width, 3 * width};
    index_t a_last[2] = {width - 1, 3 * width - 1}, b_last[2] = {2 * width - 1, 4 * width - 1};
    for (index_t i = 0; i < width; i++) {
#pragma unroll
        for (uint p = 0; p < 2; p++) {
            const bool is_b = precedes(from.keys[b[p]], from.keys[a[p]], order);
            copy_element(from, is_b ? b[p] : a[p], to, p * 2 * width + i);
            a[p] += !is_b;
            b[p] += is_b;
            const bool is_a = precedes(from.keys[b_last[p]], from.keys[a_last[p]], order);
            copy_element(from, is_a ? a_last[p] : b_last[p], to, (p + 1) * 2 * width - 1 - i);
            a_last[p] -= is_a;
            b_last[p] -= !is_a;
        }
    }
#if CHECKED
    for (uint p = 0; p < 2; p++) {
        if (a[p] != a_last[p] + 1) {
            copy_elements(elements_at(from, p * 2 * width), elements_at(to, p * 2 * width),
                          2 * width);
        }
    }
#endif
}

// Merges all pairs of neighbouring runs of `width` elements.
static inline void merge_tile_runs(const elements_t from, const elements_t to, const index_t width,
                                   const index_t count, const order_t order)
{
    index_t i = 0;
    for (; i + 4 * width <= count; i += 4 * width) {
        merge_two_pairs(elements_at(from, i), elements_at(to, i), width, order);
    }
    for (; i < count; i += 2 * width) {
        const index_t middle = min(i + width, count);
        const chain_t chain = {i, middle, middle, min(middle + width, count), i};
        finish_chain(chain, from, from, to, order);
    }
}

static inline uint rounds_of(const index_t count)
{
    uint rounds = 0;
    for (index_t width = RUN; width < count; width *= 2) {
        rounds++;
    }
    return rounds;
}

// Sorts `count` elements, from index `first` of the input on, to `to`. The rounds alternate between
// `to` and `scratch`. In place, the input and `to` are the same array.
static inline void sort_tile(const elements_t from, const index_t first, const elements_t to,
                             const elements_t scratch, const index_t count, const order_t order)
{
    const bool odd = rounds_of(count) % 2;
    elements_t source = odd ? scratch : to, target = odd ? to : scratch;
    index_t i = 0;
    for (; i + RUN <= count; i += RUN) {
        sort_run(from, first + i, elements_at(source, i), RUN, order);
    }
    sort_run(from, first + i, elements_at(source, i), (uint)(count - i), order);
    for (index_t width = RUN; width < count; width *= 2) {
        merge_tile_runs(source, target, width, count, order);
        const elements_t swap = source;
        source = target;
        target = swap;
    }
}

__kernel WORK_ITEM_KERNEL void merge_cores_tiles(BUFFER(control), INPUT(keys), BUFFER(keys_to),
                                                 BUFFER(scratch_keys),
                                                 VALUE_INPUT(values) VALUE_BUFFER(values_to)
                                                     VALUE_BUFFER(scratch_values) const index_t n,
                                                 const index_t tile, ORDER)
{
    const order_t order = ORDER_ARGUMENTS;
    const index_t first = (index_t)get_group_id(0) * tile;
    const elements_t in = INPUT_ELEMENTS(keys, values), to = ELEMENTS(keys_to, values_to),
                     scratch = ELEMENTS(scratch_keys, scratch_values);
    sort_tile(in, first, elements_at(to, first), elements_at(scratch, first), min(n - first, tile),
              order);
    if (first == 0) {
        AT(cls_merge_control, control)->head.is_sorted = 0;
    }
}

__kernel WORK_ITEM_KERNEL void merge_cores_init(BUFFER(control),
                                                VALUE_BUFFER(values) const index_t n)
{
#if VALUE_INDEX
    for (index_t i = get_global_id(0); i < n; i += get_global_size(0)) {
        AT(value_t, values)[i] = value_of_index(i);
    }
#endif
    if (get_global_id(0) == 0) {
        AT(cls_merge_control, control)->head.is_sorted = 0;
    }
}

// -- rounds ---------------------------------------------------------------------------------------

// A position in the output of a merge: of the first `rank` outputs, `from_a` come from run a.
typedef struct {
    index_t rank, from_a;
} cut_t;

// Returns the co-rank of `rank`. It is consistent with the cuts before and after even if the runs
// are out of order.
static inline index_t co_rank_between(const elements_t a, const elements_t b, const cut_t before,
                                      const index_t rank, const cut_t after, const order_t order)
{
    return co_rank(a.keys, b.keys, rank,
                   max(before.from_a, sub_sat(after.from_a, after.rank - rank)),
                   min(before.from_a + (rank - before.rank), after.from_a), order);
}

// Merges the outputs between two cuts, as CHAINS merges of equal size.
static inline void merge_evenly(const elements_t a, const elements_t b, const elements_t to,
                                const cut_t begin, const cut_t end, const order_t order)
{
    chain_t chain[CHAINS];
    const index_t share = (end.rank - begin.rank) / CHAINS;
    cut_t cut = begin;
    for (uint c = 0; c < CHAINS; c++) {
        cut_t next;
        next.rank = c + 1 < CHAINS ? cut.rank + share : end.rank;
        next.from_a = co_rank_between(a, b, cut, next.rank, end, order);
        chain[c].a = cut.from_a;
        chain[c].a_end = next.from_a;
        chain[c].b = cut.rank - cut.from_a;
        chain[c].b_end = next.rank - next.from_a;
        chain[c].to = cut.rank;
        cut = next;
    }
    merge_chains(chain, a, b, to, order);
}

// Returns how many of the first `count` keys of a run are output before `key` of the other run, by
// exponential search (Bentley and Yao 1976): the time is logarithmic in the result. If `ties` is
// true, keys that are equal to `key` are output before it.
static inline index_t run_length(__global const key_t *keys, const index_t count, const key_t key,
                                 const bool ties, const order_t order)
{
    index_t low = 0, high = 1;
    while (high < count &&
           (ties ? !precedes(key, keys[high - 1], order) : precedes(keys[high - 1], key, order))) {
        low = high;
        high *= 2;
    }
    high = min(high, count);
    while (low < high) {
        const index_t middle = low + (high - low) / 2;
        if (ties ? !precedes(key, keys[middle], order) : precedes(keys[middle], key, order)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// Copies the outputs that come from one run, and then those that come from the other, up to `end`.
// Returns the cut after them.
static inline cut_t copy_stretches(const elements_t a, const elements_t b, const elements_t to,
                                   cut_t cut, const cut_t end, const order_t order)
{
    const index_t first_b = cut.rank - cut.from_a, end_b = end.rank - end.from_a;
    const index_t a_left = end.from_a - cut.from_a, b_left = end_b - first_b;
    const index_t from_a =
        b_left == 0 ? a_left
                    : run_length(a.keys + cut.from_a, a_left, b.keys[first_b], true, order);
    copy_elements(elements_at(a, cut.from_a), elements_at(to, cut.rank), from_a);
    cut.from_a += from_a;
    cut.rank += from_a;
    const index_t from_b =
        from_a == a_left ? b_left
                         : run_length(b.keys + first_b, b_left, a.keys[cut.from_a], false, order);
    copy_elements(elements_at(b, first_b), elements_at(to, cut.rank), from_b);
    cut.rank += from_b;
    return cut;
}

// Returns whether a key of the longer run is output before one of the other. If `ties` is true, it is
// also if they are equal.
static inline bool is_skipped(const key_t many, const key_t few, const bool ties,
                              const order_t order)
{
    return ties ? !precedes(few, many, order) : precedes(many, few, order);
}

// Merges `many_count` elements of a run with `few_count` of a shorter one. For each of the latter it
// skips those of the former that are output before it: SKIPPED at a time, and then by a binary search
// without branches.
//
// It copies more than it skips. What it copies in excess is overwritten, and is within this part of the
// output, since at least as many outputs are left as elements of the longer run.
static inline void merge_skewed(elements_t many, index_t many_count, const elements_t few,
                                const index_t few_count, elements_t to, const bool ties,
                                const order_t order)
{
    for (index_t f = 0; f < few_count; f++) {
        const key_t key = few.keys[f];
        while (many_count >= SKIPPED && is_skipped(many.keys[SKIPPED - 1], key, ties, order)) {
            copy_elements(many, to, SKIPPED);
            many = elements_at(many, SKIPPED);
            to = elements_at(to, SKIPPED);
            many_count -= SKIPPED;
        }
        uint skipped = 0;
        if (many_count >= SKIPPED) {
#pragma unroll
            for (uint step = SKIPPED / 2; step > 0; step /= 2) {
                skipped += is_skipped(many.keys[skipped + step - 1], key, ties, order) ? step : 0;
            }
            copy_elements(many, to, SKIPPED);
        } else {
            while (skipped < many_count && is_skipped(many.keys[skipped], key, ties, order)) {
                copy_element(many, skipped, to, skipped);
                skipped++;
            }
        }
        many = elements_at(many, skipped);
        many_count -= skipped;
        copy_element(few, f, to, skipped);
        to = elements_at(to, skipped + 1);
    }
    copy_elements(many, to, many_count);
}

// Merges the outputs between two cuts in the way that suits the lengths of the runs.
static inline void merge_rest(const elements_t a, const elements_t b, const elements_t to,
                              const cut_t cut, const cut_t end, const order_t order)
{
    const index_t first_b = cut.rank - cut.from_a;
    const index_t a_count = end.from_a - cut.from_a, b_count = end.rank - end.from_a - first_b;
    const elements_t from_a = elements_at(a, cut.from_a), from_b = elements_at(b, first_b),
                     out = elements_at(to, cut.rank);
    if (a_count / MIN_SKEW >= b_count) {
        merge_skewed(from_a, a_count, from_b, b_count, out, true, order);
    } else if (b_count / MIN_SKEW >= a_count) {
        merge_skewed(from_b, b_count, from_a, a_count, out, false, order);
    } else {
        merge_evenly(a, b, to, cut, end, order);
    }
}

// Merges the outputs between two cuts. Copies stretches that come from one run as long as these are
// long on average, and merges the rest.
static inline void merge_block(const elements_t a, const elements_t b, const elements_t to,
                               cut_t cut, const cut_t end, const order_t order)
{
    index_t copied = MIN_COPIED;
    while (cut.rank < end.rank && copied >= MIN_COPIED) {
        const index_t before = cut.rank;
        for (uint i = 0; i < STRETCHES; i++) {
            cut = copy_stretches(a, b, to, cut, end, order);
        }
        copied = cut.rank - before;
    }
    if (cut.rank < end.rank) {
        merge_rest(a, b, to, cut, end, order);
    }
}

// Returns the cut at `rank`, a block of outputs after `before`. If all of these come from one
// run, it needs no search.
static inline cut_t next_cut(const elements_t a, const elements_t b, const cut_t before,
                             const index_t rank, const cut_t end, const order_t order)
{
    const index_t count = rank - before.rank, first_b = before.rank - before.from_a;
    const index_t a_left = end.from_a - before.from_a;
    const index_t b_left = end.rank - end.from_a - first_b;
    cut_t cut;
    cut.rank = rank;
    if (b_left == 0 ||
        (a_left >= count && !precedes(b.keys[first_b], a.keys[before.from_a + count - 1], order))) {
        cut.from_a = before.from_a + count;
    } else if (a_left == 0 || (b_left >= count && precedes(b.keys[first_b + count - 1],
                                                           a.keys[before.from_a], order))) {
        cut.from_a = before.from_a;
    } else {
        cut.from_a = co_rank_between(a, b, before, rank, end, order);
    }
    return cut;
}

// Merges the outputs between two cuts, in blocks of `block` outputs.
static inline void merge_piece(const elements_t a, const elements_t b, const elements_t to,
                               const cut_t begin, const cut_t end, const index_t block,
                               const order_t order)
{
    cut_t cut = begin;
    while (cut.rank < end.rank) {
        const index_t rank = cut.rank + min(block, end.rank - cut.rank);
        const cut_t next = next_cut(a, b, cut, rank, end, order);
        merge_block(a, b, to, cut, next, order);
        cut = next;
    }
}

// Merges a piece of the output. Each pair of runs consists of whole pieces, except at the end.
__kernel WORK_ITEM_KERNEL void merge_cores_round(MERGE_KEY_ARRAYS, MERGE_VALUE_ARRAYS MERGE_ROUND,
                                                 const index_t piece, const index_t block, ORDER)
{
    const order_t order = ORDER_ARGUMENTS;
    const index_t output = (index_t)get_group_id(0) * piece;
    const index_t count = min(piece, n - output);
    const merge_pair_t pair = pair_of(output, n, width, two_inputs);
    const elements_t first = ELEMENTS(keys, values), second = ELEMENTS(second_keys, second_values),
                     out = ELEMENTS(keys_to, values_to);
    const elements_t a = elements_at(first, pair.first), b = elements_at(second, pair.b_first),
                     to = elements_at(out, pair.first);
    const index_t rank = output - pair.first;
    const cut_t none = {0, 0}, all = {pair.a_count + pair.b_count, pair.a_count};
    cut_t begin = none, end;
#if CHECKED
    while (begin.rank < rank) {
        const index_t next = begin.rank + piece;
        begin.from_a = co_rank_between(a, b, begin, next, all, order);
        begin.rank = next;
    }
#else
    begin.from_a = co_rank_between(a, b, none, rank, all, order);
    begin.rank = rank;
#endif
    end.rank = rank + count;
    end.from_a = co_rank_between(a, b, begin, end.rank, all, order);
    merge_piece(a, b, to, begin, end, block, order);
}

#endif
