// sub_group_local.cl - sub-group operations emulated in local memory, for devices without
// sub-groups
//
// The interface and the options are described in sub_group.cl. All functions but lane_id contain
// barriers, unless SUB_GROUP_SIZE is 1.
#ifndef CLSORT_COMMON_SUB_GROUP_LOCAL_CL
#define CLSORT_COMMON_SUB_GROUP_LOCAL_CL

#include "common/sub_group_types.cl"

static inline uint lane_id(void)
{
    return (uint)get_local_id(0) % SUB_GROUP_SIZE;
}

static inline void sg_fence(void)
{
#if SUB_GROUP_SIZE > 1
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
}

static inline void sg_global_fence(void)
{
#if SUB_GROUP_SIZE > 1
    barrier(CLK_GLOBAL_MEM_FENCE);
#endif
}

// Returns the lanes whose `mine` equals the `wanted` of this lane.
static inline lane_mask_t lanes_with(const uint mine, const uint wanted, __local uint *local_words)
{
#if SUB_GROUP_SIZE > 1
    const uint t = (uint)get_local_id(0), first = t - t % SUB_GROUP_SIZE;
    lane_mask_t lanes = 0;
    local_words[t] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint i = 0; i < SUB_GROUP_SIZE; i++) {
        lanes |= (lane_mask_t)(local_words[first + i] == wanted) << i;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return lanes;
#else
    return mine == wanted;
#endif
}

static inline lane_mask_t sg_ballot(const uint vote, __local uint *local_words)
{
    return lanes_with(vote != 0, 1, local_words);
}

static inline lane_mask_t sg_match(const uint digit, const uint bits, __local uint *local_words)
{
    return lanes_with(digit, digit, local_words);
}

static inline uint sg_shuffle(const uint value, const uint lane, __local uint *local_words)
{
#if SUB_GROUP_SIZE > 1
    const uint t = (uint)get_local_id(0);
    local_words[t] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint other = local_words[t - t % SUB_GROUP_SIZE + lane];
    barrier(CLK_LOCAL_MEM_FENCE);
    return other;
#else
    return value;
#endif
}

static inline uint sg_scan(const uint value, __local uint *local_words)
{
#if SUB_GROUP_SIZE > 1
    const uint t = (uint)get_local_id(0), first = t - t % SUB_GROUP_SIZE;
    uint sum = 0;
    local_words[t] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint i = 0; i < SUB_GROUP_SIZE; i++) {
        sum += first + i <= t ? local_words[first + i] : 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return sum;
#else
    return value;
#endif
}

#endif
