// neighbours.cl - the input of kernels that compare each element with the one before it
//
// The input is an array of keys or, with KEY_ORDER 4, elements that are compared by their columns.
//
// Options, besides those of types.cl and keys.cl: COLUMN_BUFFERS (columns/words.cl), with KEY_ORDER 4.
#ifndef CLSORT_COMMON_NEIGHBOURS_CL
#define CLSORT_COMMON_NEIGHBOURS_CL

#include "columns/layout.h"
#include "common/order.cl"
#include "common/work_group.cl"

// Kernels have ELEMENTS_IN among their parameters, and declare the input by LOAD_ELEMENTS_IN.
#if KEY_ORDER == 4
#include "columns/words.cl"
typedef const elements_t *input_t;
#define ELEMENTS_IN ELEMENT_ARGUMENTS
#define LOAD_ELEMENTS_IN(in)                                                                       \
    elements_t in##_elements;                                                                      \
    LOAD_ELEMENTS(&in##_elements);                                                                 \
    const input_t in = &in##_elements
#else
typedef __global const key_t *input_t;
#define ELEMENTS_IN INPUT(keys)
#define LOAD_ELEMENTS_IN(in) const input_t in = AT(const key_t, keys)
#endif

// Returns whether element i, which is not the first one, precedes the one before it.
static inline bool precedes_neighbour(const input_t in, const index_t i, const order_t order)
{
#if KEY_ORDER == 4
    return precedes_from(in, 0, order.words, i, i - 1);
#else
    return precedes(in[i], in[i - 1], order);
#endif
}

// Returns whether elements i and j are not equal.
static inline bool elements_differ(const input_t in, const index_t i, const index_t j,
                                   const order_t order)
{
#if KEY_ORDER == 4
    return differ(in, order.words, i, j);
#elif KEY_ORDER == 3
    return precedes(in[i], in[j], order) || precedes(in[j], in[i], order);
#else
    return ((ordered(in[i], order.flip) ^ ordered(in[j], order.flip)) & order.window) != 0;
#endif
}

#endif
