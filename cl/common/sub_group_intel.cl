// sub_group_intel.cl - sub-group operations: cl_intel_subgroups
#ifndef CLSORT_COMMON_SUB_GROUP_INTEL_CL
#define CLSORT_COMMON_SUB_GROUP_INTEL_CL

#if SUB_GROUP_SIZE > 32
#error "lanes.cl: cl_intel_subgroups has no more than 32 lanes"
#endif

static inline void sg_fence(void)
{
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
}

static inline lane_mask_t sg_ballot(const uint vote, __local uint *room)
{
    return sub_group_reduce_add((uint)(vote != 0) << lane_id());
}

static inline uint sg_shuffle(const uint value, const uint lane, __local uint *room)
{
    return intel_sub_group_shuffle(value, lane);
}

static inline uint sg_scan(const uint value, __local uint *room)
{
    return sub_group_scan_inclusive_add(value);
}

#endif
