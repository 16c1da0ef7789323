// sub_group_khr.cl - sub-group operations: cl_khr_subgroups with _ballot and _shuffle
#ifndef CLSORT_COMMON_SUB_GROUP_KHR_CL
#define CLSORT_COMMON_SUB_GROUP_KHR_CL

static inline void sg_fence(void)
{
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
}

static inline lane_mask_t sg_ballot(const uint vote, __local uint *room)
{
    const uint4 votes = sub_group_ballot(vote);
#if SUB_GROUP_SIZE > 32
    return (lane_mask_t)votes.y << 32 | votes.x;
#else
    return votes.x;
#endif
}

static inline uint sg_shuffle(const uint value, const uint lane, __local uint *room)
{
    return sub_group_shuffle(value, lane);
}

static inline uint sg_scan(const uint value, __local uint *room)
{
    return sub_group_scan_inclusive_add(value);
}

#endif
