// quick.cl - unstable sort in place, without scratch memory, for CPU cores
#ifndef CLSORT_QUICK_QUICK_CL
#define CLSORT_QUICK_QUICK_CL

#include "common/layout.h"
#include "quick/select.cl"
#include "quick/sort.cl"

#define QUICK_ARRAYS BUFFER(keys), VALUE_BUFFER(values) const index_t n

// Returns the start of segment s of the 2^bits segments of an array.
static inline index_t segment_begin(const index_t n, const uint bits, const index_t s)
{
    const index_t rest = n & (((index_t)1 << bits) - 1);
    return (n >> bits) * s + (rest * s >> bits);
}

// Moves the pivot of a segment to its front: the median of a sample. 
static inline void prepare_segment(const elements_t elements, const index_t begin,
                                   const index_t middle, const index_t end, const order_t order)
{
    const uint side = MAX_SAMPLE / 2;
    swap_elements(elements, begin,
                  sample_rank(elements, begin, middle, end, side, side, side, order));
}

__kernel WORK_ITEM_KERNEL void quick_copy(INPUT(keys), BUFFER(keys_to), VALUE_INPUT(values)
                                          VALUE_BUFFER(values_to) const index_t n, const uint bits)
{
    const index_t begin = segment_begin(n, bits, get_group_id(0)),
                  end = segment_begin(n, bits, get_group_id(0) + 1);
    const elements_t from = INPUT_ELEMENTS(keys, values), to = ELEMENTS(keys_to, values_to);
#if VALUE_INDEX
    for (index_t i = begin; i < end; i++) {
        to.keys[i] = from.keys[i];
        to.values[i] = value_of_index(i);
    }
#else
    copy_elements(elements_at(from, begin), elements_at(to, begin), end - begin);
#endif
}

__kernel WORK_ITEM_KERNEL void quick_begin(QUICK_ARRAYS, ORDER)
{
    const order_t order = ORDER_ARGUMENTS;
    const elements_t elements = ELEMENTS(keys, values);
    index_t i = 1;
    while (i < n && precedes(elements.keys[i], elements.keys[i - 1], order)) {
        i++;
    }
    if (i == n) {
        for (index_t j = 0; j < n / 2; j++) {
            swap_elements(elements, j, n - 1 - j);
        }
    }
    prepare_segment(elements, 0, n / 2, n, order);
}

// Chunk c of the 2^bits chunks of a segment without its pivot.
typedef struct {
    index_t begin, end;
} chunk_t;

static inline chunk_t chunk_of(const index_t begin, const index_t end, const uint bits,
                               const index_t c)
{
    const index_t count = end - begin - 1;
    chunk_t chunk;
    chunk.begin = begin + 1 + segment_begin(count, bits, c);
    chunk.end = begin + 1 + segment_begin(count, bits, c + 1);
    return chunk;
}

__kernel WORK_ITEM_KERNEL void quick_partition(QUICK_ARRAYS, const uint level, const uint levels,
                                               ORDER)
{
    const order_t order = ORDER_ARGUMENTS;
    const elements_t elements = ELEMENTS(keys, values);
    const uint bits = levels - level;
    const index_t s = get_group_id(0) >> bits, c = get_group_id(0) & ((1u << bits) - 1);
    const index_t begin = segment_begin(n, level, s), end = segment_begin(n, level, s + 1);
    const chunk_t chunk = chunk_of(begin, end, bits, c);
    pivot_t pivot;
    bool moved;
    pivot.key = elements.keys[begin];
    pivot.takes_equal = false;
    partition(elements, chunk.begin, chunk.end, &pivot, order, &moved);
}

// Returns the end of the left part of a chunk that is partitioned.
static inline index_t end_of_left(const elements_t elements, const chunk_t chunk,
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

// Joins the chunks of a segment: exchanges the right parts of the first chunks with the left parts
// of the last ones. Returns the end of the segment's left part.
static inline index_t join_chunks(const elements_t elements, const index_t begin, const index_t end,
                                  const uint bits, const order_t order)
{
    pivot_t pivot;
    pivot.key = elements.keys[begin];
    pivot.takes_equal = false;
    index_t c = 0, d = ((index_t)1 << bits) - 1;
    chunk_t left = chunk_of(begin, end, bits, c), right = chunk_of(begin, end, bits, d);
    index_t left_begin = end_of_left(elements, left, &pivot, order),
            right_end = end_of_left(elements, right, &pivot, order);
    while (c < d) {
        const index_t count = min(left.end - left_begin, right_end - right.begin);
        for (index_t i = 0; i < count; i++) {
            swap_elements(elements, left_begin + i, right_end - 1 - i);
        }
        left_begin += count;
        right_end -= count;
        if (left_begin == left.end) {
            c++;
            if (c == d) {
                return right_end;
            }
            left = chunk_of(begin, end, bits, c);
            left_begin = end_of_left(elements, left, &pivot, order);
        } else {
            d--;
            if (c == d) {
                return left_begin;
            }
            right = chunk_of(begin, end, bits, d);
            right_end = end_of_left(elements, right, &pivot, order);
        }
    }
    return left_begin;
}

// Moves elements of [begin, end) until none before `at` comes after one from there on.
static inline void divide_at(const elements_t elements, index_t begin, index_t end,
                             const index_t at, const order_t order, const index_t first)
{
    uint depth = max_depth(end - begin);
    while (at > begin && at < end && end - begin > 1) {
        if (depth-- == 0 || end - begin < 64) {
            heap_sort(elements_at(elements, begin), end - begin, order);
            return;
        }
        const float share = (float)(at - begin) / (float)(end - begin);
        const uint wanted = (uint)(share * MAX_SAMPLE);
        const uint rank = share < 0.5f ? wanted + 4 : wanted - 4;
        const uint side = MAX_SAMPLE / 2;
        const index_t chosen = sample_rank(elements, begin, begin + (end - begin) / 2, end, side,
                                           side, rank, order);
        const bool equals_previous =
            begin > first && !precedes(elements.keys[begin - 1], elements.keys[chosen], order);
        bool moved;
        const index_t middle =
            partition_at(elements, begin, end, chosen, equals_previous, order, &moved);
        if (at > middle) {
            begin = middle + 1;
        } else if (equals_previous) {
            return;
        } else {
            end = middle;
        }
    }
}

__kernel WORK_ITEM_KERNEL void quick_divide(QUICK_ARRAYS, const uint level, const uint levels,
                                            ORDER)
{
    const order_t order = ORDER_ARGUMENTS;
    const elements_t elements = ELEMENTS(keys, values);
    const index_t s = get_group_id(0);
    const index_t begin = segment_begin(n, level, s), end = segment_begin(n, level, s + 1),
                  at = segment_begin(n, level + 1, 2 * s + 1);
    const index_t middle = join_chunks(elements, begin, end, levels - level, order) - 1;
    swap_elements(elements, begin, middle);
    if (at > middle) {
        divide_at(elements, middle + 1, end, at, order, begin);
    } else {
        divide_at(elements, begin, middle, at, order, begin);
    }
    if (level + 1 < levels) {
        prepare_segment(elements, begin, begin + (at - begin) / 2, at, order);
        prepare_segment(elements, at, at + (end - at) / 2, end, order);
    }
}

__kernel WORK_ITEM_KERNEL void quick_sort(QUICK_ARRAYS, const uint levels, ORDER)
{
    const order_t order = ORDER_ARGUMENTS;
    sort_range((elements_t)ELEMENTS(keys, values), segment_begin(n, levels, get_group_id(0)),
               segment_begin(n, levels, get_group_id(0) + 1), order);
}

#endif
