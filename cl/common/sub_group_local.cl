// sub_group_local.cl - sub-group operations: work-items that stand for a sub-group and meet in local memory
#ifndef CLSORT_COMMON_SUB_GROUP_LOCAL_CL
#define CLSORT_COMMON_SUB_GROUP_LOCAL_CL

static inline uint lane_id(void)
{
    return (uint)get_local_id(0) % SUB_GROUP_SIZE;
}

// The lane group's own writes to local memory are seen by its lanes.
static inline void sg_fence(void)
{
#if SUB_GROUP_SIZE > 1
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
}

// The lanes whose value is `value`.
static inline lane_mask_t lanes_alike(const uint mine, const uint value, __local uint *room)
{
#if SUB_GROUP_SIZE > 1
    const uint t = (uint)get_local_id(0), first = t - t % SUB_GROUP_SIZE;
    lane_mask_t lanes = 0;
    room[t] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint i = 0; i < SUB_GROUP_SIZE; i++)
        lanes |= (lane_mask_t)(room[first + i] == value) << i;
    barrier(CLK_LOCAL_MEM_FENCE);
    return lanes;
#else
    return mine == value;
#endif
}

// The lanes whose vote is not 0.
static inline lane_mask_t sg_ballot(const uint vote, __local uint *room)
{
    return lanes_alike(vote != 0, 1, room);
}

static inline lane_mask_t sg_match(const uint digit, const uint bits, __local uint *room)
{
    return lanes_alike(digit, digit, room);
}

static inline uint sg_shuffle(const uint value, const uint lane, __local uint *room)
{
#if SUB_GROUP_SIZE > 1
    const uint t = (uint)get_local_id(0);
    room[t] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint other = room[t - t % SUB_GROUP_SIZE + lane];
    barrier(CLK_LOCAL_MEM_FENCE);
    return other;
#else
    return value;
#endif
}

static inline uint sg_scan(const uint value, __local uint *room)
{
#if SUB_GROUP_SIZE > 1
    const uint t = (uint)get_local_id(0), first = t - t % SUB_GROUP_SIZE;
    uint sum = 0;
    room[t] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint i = 0; i < SUB_GROUP_SIZE; i++)
        sum += first + i <= t ? room[first + i] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    return sum;
#else
    return value;
#endif
}

#endif
