// chunk.cl - chunks of consecutive elements, and the copy and the reversal of input in order
#ifndef CLSORT_CPU_RADIX_CHUNK_CL
#define CLSORT_CPU_RADIX_CHUNK_CL

#include "common/elements.cl"
#include "common/reverse_keys.cl"
#include "cpu_radix/part.cl"

// The elements [first, last).
typedef struct {
    index_t first, last;
} cpu_radix_chunk_t;

static inline cpu_radix_chunk_t chunk_at(const uint number, const index_t chunk, const index_t n)
{
    cpu_radix_chunk_t range;
    range.first = min(n, number * chunk);
    range.last = range.first + min(n - range.first, chunk);
    return range;
}

// Copies a chunk of input that is already in order, unless the sort is in place. Values that are
// indexes exist nowhere yet, and are written in any case.
static inline void copy_sorted_input(const elements_t from, const elements_t to,
                                     const cpu_radix_chunk_t chunk)
{
    const bool in_place = from.keys == to.keys;
#if VALUE_INDEX
    for (index_t i = chunk.first; i < chunk.last; i++) {
        to.values[i] = value_of_index(i);
    }
    if (in_place) {
        return;
    }
    for (index_t i = chunk.first; i < chunk.last; i++) {
        to.keys[i] = from.keys[i];
    }
#else
    if (!in_place) {
        stream_elements(elements_at(from, chunk.first), elements_at(to, chunk.first),
                        chunk.last - chunk.first);
    }
#endif
}

// Reverses the order of n elements: moves those of a chunk of the lower half, which includes the
// middle element, and their mirror images.
static inline void reverse_input(const elements_t from, const elements_t to,
                                 const cpu_radix_chunk_t chunk, const index_t n)
{
    reverse_keys(from.keys, to.keys, chunk.first, chunk.last, n);
#if VALUE_BYTES > 0
    for (index_t i = chunk.first; i < chunk.last; i++) {
        const index_t mirror = n - 1 - i;
        const value_t low = INPUT_VALUE(from.values, i), high = INPUT_VALUE(from.values, mirror);
        to.values[i] = high;
        to.values[mirror] = low;
    }
#endif
}

#endif
