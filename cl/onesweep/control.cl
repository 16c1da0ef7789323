// control.cl - the counters of the steps and the totals before a sort
#ifndef CLSORT_ONESWEEP_CONTROL_CL
#define CLSORT_ONESWEEP_CONTROL_CL

#include "common/types.cl"
#include "onesweep/args.cl"

// The rows of totals. They stay 0 where the steps have kernels of their own, which write a row of histograms per chunk.
#define TOTALS_OF(control) ((__global uint *)((control) + 1))

// Clears the totals, and sets the counters of the steps for a sort of which all chunks, if `counted` is their number,
// or none already have a row of histograms and a key summary each. Run by one work-group.
static inline void begin_steps(__global cls_onesweep_control *control, const uint counted,
                               const cls_onesweep_args args)
{
    for (uint i = (uint)get_local_id(0); i < CLS_ONESWEEP_STEPS; i += GROUP_SIZE) {
        control->complete[i] = i == CLS_ONESWEEP_HISTOGRAMS ? counted : 0;
        control->tickets[i] =
            i == CLS_ONESWEEP_HISTOGRAMS || i == CLS_ONESWEEP_SUMMARIES ? counted : 0;
    }
    if (get_local_id(0) == 0) {
        control->early_rows = counted;
    }
    const uint totals = cls_onesweep_totals(args.count) * args.passes * RADIX;
    for (uint i = (uint)get_local_id(0); i < totals; i += GROUP_SIZE) {
        TOTALS_OF(control)[i] = 0;
    }
}

#endif
