// sub_group.cl - what the lanes of a lane group do together: work-items that run in step, or that stand for such
//
// Ballots and matches: Adinets and Merrill, "Onesweep: a faster least significant digit radix sort for GPUs",
// arXiv:2206.01784, 2022, section 4; in local memory they cost SUB_GROUP_SIZE reads and two barriers.
//
// SUB_GROUP_SIZE          lanes of a lane group, a power of two, 1 .. 64; a smaller work-group is one of local memory
// SUB_GROUP_BACKEND     how they meet. 0: in local memory; 1: cl_khr_subgroups, _ballot and _shuffle; 2: cl_intel_subgroups;
//                3: NVIDIA's PTX; 4: AMD's builtins
// SUB_GROUP_ATTRIBUTE          goes between __kernel and the name of a kernel that calls these functions
//
// Lane groups are full, and number a work-group's work-items in their order: the engine has seen that they do, or
// SUB_GROUP_BACKEND is 0. All work-items of the lane group call each of these functions together, and of the work-group where
// SUB_GROUP_BACKEND is 0: there they meet at barriers. `room`: GROUP_SIZE elements, free for others before and after.
#ifndef CLSORT_COMMON_SUB_GROUP_CL
#define CLSORT_COMMON_SUB_GROUP_CL

#include "common/work_group.cl"

#if GROUP_SIZE < SUB_GROUP_SIZE
#undef SUB_GROUP_SIZE
#undef SUB_GROUP_BACKEND
#define SUB_GROUP_SIZE GROUP_SIZE
#define SUB_GROUP_BACKEND 0
#endif
#if GROUP_SIZE % SUB_GROUP_SIZE > 0
#error "lanes.cl: the work-group is no whole number of lane groups"
#endif

#if SUB_GROUP_SIZE > 32
typedef ulong lane_mask_t;
#define ALL_LANES (~(lane_mask_t)0 >> (64 - SUB_GROUP_SIZE))
#else
typedef uint lane_mask_t;
#define ALL_LANES (~(lane_mask_t)0 >> (32 - SUB_GROUP_SIZE))
#endif

// Where the compiler has a choice of widths, it must be told for each kernel.
#if (SUB_GROUP_BACKEND == 1 || SUB_GROUP_BACKEND == 2) && defined(cl_intel_required_subgroup_size)
#define SUB_GROUP_ATTRIBUTE __attribute__((intel_reqd_sub_group_size(SUB_GROUP_SIZE)))
#else
#define SUB_GROUP_ATTRIBUTE
#endif

// NVIDIA's compiler disregards -cl-nv-maxrregcount for kernels whose group size it knows.
#ifdef REGISTERS
#define SUB_GROUP_KERNEL SUB_GROUP_ATTRIBUTE
#else
#define SUB_GROUP_KERNEL WORK_GROUP_KERNEL SUB_GROUP_ATTRIBUTE
#endif

#if SUB_GROUP_BACKEND == 1 || SUB_GROUP_BACKEND == 2

#if defined(cl_khr_subgroups)
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#endif

static inline uint lane_id(void)
{
    return get_sub_group_local_id();
}

static inline uint sg_index(void)
{
    return get_sub_group_id();
}

#else

static inline uint sg_index(void)
{
    return (uint)get_local_id(0) / SUB_GROUP_SIZE;
}

#endif

#if SUB_GROUP_BACKEND == 0
#include "common/sub_group_local.cl"
#elif SUB_GROUP_BACKEND == 1
#include "common/sub_group_khr.cl"
#elif SUB_GROUP_BACKEND == 2
#include "common/sub_group_intel.cl"
#elif SUB_GROUP_BACKEND == 3
#include "common/sub_group_nvidia.cl"
#elif SUB_GROUP_BACKEND == 4
#include "common/sub_group_amd.cl"
#else
#error "SUB_GROUP_BACKEND is 0 .. 4"
#endif

// -- all of them ------------------------------------------------------------------------------------------

// The lanes below this one.
static inline lane_mask_t lanes_below(void)
{
    return ((lane_mask_t)1 << lane_id()) - 1;
}

static inline uint lane_count(const lane_mask_t lanes)
{
    return (uint)popcount(lanes);
}

#if SUB_GROUP_BACKEND != 0 && SUB_GROUP_BACKEND != 3
// The lanes with the same digit, of so many bits: for each bit, those that vote like this one.
static inline lane_mask_t sg_match(const uint digit, const uint bits, __local uint *room)
{
    lane_mask_t lanes = ALL_LANES;
#pragma unroll
    for (uint i = 0; i < bits; i++)
        lanes &= sg_ballot(digit & 1u << i, room) ^ ((lane_mask_t)(digit >> i & 1) - 1);
    return lanes;
}
#endif

// -- what groups tell each other ---------------------------------------------------------------------------

// A word of global memory that is written once while other work-groups look at it. Neither orders any other access.

static inline void publish_word(__global volatile uint *word, const uint value)
{
#if SUB_GROUP_BACKEND == 3
    __asm__ volatile("st.relaxed.gpu.global.u32 [%0], %1;" : : "l"(word), "r"(value) : "memory");
#else
    atomic_xchg(word, value);
#endif
}

static inline uint read_published_word(__global volatile uint *word)
{
#if SUB_GROUP_BACKEND == 3
    uint value;
    __asm__ volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
    return value;
#else
    return atomic_or(word, 0);
#endif
}

#endif
