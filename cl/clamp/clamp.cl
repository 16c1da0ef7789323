// clamp.cl - clamps a count in device memory to its bound, before a sort that reads it
//
// The kernels of the sort then read a count of one size that cannot exceed the arrays, and that the caller
// cannot change while they run. There is one kernel, clamp_count, run by one work-item.
//
// Cost: that of a launch.
//
// The only option is that of common/device_count.cl.
#ifndef CLSORT_CLAMP_CLAMP_CL
#define CLSORT_CLAMP_CLAMP_CL

#include "clamp/layout.h"
#include "common/device_count.cl"

#if COUNT_BYTES > 0
__kernel WORK_ITEM_KERNEL void clamp_count(COUNT_ARGUMENT BUFFER(clamped), BUFFER(result),
                                           const cls_clamp_args args)
{
    const ulong count = DEVICE_COUNT;
    if (args.writes_count) {
        *AT(ulong, clamped) = min(count, (ulong)args.bound);
    }
    if (args.writes_result) {
        *AT(ulong, result) = count > args.bound ? args.exceeded : 0;
    }
}
#endif

#endif
