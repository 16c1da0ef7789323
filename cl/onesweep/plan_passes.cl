// plan_passes.cl - output offsets of each digit, and which passes are needed
#ifndef CLSORT_ONESWEEP_PLAN_PASSES_CL
#define CLSORT_ONESWEEP_PLAN_PASSES_CL

#include "common/column.cl"
#include "common/lsd_passes.cl"
#include "common/scan.cl"
#include "onesweep/tables.cl"

// Local memory of a work-group.
typedef union {
    cls_key_summary summaries[GROUP_SIZE];
    ulong sums[2 * GROUP_SIZE];
} plan_passes_t;

// Writes the row of offsets of a pass: where the elements of each digit start in its output. `rows` is the number of
// rows of histograms.
static inline void plan_pass(__local plan_passes_t *m, const uint pass, const uint rows,
                             BUFFER(tables), const cls_onesweep_args args)
{
    ulong sum = 0;
    for (uint first = 0; first < RADIX; first += GROUP_SIZE) {
        const uint d = first + (uint)get_local_id(0);
        __global const uint *column = HISTOGRAM_ROWS + pass * RADIX + d;
        ulong total;
        const ulong before = group_exclusive_scan(
            d < RADIX ? sum_of_column(column, rows, args.passes * RADIX) : 0, m->sums, &total);
        if (d < RADIX) {
            DIGIT_OFFSETS[pass * RADIX + d] = (index_t)(sum + before);
        }
        sum += total;
    }
}

// Finds out which passes are needed, and assigns their arrays.
static inline void plan_all_passes(__local plan_passes_t *m, const uint rows,
                                   __global cls_onesweep_control *control, BUFFER(tables),
                                   const cls_onesweep_args args)
{
    plan_lsd_passes(&control->lsd, SUMMARIES, rows, m->summaries, (key_t)args.window, args.in_place,
                    args.begin_bit, args.end_bit);
}

#endif
