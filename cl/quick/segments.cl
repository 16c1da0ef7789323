// segments.cl - the segments of the array and the chunks of a segment
#ifndef CLSORT_QUICK_SEGMENTS_CL
#define CLSORT_QUICK_SEGMENTS_CL

#include "quick/partition.cl"

// A range of the array.
typedef struct {
    index_t begin, end;
} extent_t;

// Returns the start of part i of 2^bits parts of `count` elements. Two neighbouring parts of
// 2^(bits + 1) are a part of 2^bits.
static inline index_t part_begin(const index_t count, const uint bits, const index_t i)
{
    const index_t rest = count & (((index_t)1 << bits) - 1);
    return (count >> bits) * i + (rest * i >> bits);
}

static inline extent_t part_of(const index_t count, const uint bits, const index_t i)
{
    extent_t part;
    part.begin = part_begin(count, bits, i);
    part.end = part_begin(count, bits, i + 1);
    return part;
}

// Returns chunk i of the 2^bits chunks of a segment. The pivot, which is in front of the segment, is
// in no chunk.
static inline extent_t chunk_of(const extent_t segment, const uint bits, const index_t i)
{
    extent_t chunk = part_of(segment.end - segment.begin - 1, bits, i);
    chunk.begin += segment.begin + 1;
    chunk.end += segment.begin + 1;
    return chunk;
}

// Returns the end of the left part of a partitioned chunk.
static inline index_t left_end(const elements_t elements, const extent_t chunk,
                               const pivot_t *pivot, const order_t order)
{
    index_t low = chunk.begin, high = chunk.end;
    while (low < high) {
        const index_t middle = low + (high - low) / 2;
        if (goes_left(elements.keys[middle], pivot, order)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// Exchanges the right parts of the first chunks with the left parts of the last chunks, until the
// segment is partitioned. Returns the end of its left part.
static inline index_t join_chunks(const elements_t elements, const extent_t segment,
                                  const uint bits, const pivot_t *pivot, const order_t order)
{
    index_t i = 0, j = ((index_t)1 << bits) - 1;
    extent_t left = chunk_of(segment, bits, i), right = chunk_of(segment, bits, j);
    left.begin = left_end(elements, left, pivot, order);
    right.end = left_end(elements, right, pivot, order);
    for (;;) {
        const index_t count = min(left.end - left.begin, right.end - right.begin);
        for (index_t k = 0; k < count; k++) {
            swap_elements(elements, left.begin + k, right.end - 1 - k);
        }
        left.begin += count;
        right.end -= count;
        const bool is_left_done = left.begin == left.end;
        if (i + 1 == j) {
            return is_left_done ? right.end : left.begin;
        }
        if (is_left_done) {
            left = chunk_of(segment, bits, ++i);
            left.begin = left_end(elements, left, pivot, order);
        } else {
            right = chunk_of(segment, bits, --j);
            right.end = left_end(elements, right, pivot, order);
        }
    }
}

#endif
