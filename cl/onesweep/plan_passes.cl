// plan_passes.cl - output offsets of each digit, and which passes are needed
#ifndef CLSORT_ONESWEEP_PLAN_PASSES_CL
#define CLSORT_ONESWEEP_PLAN_PASSES_CL

#define COLUMNS 1
#include "common/column.cl"
#include "common/lsd_passes.cl"
#include "common/scan.cl"
#include "onesweep/control.cl"
#include "onesweep/tables.cl"

// Local memory of a work-group.
typedef union {
    cls_key_summary summaries[GROUP_SIZE];
    ulong sums[2 * GROUP_SIZE];
} plan_passes_t;

// Writes the row of offsets of a pass: where the elements of each digit start in its output. `rows` is the number of
// rows of histograms, whose elements are not in the totals.
static inline void plan_pass(__local plan_passes_t *m, const uint pass, const uint rows,
                             __global const cls_onesweep_control *control, BUFFER(tables),
                             const cls_onesweep_args args)
{
    const uint stride = args.passes * RADIX, totals = cls_onesweep_totals(args.count);
    ulong sum = 0;
    for (uint first = 0; first < RADIX; first += GROUP_SIZE) {
        const uint d = first + (uint)get_local_id(0), column = pass * RADIX + d;
        index_t count = 0;
        if (d < RADIX) {
            count = sum_of_columns(HISTOGRAM_ROWS + column, rows, stride);
            for (uint i = 0; i < totals; i++) {
                count += TOTALS_OF(control)[i * stride + column];
            }
        }
        ulong total;
        const ulong before = group_exclusive_scan(count, m->sums, &total);
        if (d < RADIX) {
            DIGIT_OFFSETS[pass * RADIX + d] = (index_t)(sum + before);
        }
        sum += total;
    }
}

// Finds out which passes are needed, and assigns their arrays. `summaries` is the number of key summaries.
static inline void plan_all_passes(__local plan_passes_t *m, const uint summaries,
                                   __global cls_onesweep_control *control, BUFFER(tables),
                                   const cls_onesweep_args args)
{
    plan_lsd_passes(&control->lsd, SUMMARIES, summaries, m->summaries, (key_t)args.window,
                    args.in_place, args.begin_bit, args.end_bit);
}

#endif
