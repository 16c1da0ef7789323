// sub_group_nvidia.cl - sub-group operations on NVIDIA's warps, by inline PTX
//
// The interface and the options are described in sub_group.cl.
#ifndef CLSORT_COMMON_SUB_GROUP_NVIDIA_CL
#define CLSORT_COMMON_SUB_GROUP_NVIDIA_CL

#include "common/sub_group_types.cl"

#if SUB_GROUP_SIZE != 32
#error "sub_group_nvidia.cl: SUB_GROUP_SIZE must be 32"
#endif

static inline uint lane_id(void)
{
    uint lane;
    __asm__("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

static inline void sg_fence(void)
{
    __asm__ volatile("bar.warp.sync 0xffffffff;" : : : "memory");
}

static inline lane_mask_t sg_ballot(const uint vote, __local uint *local_words)
{
    uint votes;
    __asm__ volatile(
        "{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
        : "=r"(votes)
        : "r"(vote));
    return votes;
}

// One ballot per bit, as in sub_group.cl, but in four instructions per bit. match.any.sync is
// slower if digits differ.
static inline lane_mask_t sg_match(const uint digit, const uint bits, __local uint *local_words)
{
    uint lanes = ALL_LANES;
#pragma unroll
    for (uint bit = 0; bit < bits; bit++) {
        uint agreeing; // the lanes whose bit equals that of this lane
        __asm__ volatile(
            "{ .reg .pred p; .reg .u32 d; and.b32 d, %1, %2; setp.ne.u32 p, d, 0;"
            " vote.sync.ballot.b32 d, p, 0xffffffff; @!p not.b32 d, d; mov.u32 %0, d; }"
            : "=r"(agreeing)
            : "r"(digit), "r"(1u << bit));
        lanes &= agreeing;
    }
    return lanes;
}

static inline uint sg_shuffle(const uint value, const uint lane, __local uint *local_words)
{
    uint other;
    __asm__ volatile("shfl.sync.idx.b32 %0, %1, %2, 31, 0xffffffff;"
                     : "=r"(other)
                     : "r"(value), "r"(lane));
    return other;
}

static inline uint sg_scan(const uint value, __local uint *local_words)
{
    uint sum = value;
#pragma unroll
    for (uint distance = 1; distance < SUB_GROUP_SIZE; distance *= 2) {
        __asm__ volatile(
            "{ .reg .pred p; .reg .u32 s; shfl.sync.up.b32 s|p, %0, %1, 0, 0xffffffff;"
            " @p add.u32 %0, %0, s; }"
            : "+r"(sum)
            : "r"(distance));
    }
    return sum;
}

#endif
