// runs.cl - one work-item merges sorted runs, and sorts a tile by merging runs of RUN elements
//
// Runs of RUN elements are sorted by odd-even transposition (Habermann, "Parallel neighbor-sort",
// 1972) in registers, and then merged back and forth between two arrays until the tile is one run.
// The next elements to compare depend on the result of a comparison, so several merges are
// interleaved.
//
// The option CHECKED is that of layout.h.
#ifndef CLSORT_MERGE_RUNS_CL
#define CLSORT_MERGE_RUNS_CL

#include "common/elements.cl"
#include "common/order.cl"

#define RUN 8
#define CHAINS 4 // merges that are interleaved

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

// Sorts at most RUN elements, from index `first` of the input on, by odd-even transposition.
static inline void sort_run(const elements_t from, const index_t first, const elements_t to,
                            const uint count, const order_t order)
{
    key_t key[RUN];
    VALUES(value_t value[RUN];)
    for (uint i = 0; i < count; i++) {
        key[i] = from.keys[first + i];
        VALUES(value[i] = INPUT_VALUE(from.values, first + i);)
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

#endif
