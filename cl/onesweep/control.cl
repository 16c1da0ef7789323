// control.cl - the counters of the steps before a sort
#ifndef CLSORT_ONESWEEP_CONTROL_CL
#define CLSORT_ONESWEEP_CONTROL_CL

#include "common/types.cl"
#include "common/work_group.cl"
#include "onesweep/layout.h"

// Sets the counters of the steps for a sort in which the first `counted` chunks already have a row of histograms
// each. Run by one work-group.
static inline void begin_steps(__global cls_onesweep_control *control, const uint counted)
{
    for (uint i = (uint)get_local_id(0); i < CLS_ONESWEEP_STEPS; i += GROUP_SIZE) {
        control->complete[i] = i == CLS_ONESWEEP_HISTOGRAMS ? counted : 0;
        control->tickets[i] = i == CLS_ONESWEEP_HISTOGRAMS || i == CLS_ONESWEEP_ROWS ? counted : 0;
    }
}

#endif
