// piece.cl - one work-item merges a piece of the output of two sorted runs
//
// A piece is divided into blocks. As long as many outputs in a row come from one run, a block finds
// their end by exponential search and copies them; otherwise, if one run is much longer, it skips
// elements of that run several at a time; otherwise it compares every key.
#ifndef CLSORT_MERGE_PIECE_CL
#define CLSORT_MERGE_PIECE_CL

#include "merge/co_rank.cl"
#include "merge/runs.cl"

#define STRETCHES 8    // pairs of stretches that are copied before their lengths are judged
#define MIN_COPIED 256 // outputs of these pairs for which the searches pay off
#define MIN_SKEW 6     // ratio of the lengths of two runs for which skipping pays off
#if KEY_ORDER == 3 || VALUE_BYTES > 16
#define SKIPPED 1 // elements of the longer run that are compared at once
#else
#define SKIPPED 8
#endif

DEFINE_CO_RANK(co_rank, __global)

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

#endif
