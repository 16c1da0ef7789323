// sub_group_khr.cl - sub-group operations by cl_khr_subgroups, cl_khr_subgroup_ballot and
// cl_khr_subgroup_shuffle
//
// The interface and the options are described in sub_group.cl.
#ifndef CLSORT_COMMON_SUB_GROUP_KHR_CL
#define CLSORT_COMMON_SUB_GROUP_KHR_CL

#include "common/sub_group_types.cl"

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

static inline lane_mask_t sg_ballot(const uint vote, __local uint *local_words)
{
    const uint4 votes = sub_group_ballot(vote);
#if SUB_GROUP_SIZE > 32
    return (lane_mask_t)votes.y << 32 | votes.x;
#else
    return votes.x;
#endif
}

static inline uint sg_shuffle(const uint value, const uint lane, __local uint *local_words)
{
    return sub_group_shuffle(value, lane);
}

static inline uint sg_scan(const uint value, __local uint *local_words)
{
    return sub_group_scan_inclusive_add(value);
}

#endif
