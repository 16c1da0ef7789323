// scan.cl - what a work-group works out together: prefix sums, and what its keys look like
//
// GROUP_SIZE    work-items in a group
#ifndef CLSORT_COMMON_SCAN_CL
#define CLSORT_COMMON_SCAN_CL

#include "common/work_group.cl"

// The sum of the values of all work-items before this one; *total is the sum of all. `sums` holds
// 2 * GROUP_SIZE elements. Hillis and Steele, "Data parallel algorithms", CACM 29(12), 1986, p. 1170: the two
// halves take turns, so that one barrier a step is enough.
static inline ulong group_exclusive_scan(const ulong value, __local ulong *sums, ulong *total)
{
    const uint t = (uint)get_local_id(0);
    uint from = 0;
    sums[t] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint distance = 1; distance < GROUP_SIZE; distance *= 2) {
        const ulong sum = sums[from + t] + (t >= distance ? sums[from + t - distance] : 0);
        from = GROUP_SIZE - from;
        sums[from + t] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    const ulong sum = sums[from + t];
    *total = sums[from + GROUP_SIZE - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    return sum - value;
}

#endif
