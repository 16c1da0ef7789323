// rounds.cl - the rounds of the radix select, and the counts of each chunk
#ifndef CLSORT_SELECT_ROUNDS_CL
#define CLSORT_SELECT_ROUNDS_CL

#include "select/scratch.cl"

// Counts the digits of the keys of chunk c that are in the range. `counts` has RADIX elements.
static inline void count_digits(__local uint *counts, const uint c, const select_scratch_t at,
                                __global const key_t *in, const select_range_t range,
                                const cls_select_args args)
{
    const key_t flip = (key_t)args.flip, window = (key_t)args.window;
    const uint shift = digit_shift(range, args.begin_bit);
    clear_counts(counts, RADIX, 1);
    if (at.control->source == SELECT_FROM_CANDIDATES) {
        FOR_EACH_CANDIDATE(i, at, c)
        {
            count_in_range(compared(at.keys[i], flip, window), range, shift, counts, 1);
        }
    } else {
        const select_chunk_t chunk = chunk_of_number(c, args);
        for (index_t i = chunk.first + get_local_id(0); i < chunk.last; i += GROUP_SIZE) {
            count_in_range(compared(in[i], flip, window), range, shift, counts, 1);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    add_to_table(at.table, c, counts, args);
}

__kernel WORK_GROUP_KERNEL void select_histogram(BUFFER(scratch), INPUT(keys), SELECT_ARGS)
{
    __local uint counts[RADIX];
    BEGIN_ARGS
    const select_scratch_t at = SCRATCH(AT(uchar, scratch), args);
    const select_range_t range = RANGE(at.control);
    if (range.first == range.last) {
        return;
    }
    count_digits(counts, (uint)get_group_id(0), at, AT(const key_t, keys), range, args);
}

// One work-group: narrows the range by the histograms of all chunks.
static inline void narrow_range(__local select_histogram_t *histogram, const select_scratch_t at,
                                select_range_t range, const cls_select_args args)
{
    sum_table(histogram, at.table, args.rows);
    for (uint r = 0; r < args.rows; r++) { // for the next round
        clear_table_row(at.table, r, args);
    }
    narrow(&range, digit_shift(range, args.begin_bit), (key_t)args.window, histogram);
    barrier(CLK_GLOBAL_MEM_FENCE); // all work-items have read the range
    if (get_local_id(0) == 0) {
        at.control->first = range.first;
        at.control->last = range.last;
        at.control->rank = range.rank;
    }
}

__kernel WORK_GROUP_KERNEL void select_narrow(BUFFER(scratch), SELECT_ARGS)
{
    __local select_histogram_t histogram;
    BEGIN_ARGS
    const select_scratch_t at = SCRATCH(AT(uchar, scratch), args);
    const select_range_t range = RANGE(at.control);
    if (range.first == range.last) {
        return;
    }
    narrow_range(&histogram, at, range, args);
}

// Adds up the numbers of all work-items of the group and writes the sums to the chunk.
static inline void write_sums(__global cls_select_chunk *chunk, ulong less, ulong ties,
                              __local ulong *sums)
{
    group_exclusive_scan(less, sums, &less);
    group_exclusive_scan(ties, sums, &ties);
    if (get_local_id(0) == 0) {
        chunk->less = less;
        chunk->ties = ties;
    }
}

// Counts the keys of chunk c that come before the threshold, and those equal to it. `sums` has
// 2 * GROUP_SIZE elements.
static inline void count_selected(__local ulong *sums, const uint c, const select_scratch_t at,
                                  __global const key_t *in, const cls_select_args args)
{
    const uint t = (uint)get_local_id(0), source = at.control->source;
    const key_t flip = (key_t)args.flip, window = (key_t)args.window,
                threshold = (key_t)at.control->first;
    __global cls_select_chunk *own = at.chunks + c;
    ulong less = 0, ties = 0;
    if (source == SELECT_FROM_INPUT) {
        const select_chunk_t chunk = chunk_of_number(c, args);
        for (index_t i = chunk.first + t; i < chunk.last; i += GROUP_SIZE) {
            const key_t key = compared(in[i], flip, window);
            less += key < threshold;
            ties += key == threshold;
        }
    } else if (source == SELECT_FROM_CANDIDATES) {
        FOR_EACH_CANDIDATE(i, at, c)
        {
            const key_t key = compared(at.keys[i], flip, window);
            less += key < threshold;
            ties += key == threshold;
        }
        less += t == 0 ? own->below + own->equal_low : 0;
    } else if (t == 0) {
        less = own->below;
        ties = own->equal_low;
        if (source == SELECT_FROM_HIGH) {
            less += ties + own->inside;
            ties = own->equal_high;
        }
    }
    write_sums(own, less, ties, sums);
}

__kernel WORK_GROUP_KERNEL void select_count(BUFFER(scratch), INPUT(keys), SELECT_ARGS)
{
    __local ulong sums[2 * GROUP_SIZE];
    BEGIN_ARGS
    const select_scratch_t at = SCRATCH(AT(uchar, scratch), args);
    count_selected(sums, (uint)get_group_id(0), at, AT(const key_t, keys), args);
}

#endif
