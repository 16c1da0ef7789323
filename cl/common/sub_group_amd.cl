// sub_group_amd.cl - sub-group operations: AMD's wavefronts, by compiler builtins
#ifndef CLSORT_COMMON_SUB_GROUP_AMD_CL
#define CLSORT_COMMON_SUB_GROUP_AMD_CL

#if SUB_GROUP_BACKEND != 4 || SUB_GROUP_SIZE < 32
#error "lanes.cl: SUB_GROUP_BACKEND is 0 .. 4, and AMD's lane groups have 32 or 64 lanes"
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

static inline lane_mask_t sg_ballot(const uint vote, __local uint *room)
{
    return (lane_mask_t)__builtin_amdgcn_uicmp(vote, 0, 33); // "not equal", in LLVM's numbers
}

static inline uint sg_shuffle(const uint value, const uint lane, __local uint *room)
{
    return (uint)__builtin_amdgcn_ds_bpermute((int)(4 * lane), (int)value);
}

static inline uint sg_scan(const uint value, __local uint *room)
{
    const uint lane = lane_id();
    uint sum = value;
#pragma unroll
    for (uint distance = 1; distance < SUB_GROUP_SIZE; distance *= 2) {
        const uint other = sg_shuffle(sum, lane - distance & SUB_GROUP_SIZE - 1, room);
        sum += lane >= distance ? other : 0;
    }
    return sum;
}

#endif
