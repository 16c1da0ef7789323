// group_sum.cl - prefix sums over a work-group by sub-group scans
#ifndef CLSORT_COMMON_GROUP_SUM_CL
#define CLSORT_COMMON_GROUP_SUM_CL

#include "common/sub_group.cl"

// Returns the sum of the values of all preceding work-items; sets *total to the sum of all values.
// `sums` has GROUP_SIZE elements.
static inline uint group_exclusive_sum(const uint value, __local uint *sums, uint *total)
{
    const uint sum = sg_scan(value, sums);
    uint before = 0, all = 0;
    if (lane_id() == SUB_GROUP_SIZE - 1) {
        sums[sg_index()] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint g = 0; g < GROUP_SIZE / SUB_GROUP_SIZE; g++) {
        const uint next = sums[g];
        before += g < sg_index() ? next : 0;
        all += next;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    *total = all;
    return before + sum - value;
}

#endif
