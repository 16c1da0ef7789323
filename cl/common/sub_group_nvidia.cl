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

// The instruction orders accesses of all memory.
static inline void sg_global_fence(void)
{
    sg_fence();
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

// Returns a number all of whose bits are set, which the compiler does not know.
static inline uint unknown_ones(void)
{
    uint below, others;
    __asm__("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
    __asm__("mov.u32 %0, %%lanemask_ge;" : "=r"(others));
    return below | others;
}

// Returns the lanes whose bit of the digit equals that of this lane.
static inline uint agreeing_lanes(const uint digit, const uint bit, const uint ones)
{
    uint lanes;
    __asm__ volatile(
        "{ .reg .pred p; .reg .u32 d; and.b32 d, %1, %2; setp.ne.u32 p, d, 0;"
        " vote.sync.ballot.b32 d, p, 0xffffffff; @!p mad.lo.u32 d, d, %3, %3;"
        " mov.u32 %0, d; }"
        : "=r"(lanes)
        : "r"(digit), "r"(1u << bit), "r"(ones));
    return lanes;
}

// One ballot per bit, as in sub_group.cl. match.any.sync is slower if digits differ. Logic
// operations limit the speed of ranking. Therefore the complement of a ballot is computed as
// ballot * -1 - 1, since multiply-adds have a pipe of their own; compilers would make it a logic
// operation if they knew the factor. And the lanes of three ballots are intersected at once.
static inline lane_mask_t sg_match(const uint digit, const uint bits, __local uint *local_words)
{
    const uint ones = unknown_ones();
    uint lanes = agreeing_lanes(digit, 0, ones);
#pragma unroll
    for (uint bit = 1; bit < bits; bit += 2) {
        const uint first = agreeing_lanes(digit, bit, ones);
        const uint second = bit + 1 < bits ? agreeing_lanes(digit, bit + 1, ones) : ALL_LANES;
        __asm__("lop3.b32 %0, %1, %2, %3, 0x80;"
                : "=r"(lanes)
                : "r"(lanes), "r"(first), "r"(second));
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
