// input.cl - the runs that a round merges: arrays of keys or, with KEY_ORDER 4, elements that are compared by their
// columns
//
// Options, besides those of types.cl and keys.cl: COLUMN_BUFFERS (columns/words.cl), with KEY_ORDER 4.
#ifndef CLSORT_MERGE_INPUT_CL
#define CLSORT_MERGE_INPUT_CL

#include "columns/layout.h"
#include "merge/co_rank.cl"
#include "merge/pair.cl"

// Kernels have MERGE_INPUT among their parameters, and declare the runs by LOAD_MERGE_INPUT. `width` is that of
// MERGE_ROUND.
#if KEY_ORDER == 4
#include "columns/words.cl"
// Element i of the second input is element second_first + i of `second`. Columns with a buffer each have both inputs
// in the same buffers, one behind the other.
typedef struct {
    const elements_t *first, *second;
    index_t second_first;
} merge_input_t;
#define MERGE_INPUT ELEMENT_ARGUMENTS, INPUT(second_records)
#if COLUMN_BUFFERS
#define LOAD_MERGE_INPUT(in, width)                                                                \
    elements_t in##_first;                                                                         \
    LOAD_ELEMENTS(&in##_first);                                                                    \
    const merge_input_t in = {&in##_first, &in##_first, width}
#else
#define LOAD_MERGE_INPUT(in, width)                                                                \
    elements_t in##_first, in##_second;                                                            \
    LOAD_ELEMENTS(&in##_first);                                                                    \
    LOAD_ELEMENTS(&in##_second);                                                                   \
    in##_second.buffer[0] = AT(const uchar, second_records);                                       \
    const merge_input_t in = {&in##_first, &in##_second, 0}
#endif
#else
typedef struct {
    __global const key_t *first, *second;
} merge_input_t;
#define MERGE_INPUT INPUT(keys), INPUT(second_keys)
#define LOAD_MERGE_INPUT(in, width)                                                                \
    const merge_input_t in = {AT(const key_t, keys), AT(const key_t, second_keys)}
#endif

#if KEY_ORDER == 4
// Returns whether element b of the second input precedes element a of the first one in the words from w on.
static inline bool second_precedes(const merge_input_t in, const uint w, const index_t b,
                                   const index_t a, const order_t order)
{
    return precedes_other(in.second, in.first, w, order.words, in.second_first + b, a);
}
#endif

// Returns the co-rank of an output of the pair.
static inline index_t co_rank_of(const merge_input_t in, const merge_pair_t pair,
                                 const index_t output, const order_t order)
{
    const index_t rank = output - pair.first;
    index_t low = MIN_FROM_A(rank, pair.b_count), high = MAX_FROM_A(rank, pair.a_count);
#if KEY_ORDER == 4
    CO_RANK_SEARCH(low, high, second_precedes(in, 0, rank - 1 - middle, middle, order))
    return low;
#else
    return co_rank_far(in.first + pair.first, in.second + pair.b_first, rank, low, high, order);
#endif
}

#endif
