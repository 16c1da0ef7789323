// rank_sort.cl - one work-item sorts few elements by their ranks
//
// The rank of an element is the number of elements before it in the order. It is counted for 16 elements
// at a time, by one comparison with each of the others, so that there are no branches that depend on the
// keys. Equal keys keep their order. Knuth, "The Art of Computer Programming", vol. 3, 2nd ed., 1998,
// section 5.2, algorithm C.
//
// Cost: n^2 / 16 comparisons of vectors for n elements. Measured (PoCL 3.1, one core of an EPYC with
// AVX-512, u32 keys and values): 4 to 10 ns per element for 8 to 128 elements.
#ifndef CLSORT_SEGMENTS_RANK_SORT_CL
#define CLSORT_SEGMENTS_RANK_SORT_CL

#include "common/elements.cl"
#include "common/keys.cl"
#include "common/vector_counts.cl"
#include "common/vector_network.cl"

#define MAX_RANKED 128 // elements; ranks then fit in keys of 8 bits

// Returns the ranks of the numbers [first, first + 16) among all `count` numbers.
static inline key_vector_t ranks_of(const key_t *numbers, const uint count, const uint first)
{
    const key_vector_t lanes = (key_vector_t)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const key_vector_t own = vload16(0, numbers + first);
    const uint last = min(count, first + VECTOR_LANES);
    key_vector_t ranks = 0;
    for (uint i = 0; i < first; i++) {
        ranks += AS_MASK((key_vector_t)numbers[i] <= own);
    }
    for (uint i = first; i < last; i++) {
        const key_vector_t number = numbers[i];
        ranks += AS_MASK((number < own) | ((number == own) & (lanes > (key_t)(i - first))));
    }
    for (uint i = last; i < count; i++) {
        ranks += AS_MASK((key_vector_t)numbers[i] < own);
    }
    return (key_vector_t)0 - ranks;
}

// Sorts at most MAX_RANKED elements. If values are indexes, that of the first element is `index`.
// `from` may equal `to`.
static inline void rank_sort(const elements_t from, const elements_t to, const uint count,
                             const index_t index, const key_t flip, const key_t window)
{
    key_t keys[MAX_RANKED] ALIGNED, numbers[MAX_RANKED] ALIGNED, ranks[MAX_RANKED] ALIGNED;
    VALUES(value_t values[MAX_RANKED];)
    for (uint i = 0; i < count; i++) {
        keys[i] = from.keys[i];
#if VALUE_INDEX
        values[i] = value_of_index(index + i);
#else
        VALUES(values[i] = from.values[i];)
#endif
    }
    for (uint i = 0; i < count; i += VECTOR_LANES) {
        vstore16(ordered_vector(vload16(0, keys + i), flip) & window, 0, numbers + i);
    }
    for (uint i = 0; i < count; i += VECTOR_LANES) {
        vstore16(ranks_of(numbers, count, i), 0, ranks + i);
    }
    for (uint i = 0; i < count; i++) {
        to.keys[ranks[i]] = keys[i];
        VALUES(to.values[ranks[i]] = values[i];)
    }
}

#endif
