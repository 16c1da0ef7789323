// chunk.cl - chunks of consecutive elements, and the copy and the reversal of input in order
#ifndef CLSORT_CPU_RADIX_CHUNK_CL
#define CLSORT_CPU_RADIX_CHUNK_CL

#include "common/elements.cl"
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

#define REVERSED(vector) ((vector).sfedcba9876543210)

// Each key of the chunk changes places with its mirror image, which is as far from the end of the
// array as the key is from the start. Both are loaded before either is stored, so that the output
// may be the input. In the middle the last vector may share one key with its mirror image.
static inline void reverse_keys(__global const key_t *from, __global key_t *to,
                                const cpu_radix_chunk_t chunk, const index_t n)
{
    index_t i = chunk.first;
    for (; i + 16 <= chunk.last; i += 16) {
        const index_t mirror = n - i - 16;
        const key_vector_t low = vload16(0, from + i), high = vload16(0, from + mirror);
        vstore16(REVERSED(high), 0, to + i);
        vstore16(REVERSED(low), 0, to + mirror);
    }
    for (; i < chunk.last; i++) {
        const key_t low = from[i], high = from[n - 1 - i];
        to[i] = high;
        to[n - 1 - i] = low;
    }
}

// Reverses the order of n elements: moves those of a chunk of the lower half, which includes the
// middle element, and their mirror images.
static inline void reverse_input(const elements_t from, const elements_t to,
                                 const cpu_radix_chunk_t chunk, const index_t n)
{
    reverse_keys(from.keys, to.keys, chunk, n);
#if VALUE_BYTES > 0
    for (index_t i = chunk.first; i < chunk.last; i++) {
        const index_t mirror = n - 1 - i;
#if VALUE_INDEX
        const value_t low = value_of_index(i), high = value_of_index(mirror);
#else
        const value_t low = from.values[i], high = from.values[mirror];
#endif
        to.values[i] = high;
        to.values[mirror] = low;
    }
#endif
}

#endif
