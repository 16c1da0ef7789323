// lanes.cl - what the lanes of a lane group do together: work-items that run in step, or that stand for such
//
// Ballots and matches: Adinets and Merrill, "Onesweep: a faster least significant digit radix sort for GPUs",
// arXiv:2206.01784, 2022, section 4; in local memory they cost LANES reads and two barriers.
//
// LANES          lanes of a lane group, a power of two, 1 .. 64; a smaller work-group is one of local memory
// LANES_BODY     how they meet. 0: in local memory; 1: cl_khr_subgroups, _ballot and _shuffle; 2: cl_intel_subgroups;
//                3: NVIDIA's PTX; 4: AMD's builtins
// LANED          goes between __kernel and the name of a kernel that calls these functions
//
// Lane groups are full, and number a work-group's work-items in their order: the engine has seen that they do, or
// LANES_BODY is 0. All work-items of the lane group call each of these functions together, and of the work-group where
// LANES_BODY is 0: there they meet at barriers. `room`: GROUP_SIZE elements, free for others before and after.

#if !defined(GROUP_SIZE) || !defined(LANES) || !defined(LANES_BODY)
#error "lanes.cl needs GROUP_SIZE, LANES and LANES_BODY"
#endif

#if GROUP_SIZE < LANES
#undef LANES
#undef LANES_BODY
#define LANES GROUP_SIZE
#define LANES_BODY 0
#endif
#if GROUP_SIZE % LANES > 0
#error "lanes.cl: the work-group is no whole number of lane groups"
#endif

#if LANES > 32
typedef ulong lane_mask_t;
#define LANES_ALL (~(lane_mask_t)0 >> (64 - LANES))
#else
typedef uint lane_mask_t;
#define LANES_ALL (~(lane_mask_t)0 >> (32 - LANES))
#endif

// Where the compiler has a choice of widths, it must be told for each kernel.
#if (LANES_BODY == 1 || LANES_BODY == 2) && defined(cl_intel_required_subgroup_size)
#define LANED __attribute__((intel_reqd_sub_group_size(LANES)))
#else
#define LANED
#endif

#if LANES_BODY == 1 || LANES_BODY == 2

#if defined(cl_khr_subgroups)
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#endif

static inline uint lane_id(void)
{
    return get_sub_group_local_id();
}

static inline uint lane_group(void)
{
    return get_sub_group_id();
}

#else

static inline uint lane_group(void)
{
    return (uint)get_local_id(0) / LANES;
}

#endif

#if LANES_BODY == 0
// -- local memory --------------------------------------------------------------------------------

static inline uint lane_id(void)
{
    return (uint)get_local_id(0) % LANES;
}

// The lane group's own writes to local memory are seen by its lanes.
static inline void lane_fence(void)
{
#if LANES > 1
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
}

// The lanes whose value is `value`.
static inline lane_mask_t lanes_alike(const uint mine, const uint value, __local uint *room)
{
#if LANES > 1
    const uint t = (uint)get_local_id(0), first = t - t % LANES;
    lane_mask_t lanes = 0;
    room[t] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint i = 0; i < LANES; i++)
        lanes |= (lane_mask_t)(room[first + i] == value) << i;
    barrier(CLK_LOCAL_MEM_FENCE);
    return lanes;
#else
    return mine == value;
#endif
}

// The lanes whose vote is not 0.
static inline lane_mask_t lanes_ballot(const uint vote, __local uint *room)
{
    return lanes_alike(vote != 0, 1, room);
}

static inline lane_mask_t lanes_match(const uint digit, const uint bits, __local uint *room)
{
    return lanes_alike(digit, digit, room);
}

static inline uint lane_shuffle(const uint value, const uint lane, __local uint *room)
{
#if LANES > 1
    const uint t = (uint)get_local_id(0);
    room[t] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint other = room[t - t % LANES + lane];
    barrier(CLK_LOCAL_MEM_FENCE);
    return other;
#else
    return value;
#endif
}

static inline uint lane_scan(const uint value, __local uint *room)
{
#if LANES > 1
    const uint t = (uint)get_local_id(0), first = t - t % LANES;
    uint sum = 0;
    room[t] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint i = 0; i < LANES; i++)
        sum += first + i <= t ? room[first + i] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    return sum;
#else
    return value;
#endif
}

#elif LANES_BODY == 1
// -- cl_khr_subgroups ----------------------------------------------------------------------------

static inline void lane_fence(void)
{
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
}

static inline lane_mask_t lanes_ballot(const uint vote, __local uint *room)
{
    const uint4 votes = sub_group_ballot(vote);
#if LANES > 32
    return (lane_mask_t)votes.y << 32 | votes.x;
#else
    return votes.x;
#endif
}

static inline uint lane_shuffle(const uint value, const uint lane, __local uint *room)
{
    return sub_group_shuffle(value, lane);
}

static inline uint lane_scan(const uint value, __local uint *room)
{
    return sub_group_scan_inclusive_add(value);
}

#elif LANES_BODY == 2
// -- cl_intel_subgroups --------------------------------------------------------------------------

#if LANES > 32
#error "lanes.cl: cl_intel_subgroups has no more than 32 lanes"
#endif

static inline void lane_fence(void)
{
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
}

static inline lane_mask_t lanes_ballot(const uint vote, __local uint *room)
{
    return sub_group_reduce_add((uint)(vote != 0) << lane_id());
}

static inline uint lane_shuffle(const uint value, const uint lane, __local uint *room)
{
    return intel_sub_group_shuffle(value, lane);
}

static inline uint lane_scan(const uint value, __local uint *room)
{
    return sub_group_scan_inclusive_add(value);
}

#elif LANES_BODY == 3
// -- PTX -----------------------------------------------------------------------------------------

#if LANES != 32
#error "lanes.cl: NVIDIA's lane groups have 32 lanes"
#endif

static inline uint lane_id(void)
{
    uint lane;
    __asm__("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

static inline void lane_fence(void)
{
    __asm__ volatile("bar.warp.sync 0xffffffff;" : : : "memory");
}

static inline lane_mask_t lanes_ballot(const uint vote, __local uint *room)
{
    uint votes;
    __asm__ volatile(
        "{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
        : "=r"(votes)
        : "r"(vote));
    return votes;
}

// As of all others, but that it takes four instructions a bit. (match.any.sync is slower where digits differ.)
static inline lane_mask_t lanes_match(const uint digit, const uint bits, __local uint *room)
{
    uint lanes = LANES_ALL;
#pragma unroll
    for (uint bit = 0; bit < bits; bit++) {
        uint alike; // the lanes whose bit is ours
        __asm__ volatile(
            "{ .reg .pred p; .reg .u32 d; and.b32 d, %1, %2; setp.ne.u32 p, d, 0;"
            " vote.sync.ballot.b32 d, p, 0xffffffff; @!p not.b32 d, d; mov.u32 %0, d; }"
            : "=r"(alike)
            : "r"(digit), "r"(1u << bit));
        lanes &= alike;
    }
    return lanes;
}

static inline uint lane_shuffle(const uint value, const uint lane, __local uint *room)
{
    uint other;
    __asm__ volatile("shfl.sync.idx.b32 %0, %1, %2, 31, 0xffffffff;"
                     : "=r"(other)
                     : "r"(value), "r"(lane));
    return other;
}

static inline uint lane_scan(const uint value, __local uint *room)
{
    uint sum = value;
#pragma unroll
    for (uint distance = 1; distance < LANES; distance *= 2)
        __asm__ volatile(
            "{ .reg .pred p; .reg .u32 s; shfl.sync.up.b32 s|p, %0, %1, 0, 0xffffffff;"
            " @p add.u32 %0, %0, s; }"
            : "+r"(sum)
            : "r"(distance));
    return sum;
}

#else
// -- AMD's builtins ------------------------------------------------------------------------------

#if LANES_BODY != 4 || LANES < 32
#error "lanes.cl: LANES_BODY is 0 .. 4, and AMD's lane groups have 32 or 64 lanes"
#endif

static inline uint lane_id(void)
{
#if LANES > 32
    return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
#else
    return __builtin_amdgcn_mbcnt_lo(~0u, 0);
#endif
}

static inline void lane_fence(void)
{
    __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
    __builtin_amdgcn_wave_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
}

static inline lane_mask_t lanes_ballot(const uint vote, __local uint *room)
{
    return (lane_mask_t)__builtin_amdgcn_uicmp(vote, 0, 33); // "not equal", in LLVM's numbers
}

static inline uint lane_shuffle(const uint value, const uint lane, __local uint *room)
{
    return (uint)__builtin_amdgcn_ds_bpermute((int)(4 * lane), (int)value);
}

static inline uint lane_scan(const uint value, __local uint *room)
{
    const uint lane = lane_id();
    uint sum = value;
#pragma unroll
    for (uint distance = 1; distance < LANES; distance *= 2) {
        const uint other = lane_shuffle(sum, lane - distance & LANES - 1, room);
        sum += lane >= distance ? other : 0;
    }
    return sum;
}

#endif

// -- all of them ------------------------------------------------------------------------------------------

// The lanes below this one.
static inline lane_mask_t lanes_before(void)
{
    return ((lane_mask_t)1 << lane_id()) - 1;
}

static inline uint lanes_count(const lane_mask_t lanes)
{
    return (uint)popcount(lanes);
}

#if LANES_BODY != 0 && LANES_BODY != 3
// The lanes with the same digit, of so many bits: for each bit, those that vote like this one.
static inline lane_mask_t lanes_match(const uint digit, const uint bits, __local uint *room)
{
    lane_mask_t lanes = LANES_ALL;
#pragma unroll
    for (uint i = 0; i < bits; i++)
        lanes &= lanes_ballot(digit & 1u << i, room) ^ ((lane_mask_t)(digit >> i & 1) - 1);
    return lanes;
}
#endif

// -- what groups tell each other ---------------------------------------------------------------------------

// A word of global memory that is written once while other work-groups look at it. Neither orders any other access.

static inline void tell_word(__global volatile uint *word, const uint value)
{
#if LANES_BODY == 3
    __asm__ volatile("st.relaxed.gpu.global.u32 [%0], %1;" : : "l"(word), "r"(value) : "memory");
#else
    atomic_xchg(word, value);
#endif
}

static inline uint see_word(__global volatile uint *word)
{
#if LANES_BODY == 3
    uint value;
    __asm__ volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
    return value;
#else
    return atomic_or(word, 0);
#endif
}
