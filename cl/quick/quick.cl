// quick.cl - unstable sort in place for CPU cores, without scratch memory
//
// The array is divided into as many segments as there are cores, each of which a work-item then
// sorts by introsort. The segments have equal sizes, so their bounds are known to the host, and no
// memory is needed to pass bounds from one kernel to the next. A level divides each segment in two:
// the work-items partition a chunk of the segment each; then one of them exchanges the misplaced
// parts of the chunks, whose bounds it finds by binary search, and moves the bound of the left part
// to the middle of the segment by quickselect.
//
// Tsigas and Zhang, "A simple, fast parallel implementation of quicksort and its performance
// evaluation on SUN Enterprise 10000", PDP 2003, partition in parallel; partition.cl, select.cl and
// sort.cl name the sources of the other parts.
//
// Kernels, in launch order, all with one work-item per group:
//   quick_copy        only out of place or if values are indexes: copies the input to the output
//   then, unless there is a single segment:
//   quick_begin       reverses the array if it is in descending order; chooses the first pivot,
//                     which it moves to the front of the array
//   quick_partition   once per level: partitions a chunk of a segment
//   quick_divide      once per level: joins the chunks of a segment, divides the segment in the
//                     middle, and chooses the pivots of both halves
//   quick_sort        sorts a segment
//
// Every comparison is precedes(a, b), and no loop relies on a consistent order to stay in bounds:
// with any `less` the output is a permutation of the input.
//
// Cost: quicksort reads a range and writes half of it each time that it divides the range in two,
// until the range fits in the cache. A model of 3/4 of a copy for each level above 256 KiB, after
// the copy of quick_copy, is 8 + 4 x 6 = 32 bytes for each of 2^20 u32 keys. The speed is limited
// by comparisons.
//
// Measured (PoCL 3.1, 2 busy cores of an AMD EPYC, 2^16 u32 keys with u32 values, minimum of 15
// sorts): 25 Mkeys/s, 1.4 times std::sort on one core.
#ifndef CLSORT_QUICK_QUICK_CL
#define CLSORT_QUICK_QUICK_CL

#include "common/layout.h"
#include "quick/segments.cl"
#include "quick/select.cl"
#include "quick/sort.cl"

// The array to sort.
#define QUICK_ARRAY BUFFER(keys), VALUE_BUFFER(values) const index_t n

// There are 2^levels segments in the end, and 2^level before the level.
#define QUICK_LEVEL const uint level, const uint levels

#if VALUE_INDEX
#define QUICK_CONTROL BUFFER(control),
#else
#define QUICK_CONTROL
#endif

__kernel WORK_ITEM_KERNEL void quick_copy(QUICK_CONTROL INPUT(keys), BUFFER(keys_to),
                                          VALUE_INPUT(values) VALUE_BUFFER(values_to)
                                              const index_t n,
                                          const uint levels)
{
    const extent_t part = part_of(n, levels, get_group_id(0));
    const elements_t from = INPUT_ELEMENTS(keys, values), to = ELEMENTS(keys_to, values_to);
#if VALUE_INDEX
    for (index_t i = part.begin; i < part.end; i++) {
        to.keys[i] = from.keys[i];
        to.values[i] = value_of_index(i);
    }
    if (part.begin == 0) {
        AT(cls_control_head, control)->is_sorted = 0;
    }
#else
    copy_elements(elements_at(from, part.begin), elements_at(to, part.begin),
                  part.end - part.begin);
#endif
}

__kernel WORK_ITEM_KERNEL void quick_begin(QUICK_ARRAY, ORDER)
{
    const order_t order = ORDER_ARGUMENTS;
    const elements_t elements = ELEMENTS(keys, values);
    reverse_descending(elements, 0, n, order);
    swap_elements(elements, 0, median_pivot(elements, 0, n / 2, n, order));
}

__kernel WORK_ITEM_KERNEL void quick_partition(QUICK_ARRAY, QUICK_LEVEL, ORDER)
{
    const order_t order = ORDER_ARGUMENTS;
    const elements_t elements = ELEMENTS(keys, values);
    const uint bits = levels - level;
    const index_t group = get_group_id(0);
    const extent_t segment = part_of(n, level, group >> bits);
    const extent_t chunk = chunk_of(segment, bits, group & (((index_t)1 << bits) - 1));
    const pivot_t pivot = {elements.keys[segment.begin], false};
    bool moved;
    partition(elements, chunk.begin, chunk.end, &pivot, order, &moved);
}

__kernel WORK_ITEM_KERNEL void quick_divide(QUICK_ARRAY, QUICK_LEVEL, ORDER)
{
    const order_t order = ORDER_ARGUMENTS;
    const elements_t elements = ELEMENTS(keys, values);
    const extent_t segment = part_of(n, level, get_group_id(0));
    const index_t begin = segment.begin, end = segment.end;
    const index_t at = part_begin(n, level + 1, 2 * (index_t)get_group_id(0) + 1);
    const pivot_t pivot = {elements.keys[segment.begin], false};
    const index_t middle = join_chunks(elements, segment, levels - level, &pivot, order) - 1;
    swap_elements(elements, begin, middle);
    const bool is_right = at > middle;
    divide_at(elements, begin, is_right ? middle + 1 : begin, is_right ? end : middle, at, order);
    if (level + 1 < levels) {
        swap_elements(elements, begin,
                      median_pivot(elements, begin, begin + (at - begin) / 2, at, order));
        swap_elements(elements, at, median_pivot(elements, at, at + (end - at) / 2, end, order));
    }
}

__kernel WORK_ITEM_KERNEL void quick_sort(QUICK_ARRAY, const uint levels, ORDER)
{
    const order_t order = ORDER_ARGUMENTS;
    const elements_t elements = ELEMENTS(keys, values);
    const extent_t segment = part_of(n, levels, get_group_id(0));
    sort_range(elements, segment.begin, segment.end, order);
}

#endif
