// rounds.cl - the rounds of the radix select, and the counts of each chunk
#ifndef CLSORT_SELECT_ROUNDS_CL
#define CLSORT_SELECT_ROUNDS_CL

#include "select/scratch.cl"

// Counts the digits of the keys of each chunk that are in the range.
__kernel WORK_GROUP_KERNEL void select_histogram(BUFFER(scratch), INPUT(keys), SELECT_ARGS)
{
    __local uint counts[RADIX];
    BEGIN_ARGS
    const select_scratch_t at = SCRATCH(AT(uchar, scratch), args);
    const select_range_t range = RANGE(at.control);
    if (range.first == range.last) {
        return;
    }
    const key_t flip = (key_t)args.flip, window = (key_t)args.window;
    const uint shift = digit_shift(range, args.begin_bit);
    const uint t = (uint)get_local_id(0), c = (uint)get_group_id(0);
    clear_counts(counts, RADIX, 1);
    if (at.control->source == SELECT_FROM_CANDIDATES) {
        FOR_EACH_CANDIDATE(i, at)
        {
            count_in_range(compared(at.keys[i], flip, window), range, shift, counts, 1);
        }
    } else {
        const select_chunk_t chunk = chunk_of_group(args);
        for (index_t i = chunk.first + t; i < chunk.last; i += GROUP_SIZE) {
            count_in_range(compared(AT(const key_t, keys)[i], flip, window), range, shift, counts,
                           1);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = t; d < RADIX; d += GROUP_SIZE) {
        at.table[(size_t)c * RADIX + d] = counts[d];
    }
}

// One work-group: narrows the range by the histograms of all chunks.
__kernel WORK_GROUP_KERNEL void select_narrow(BUFFER(scratch), SELECT_ARGS)
{
    __local select_histogram_t histogram;
    BEGIN_ARGS
    const select_scratch_t at = SCRATCH(AT(uchar, scratch), args);
    select_range_t range = RANGE(at.control);
    if (range.first == range.last) {
        return;
    }
    for (uint d = (uint)get_local_id(0); d < RADIX; d += GROUP_SIZE) {
        ulong total = 0;
        for (uint c = 0; c < args.chunks; c += READS_AT_ONCE) {
            uint counts[READS_AT_ONCE];
#pragma unroll
            for (uint i = 0; i < READS_AT_ONCE; i++) {
                counts[i] = at.table[(size_t)min(c + i, args.chunks - 1) * RADIX + d];
            }
#pragma unroll
            for (uint i = 0; i < READS_AT_ONCE; i++) {
                total += c + i < args.chunks ? counts[i] : 0;
            }
        }
        histogram.totals[d] = total;
    }
    narrow(&range, digit_shift(range, args.begin_bit), (key_t)args.window, &histogram);
    barrier(CLK_GLOBAL_MEM_FENCE); // all work-items have read the range
    if (get_local_id(0) == 0) {
        at.control->first = range.first;
        at.control->last = range.last;
        at.control->rank = range.rank;
    }
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

// Counts the keys of each chunk that come before the threshold, and those equal to it.
__kernel WORK_GROUP_KERNEL void select_count(BUFFER(scratch), INPUT(keys), SELECT_ARGS)
{
    __local ulong sums[2 * GROUP_SIZE];
    BEGIN_ARGS
    const select_scratch_t at = SCRATCH(AT(uchar, scratch), args);
    const uint t = (uint)get_local_id(0), c = (uint)get_group_id(0);
    const key_t flip = (key_t)args.flip, window = (key_t)args.window,
                threshold = (key_t)at.control->first;
    __global cls_select_chunk *own = at.chunks + c;
    const uint source = at.control->source;
    ulong less = 0, ties = 0;
    if (source == SELECT_FROM_INPUT) {
        const select_chunk_t chunk = chunk_of_group(args);
        for (index_t i = chunk.first + t; i < chunk.last; i += GROUP_SIZE) {
            const key_t key = compared(AT(const key_t, keys)[i], flip, window);
            less += key < threshold;
            ties += key == threshold;
        }
    } else if (source == SELECT_FROM_CANDIDATES) {
        FOR_EACH_CANDIDATE(i, at)
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

#endif
