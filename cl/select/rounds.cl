// rounds.cl - the rounds of the radix select, and the counts of each chunk
#ifndef CLSORT_SELECT_ROUNDS_CL
#define CLSORT_SELECT_ROUNDS_CL

#include "select/scratch.cl"

// Neighbouring chunks are parts of a round: args.part_chunks in each. A team of work-items reads each chunk of a
// part.
typedef struct {
    uint chunk;        // its number, which is out of bounds for some teams of the last part
    uint member, size; // this work-item's number in the team, and the number of work-items
} team_t;

static inline team_t team_of_part(const uint part, const cls_select_args args)
{
    const uint t = (uint)get_local_id(0), size = GROUP_SIZE / args.part_chunks;
    const team_t team = {part * args.part_chunks + t / size, t % size, size};
    return team;
}

// Counts the digits of those keys of a part that are in the range. `counts` has RADIX elements.
static inline void count_digits(__local uint *counts, const uint part, const select_scratch_t at,
                                __global const key_t *in, const select_range_t range,
                                const cls_select_args args)
{
    const key_t flip = (key_t)args.flip, window = (key_t)args.window;
    const uint shift = digit_shift(range, args.begin_bit);
    const team_t team = team_of_part(part, args);
    clear_counts(counts, RADIX, 1);
    if (team.chunk < args.chunks && at.control->source == SELECT_FROM_CANDIDATES) {
        FOR_EACH_CANDIDATE(i, at, team.chunk, team.member, team.size)
        {
            count_in_range(compared(at.keys[i], flip, window), range, shift, counts, 1);
        }
    } else if (team.chunk < args.chunks) {
        const select_chunk_t chunk = chunk_of_number(team.chunk, args);
        for (index_t i = chunk.first + team.member; i < chunk.last; i += team.size) {
            count_in_range(compared(in[i], flip, window), range, shift, counts, 1);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    add_to_table(at.table, part, counts, args);
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

// Adds up the numbers of all work-items of a team and writes the sums to its chunk. `sums` has 2 * GROUP_SIZE
// elements.
static inline void write_sums(__global cls_select_chunk *chunks, const team_t team,
                              const ulong less, const ulong ties, __local ulong *sums,
                              const cls_select_args args)
{
    __local ulong *own = sums + get_local_id(0);
    own[0] = less;
    own[GROUP_SIZE] = ties;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint width = team.size / 2; width > 0; width /= 2) {
        if (team.member < width) {
            own[0] += own[width];
            own[GROUP_SIZE] += own[GROUP_SIZE + width];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (team.member == 0 && team.chunk < args.chunks) {
        chunks[team.chunk].less = own[0];
        chunks[team.chunk].ties = own[GROUP_SIZE];
    }
}

// Counts the keys of each chunk of a part that come before the threshold, and those equal to it. `sums` has
// 2 * GROUP_SIZE elements.
static inline void count_selected(__local ulong *sums, const uint part, const select_scratch_t at,
                                  __global const key_t *in, const cls_select_args args)
{
    const uint source = at.control->source;
    const key_t flip = (key_t)args.flip, window = (key_t)args.window,
                threshold = (key_t)at.control->first;
    const team_t team = team_of_part(part, args);
    const uint c = min(team.chunk, args.chunks - 1);
    __global const cls_select_chunk *own = at.chunks + c;
    ulong less = 0, ties = 0;
    if (source == SELECT_FROM_INPUT) {
        const select_chunk_t chunk = chunk_of_number(c, args);
        for (index_t i = chunk.first + team.member; i < chunk.last; i += team.size) {
            const key_t key = compared(in[i], flip, window);
            less += key < threshold;
            ties += key == threshold;
        }
    } else if (source == SELECT_FROM_CANDIDATES) {
        FOR_EACH_CANDIDATE(i, at, c, team.member, team.size)
        {
            const key_t key = compared(at.keys[i], flip, window);
            less += key < threshold;
            ties += key == threshold;
        }
        less += team.member == 0 ? own->below + own->equal_low : 0;
    } else if (team.member == 0) {
        less = own->below;
        ties = own->equal_low;
        if (source == SELECT_FROM_HIGH) {
            less += ties + own->inside;
            ties = own->equal_high;
        }
    }
    write_sums(at.chunks, team, less, ties, sums, args);
}

__kernel WORK_GROUP_KERNEL void select_count(BUFFER(scratch), INPUT(keys), SELECT_ARGS)
{
    __local ulong sums[2 * GROUP_SIZE];
    BEGIN_ARGS
    const select_scratch_t at = SCRATCH(AT(uchar, scratch), args);
    count_selected(sums, (uint)get_group_id(0), at, AT(const key_t, keys), args);
}

#endif
