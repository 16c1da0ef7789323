// sub_group_amd.cl - sub-group operations on AMD's wavefronts, by compiler builtins
//
// The interface and the options are described in sub_group.cl.
#ifndef CLSORT_COMMON_SUB_GROUP_AMD_CL
#define CLSORT_COMMON_SUB_GROUP_AMD_CL

#include "common/sub_group_types.cl"

#if SUB_GROUP_SIZE < 32
#error "sub_group_amd.cl: SUB_GROUP_SIZE must be 32 or 64"
#endif

static inline uint lane_id(void)
{
#if SUB_GROUP_SIZE > 32
    return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
#else
    return __builtin_amdgcn_mbcnt_lo(~0u, 0);
#endif
}

static inline void sg_fence(void)
{
    __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
    __builtin_amdgcn_wave_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
}

// These fences order accesses of all memory.
static inline void sg_global_fence(void)
{
    sg_fence();
}

static inline lane_mask_t sg_ballot(const uint vote, __local uint *local_words)
{
    return (lane_mask_t)__builtin_amdgcn_uicmp(vote, 0, 33); // 33 is llvm::CmpInst::ICMP_NE
}

static inline uint sg_shuffle(const uint value, const uint lane, __local uint *local_words)
{
    return (uint)__builtin_amdgcn_ds_bpermute((int)(4 * lane), (int)value);
}

static inline uint sg_scan(const uint value, __local uint *local_words)
{
    const uint lane = lane_id();
    uint sum = value;
#pragma unroll
    for (uint distance = 1; distance < SUB_GROUP_SIZE; distance *= 2) {
        const uint other = sg_shuffle(sum, lane - distance & SUB_GROUP_SIZE - 1, local_words);
        sum += lane >= distance ? other : 0;
    }
    return sum;
}

#endif
