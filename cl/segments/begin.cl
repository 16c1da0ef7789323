// begin.cl - the control block of a sort of segments, for the kernel that makes the list
#ifndef CLSORT_SEGMENTS_BEGIN_CL
#define CLSORT_SEGMENTS_BEGIN_CL

#include "segments/layout.h"

static inline void begin_segments(__global cls_segments_control *control, const ulong segments)
{
    control->head.is_sorted = 0;
    control->segments = segments;
    control->next_tile = 0;
    control->rounds = 0;
    control->out_of_order = 0;
}

#endif
