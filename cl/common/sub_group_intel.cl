// sub_group_intel.cl - sub-group operations by cl_intel_subgroups
//
// The interface and the options are described in sub_group.cl.
#ifndef CLSORT_COMMON_SUB_GROUP_INTEL_CL
#define CLSORT_COMMON_SUB_GROUP_INTEL_CL

#include "common/sub_group_types.cl"

#if SUB_GROUP_SIZE > 32
#error "sub_group_intel.cl: SUB_GROUP_SIZE must be at most 32"
#endif

#if defined(cl_khr_subgroups)
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#endif

static inline uint lane_id(void)
{
    return get_sub_group_local_id();
}

static inline void sg_fence(void)
{
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
}

static inline void sg_global_fence(void)
{
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
}

// The extension has no ballot: each lane contributes one bit to a sum.
static inline lane_mask_t sg_ballot(const uint vote, __local uint *local_words)
{
    return sub_group_reduce_add((uint)(vote != 0) << lane_id());
}

static inline uint sg_shuffle(const uint value, const uint lane, __local uint *local_words)
{
    return intel_sub_group_shuffle(value, lane);
}

static inline uint sg_scan(const uint value, __local uint *local_words)
{
    return sub_group_scan_inclusive_add(value);
}

#endif
