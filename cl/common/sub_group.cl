// sub_group.cl - sub-group operations, with one implementation (backend) per vendor extension
//
// A sub-group is a set of work-items of a work-group that execute together; each is a lane. The
// operations are those that ranking needs: ballot, match, shuffle and scan. Ballots and matches
// follow Adinets and Merrill, "Onesweep: a faster least significant digit radix sort for GPUs",
// arXiv:2206.01784, 2022, section 4.
//
//   lane_id, sg_index          the lane of the work-item, and the index of its sub-group in the
//                              group
//   sg_fence                   makes writes to local memory visible to the other lanes
//   sg_global_fence            the same for global memory; also orders reads before later writes
//   sg_ballot(vote)            mask of the lanes whose vote is not 0
//   sg_match(digit)            mask of the lanes that have the same digit
//   sg_shuffle(value, lane)    the value of another lane
//   sg_scan(value)             inclusive prefix sum over the lanes
//
// All work-items of the sub-group must call these functions together; with SUB_GROUP_BACKEND 0,
// where the functions contain barriers, all work-items of the work-group must. The functions with a
// `local_words` parameter use it only in that backend, where it has GROUP_SIZE elements and may be
// reused between calls. Every sub-group is full, and work-items are assigned to lanes in the order
// of their local IDs: the library checks this at run time (src/device/sub_group.c) and falls back
// to SUB_GROUP_BACKEND 0 if it does not hold.
//
// Cost: a ballot or match in local memory takes SUB_GROUP_SIZE reads and two barriers.
//
// Options, besides those of work_group.cl:
//   SUB_GROUP_SIZE       lanes of a sub-group: a power of two, 1 .. 64
//   SUB_GROUP_BACKEND    0: emulation in local memory
//                        1: cl_khr_subgroups, cl_khr_subgroup_ballot and cl_khr_subgroup_shuffle
//                        2: cl_intel_subgroups
//                        3: NVIDIA PTX
//                        4: AMD compiler builtins
//   REGISTERS            the limit of -cl-nv-maxrregcount, defined only if the program is compiled
//                        with it; kernels then do not declare their work-group size
#ifndef CLSORT_COMMON_SUB_GROUP_CL
#define CLSORT_COMMON_SUB_GROUP_CL

#include "common/sub_group_types.cl"

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
#error "sub_group.cl: SUB_GROUP_BACKEND must be 0 .. 4"
#endif

// Intel compilers choose a sub-group size for each kernel unless the kernel requires one.
#if (SUB_GROUP_BACKEND == 1 || SUB_GROUP_BACKEND == 2) && defined(cl_intel_required_subgroup_size)
#define SUB_GROUP_ATTRIBUTE __attribute__((intel_reqd_sub_group_size(SUB_GROUP_SIZE)))
#else
#define SUB_GROUP_ATTRIBUTE
#endif

// The attributes of a kernel that uses sub-groups. NVIDIA's compiler ignores -cl-nv-maxrregcount
// for kernels whose work-group size is fixed.
#ifdef REGISTERS
#define SUB_GROUP_KERNEL SUB_GROUP_ATTRIBUTE
#else
#define SUB_GROUP_KERNEL WORK_GROUP_KERNEL SUB_GROUP_ATTRIBUTE
#endif

static inline uint sg_index(void)
{
#if SUB_GROUP_BACKEND == 1 || SUB_GROUP_BACKEND == 2
    return get_sub_group_id();
#else
    return (uint)get_local_id(0) / SUB_GROUP_SIZE;
#endif
}

static inline lane_mask_t lanes_below(void)
{
    return ((lane_mask_t)1 << lane_id()) - 1;
}

static inline lane_mask_t lanes_up_to(void)
{
    return ALL_LANES >> (SUB_GROUP_SIZE - 1 - lane_id());
}

static inline uint lane_count(const lane_mask_t lanes)
{
    return (uint)popcount(lanes);
}

// The highest lane of a mask that is not empty.
static inline uint sg_highest(const lane_mask_t lanes)
{
    return (uint)(8 * sizeof(lane_mask_t) - 1 - clz(lanes));
}

#if SUB_GROUP_BACKEND != 0 && SUB_GROUP_BACKEND != 3
// Intersects, over the bits of the digit, the lanes that agree with this one in the bit: one ballot
// per bit.
static inline lane_mask_t sg_match(const uint digit, const uint bits, __local uint *local_words)
{
    lane_mask_t lanes = ALL_LANES;
#pragma unroll
    for (uint i = 0; i < bits; i++) {
        lanes &= sg_ballot(digit & 1u << i, local_words) ^ ((lane_mask_t)(digit >> i & 1) - 1);
    }
    return lanes;
}
#endif

// -- publication between work-groups --------------------------------------------------------------

// Relaxed atomic write and read of a word in global memory. They do not order other memory
// accesses.

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

// Orders this work-item's accesses of global memory for the whole device with SUB_GROUP_BACKEND 3. With
// other backends it is mem_fence, which OpenCL C 1.2 does not define between work-groups; the host launches
// kernels with steps there in tests only (cls_started_groups_progress).
static inline void device_fence(void)
{
#if SUB_GROUP_BACKEND == 3
    __asm__ volatile("fence.acq_rel.gpu;" : : : "memory");
#else
    mem_fence(CLK_GLOBAL_MEM_FENCE);
#endif
}

#endif
