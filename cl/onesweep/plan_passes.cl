// plan_passes.cl - output offsets of each digit, and which passes are needed
#ifndef CLSORT_ONESWEEP_PLAN_PASSES_CL
#define CLSORT_ONESWEEP_PLAN_PASSES_CL

#include "common/column.cl"
#include "common/lsd_passes.cl"
#include "common/scan.cl"
#include "common/sub_group.cl"
#include "onesweep/layout.h"
#include "onesweep/table.cl"

// Local memory of a work-group.
typedef struct {
    cls_key_summary summaries[GROUP_SIZE];
    ulong sums[2 * GROUP_SIZE];
} plan_passes_t;

// Writes the row of offsets of a pass: where the elements of each digit start in its output. Pass 0,
// which exists also in a sort without passes, also plans the passes. `rows` is the number of rows of
// histograms.
static inline void plan_pass(__local plan_passes_t *m, const uint pass, const uint rows,
                             __global cls_onesweep_control *control, BUFFER(tables),
                             const cls_onesweep_args args)
{
    const uint pass_rows = pass < args.passes ? rows : 0;
    ulong sum = 0;
    // All groups execute all barriers, also the only group of a sort without passes. If a condition
    // excluded some groups, PoCL would apply the branch that work-item 0 takes at an `if` after a
    // barrier to all work-items.
    for (uint first = 0; first < RADIX; first += GROUP_SIZE) {
        const uint d = first + (uint)get_local_id(0);
        __global const uint *column = HISTOGRAM_ROWS + pass * RADIX + d;
        ulong total;
        const ulong before = group_exclusive_scan(
            d < RADIX ? sum_of_column(column, pass_rows, args.passes * RADIX) : 0, m->sums, &total);
        if (d < RADIX && pass < args.passes) {
            DIGIT_OFFSETS[pass * RADIX + d] = (index_t)(sum + before);
        }
        sum += total;
    }
    plan_lsd_passes(&control->lsd, SUMMARIES, rows, m->summaries, (key_t)args.window, args.in_place,
                    args.begin_bit, args.end_bit, pass == 0);
}

// One group per pass, at least one.
__kernel SUB_GROUP_KERNEL void onesweep_plan_passes(BUFFER(control), BUFFER(tables), ONESWEEP_ARGS)
{
    if (IS_SKIPPED) {
        return;
    }
    SIZE_ONESWEEP_ARGS
    __local plan_passes_t memory;
    plan_pass(&memory, (uint)get_group_id(0), args.chunks, AT(cls_onesweep_control, control),
              tables, tables_at, args);
}

#endif
