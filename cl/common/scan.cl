// scan.cl - prefix sums of 64-bit words over a work-group, without sub-groups
//
// The option GROUP_SIZE is described in work_group.cl.
#ifndef CLSORT_COMMON_SCAN_CL
#define CLSORT_COMMON_SCAN_CL

#include "common/work_group.cl"

// Returns the sum of the values of all preceding work-items; sets *total to the sum of all values.
// `sums` has 2 * GROUP_SIZE elements. Hillis and Steele, "Data parallel algorithms", CACM 29(12),
// 1986, p. 1170: each step reads one half of `sums` and writes the other, so that one barrier per
// step suffices.
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
