// plan_passes.cl - output offsets of each digit, and which passes are needed
#ifndef CLSORT_ONESWEEP_PLAN_PASSES_CL
#define CLSORT_ONESWEEP_PLAN_PASSES_CL

#include "common/lsd_passes.cl"
#include "common/scan.cl"
#include "common/sub_group.cl"
#include "onesweep/layout.h"

// Returns the sum of one counter over all rows of `columns` counters.
static inline index_t sum_rows(__global const uint *rows, const uint count, const uint columns)
{
    index_t sum = 0;
#pragma unroll 16
    for (uint i = 0; i < count; i++) {
        sum += rows[(size_t)i * columns];
    }
    return sum;
}

// One group per pass writes the row of offsets of its digit: where the elements of each value start
// in the output of the pass. The first group also plans the passes.
__kernel SUB_GROUP_KERNEL void onesweep_plan_passes(BUFFER(control), BUFFER(rows),
                                                    BUFFER(summaries), BUFFER(offsets),
                                                    const cls_onesweep_plan_args args)
{
    __local cls_key_summary group_summaries[GROUP_SIZE];
    __local ulong sums[2 * GROUP_SIZE];
    const uint pass = (uint)get_group_id(0), passes = args.passes;
    const uint row_count = pass < passes ? args.chunks : 0;
    ulong sum = 0;
    // All groups execute all barriers, also the only group of a sort without passes. If a condition
    // excluded some groups, PoCL would apply the branch that work-item 0 takes at an `if` after a
    // barrier to all work-items.
    for (uint first = 0; first < RADIX; first += GROUP_SIZE) {
        const uint d = first + (uint)get_local_id(0);
        __global const uint *column = AT(const uint, rows) + pass * RADIX + d;
        ulong total;
        const ulong before = group_exclusive_scan(
            d < RADIX ? sum_rows(column, row_count, passes * RADIX) : 0, sums, &total);
        if (d < RADIX && pass < passes) {
            AT(index_t, offsets)[pass * RADIX + d] = (index_t)(sum + before);
        }
        sum += total;
    }
    plan_lsd_passes(AT(cls_lsd_control, control), AT(const cls_key_summary, summaries), args.chunks,
                    group_summaries, (key_t)args.window, args.in_place, args.begin_bit,
                    args.end_bit);
}

#endif
