// sort_buckets.cl - segmented sort for CPU cores: parts are buckets of the radix sort for CPUs
//
// Few elements are sorted by their ranks (rank_sort.cl), and others as a bucket of cpu_radix (cpu_radix/sort_part.cl).
// segments/cores.cl has the kernels in launch order and the cost.
#ifndef CLSORT_SEGMENTS_SORT_BUCKETS_CL
#define CLSORT_SEGMENTS_SORT_BUCKETS_CL

#include "cpu_radix/sort_part.cl"
#include "segments/cores.cl"
#include "segments/rank_sort.cl"

// Copies the elements of a part, with values that are indexes if they have no others.
static inline void copy_part(const part_arrays_t *part, const elements_t to)
{
#if VALUE_INDEX
    for (index_t i = 0; i < part->count; i++) {
        to.values[i] = value_of_index(part->first + i);
    }
    __global const key_t *from = part->in.keys + part->first;
    if (to.keys != from) {
        for (index_t i = 0; i < part->count; i++) {
            to.keys[i] = from[i];
        }
    }
#else
    const elements_t from = elements_at(part->in, part->first);
    if (to.keys != from.keys) {
        copy_elements(from, to, part->count);
    }
#endif
}

// Returns the bits in which ordered keys differ, or 0 if they are in order.
static inline key_t unsorted_bits(__global const key_t *keys, const index_t count, const key_t flip,
                                  const key_t window)
{
    const key_t first = ordered(keys[0], flip) & window;
    key_t different = 0, last = first;
    bool is_sorted = true;
    for (index_t i = 1; i < count; i++) {
        const key_t key = ordered(keys[i], flip) & window;
        different |= key ^ first;
        is_sorted &= last <= key;
        last = key;
    }
    return is_sorted ? 0 : different;
}

OUTLINED void sort_part_of_segment(const sorter_t *sorter, const part_arrays_t *part)
{
    const index_t count = part->count;
    elements_t from = elements_at(part->in, part->first);
    if (count <= MAX_RANKED) {
        rank_sort(from, part->to, (uint)count, part->first, sorter->flip, sorter->window);
        return;
    }
    const key_t bits = unsorted_bits(from.keys, count, sorter->flip, sorter->window);
    if (bits == 0) {
        copy_part(part, part->to);
        return;
    }
    const uint low = low_bit(bits), top = bits_of(bits);
#if !VALUE_INDEX
    // Buckets that are sorted in the slice, in one part, are only read.
    const bucket_part_t all = {0, count, low, top, 0, false};
    if (count > slice_elements(sorter) || !is_small(sorter, all))
#endif
    {
        from = part->other;
        copy_part(part, from);
    }
    sort_bucket(sorter, count, low, top, from, part->to);
}

__kernel WORK_ITEM_KERNEL void segments_tiles(TILES_ARGUMENTS)
{
    const order_t order = ORDER_ARGUMENTS;
    DECLARE_TILES_ARRAYS;
    BEGIN_WALK(walk);
    part_arrays_t part;
    index_t counters[LSD_COUNTERS] ALIGNED;
    pending_parts_t pending;
    const sorter_t sorter = {SLICE, args.slice_bytes, order.flip, order.window, counters, &pending};
    while (NEXT_PART(walk, part)) {
        sort_part_of_segment(&sorter, &part);
    }
}

#endif
