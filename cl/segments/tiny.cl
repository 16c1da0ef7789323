// tiny.cl - sorts tiny segments in the registers of sub-groups
//
// A team of lanes sorts a segment by a bitonic network in which all steps ascend (Batcher, "Sorting
// networks and their applications", AFIPS 1968, p. 307; Knuth, "The Art of Computer Programming",
// volume 3, 2nd ed., 1998, 5.3.4, exercise 57). Lane i of a team of n lanes has the elements i, i + n,
// i + 2 n and so on, in its slots, so that global memory is accessed in order, and wide steps of the
// network need no other lane. A sub-group is one team, or several teams if all tiny segments of the tile
// are short. There are as many slots as the segment needs.
//
// The network sorts numbers that have the ordered key in their upper bits and, if there are values, the
// element's position in the segment in the lower ones. Keys of 8 bytes are accompanied by the position.
//
// The segments are divided among work-groups by tiles, parts of the array of equal size: a tile has the
// segments that begin in it. Longer segments are sorted by MSD radix sort (long.cl).
//
// Kernels, in launch order, after those of bounds.cl:
//   segments_find_first   per tile: finds the first segment that begins in it or after it
//   segments_sort_tiny    per tile: sorts its tiny segments
//
// Cost: a read and a write of each element. A network of n elements has log2(n) (log2(n) + 1) / 2 steps;
// a step takes about three instructions per number of 4 bytes, and seven if there are 8 bytes or a
// position. Measured (H100, 2^26 u32 keys): segments of 4, 64 and 256 keys take 0.36, 0.47 and 0.54 ms, which is
// 0.50, 0.38 and 0.33 of a read and a write at 2.98 TB/s.
//
// Options, besides those of sub_group.cl:
//   TINY_SLOTS    the maximum number of elements of a lane: 4, 8 or 16. A segment of at most
//                 TINY_SLOTS * SUB_GROUP_SIZE elements is tiny
//   SPLIT_GROUP   work-items of a group of segments_find_first
// Only identical keys are equal (KEY_ORDER 0 or 1).
#ifndef CLSORT_SEGMENTS_TINY_CL
#define CLSORT_SEGMENTS_TINY_CL

#include "common/arrays.cl"
#include "common/order.cl"
#include "common/sub_group.cl"
#include "common/unroll.cl"
#include "segments/layout.h"
#include "segments/list.cl"

#define MAX_TINY (TINY_SLOTS * SUB_GROUP_SIZE)
#define SUB_GROUP_BITS                                                                             \
    (SUB_GROUP_SIZE == 64 ? 6 : SUB_GROUP_SIZE == 32 ? 5 : SUB_GROUP_SIZE == 16 ? 4 : 3)

// -- numbers --------------------------------------------------------------------------------------

#if KEY_BYTES == 8 || (KEY_BYTES == 4 && VALUE_BYTES > 0)
#define NUMBER_BYTES 8
typedef ulong number_t;
#else
#define NUMBER_BYTES 4
typedef uint number_t;
#endif

#define HAS_POSITIONS (KEY_BYTES == 8 && VALUE_BYTES > 0) // in addition to the numbers
#define POSITION_BITS (VALUE_BYTES == 0 || HAS_POSITIONS ? 0 : 8 * (NUMBER_BYTES - KEY_BYTES))

// The elements of a lane. Slots past the end of the segment have numbers that no other sorts after.
typedef struct {
    number_t number[TINY_SLOTS];
#if HAS_POSITIONS
    uint position[TINY_SLOTS];
#endif
} lane_elements_t;

static inline number_t shuffle_number(const number_t number, const uint lane, __local uint *words)
{
    const uint low = sg_shuffle((uint)number, lane, words);
#if NUMBER_BYTES == 8
    return (ulong)sg_shuffle((uint)(number >> 32), lane, words) << 32 | low;
#else
    return low;
#endif
}

// Compares an element of this lane with one of another lane, and stores the smaller or the larger one in
// slot `to` of *kept.
static inline void keep_one(lane_elements_t *kept, const uint to, const lane_elements_t *e,
                            const uint others_slot, const uint lane, const bool keeps_low,
                            __local uint *words)
{
    const number_t own = e->number[to], other = shuffle_number(e->number[others_slot], lane, words);
#if HAS_POSITIONS
    const uint position = e->position[to],
               others = sg_shuffle(e->position[others_slot], lane, words);
    const bool takes = (other < own || (other == own && others < position)) == keeps_low;
    kept->number[to] = takes ? other : own;
    kept->position[to] = takes ? others : position;
#else
    kept->number[to] = keeps_low ? min(own, other) : max(own, other);
#endif
}

// Exchanges two elements of this lane unless they are in order.
static inline void exchange_slots(lane_elements_t *e, const uint low, const uint high)
{
    const number_t a = e->number[low], b = e->number[high];
#if HAS_POSITIONS
    const uint position_a = e->position[low], position_b = e->position[high];
    const bool swaps = b < a || (b == a && position_b < position_a);
    e->number[low] = swaps ? b : a;
    e->number[high] = swaps ? a : b;
    e->position[low] = swaps ? position_b : position_a;
    e->position[high] = swaps ? position_a : position_b;
#else
    e->number[low] = min(a, b);
    e->number[high] = max(a, b);
#endif
}

// -- the network ----------------------------------------------------------------------------------

// The lanes of each team compare the elements of each slot with those of lane `lane`. keeps_low: this
// lane is the one of the two that keeps the smaller elements.
static inline void compare_lanes(lane_elements_t *e, const uint slots, const uint lane,
                                 const bool keeps_low, __local uint *words)
{
    UNROLL
    for (uint i = 0; i < slots; i++) {
        keep_one(e, i, e, i, lane, keeps_low, words);
    }
}

// Networks of few slots are unrolled; the others would take long to compile.
#define MAX_UNROLLED_SLOTS 4u
#define FOR_EACH(i, count, slots, statement)                                                       \
    if (slots <= MAX_UNROLLED_SLOTS) {                                                             \
        UNROLL                                                                                     \
        for (uint i = 0; i < count; i++) {                                                         \
            statement;                                                                             \
        }                                                                                          \
    } else {                                                                                       \
        for (uint i = 0; i < count; i++) {                                                         \
            statement;                                                                             \
        }                                                                                          \
    }

// Steps of a merge that compare elements of the same slot, at the distances 2^(bits - 1) to 1.
static inline void merge_lanes(lane_elements_t *e, const uint slots, const uint bits,
                               __local uint *words)
{
    const uint lane = lane_id();
#define DISTANCE (1u << (bits - 1 - step))
    FOR_EACH(step, bits, slots,
             compare_lanes(e, slots, lane ^ DISTANCE, (lane & DISTANCE) == 0, words))
#undef DISTANCE
}

// Sorts the elements of each slot, by merging runs of 1, 2, 4 and so on. The first step of a merge
// compares the elements of one run with those of the other in reverse order.
static inline void sort_slots(lane_elements_t *e, const uint slots, const uint team_bits,
                              __local uint *words)
{
    const uint lane = lane_id();
#define MERGE_RUNS                                                                                 \
    compare_lanes(e, slots, lane ^ ((2u << bits) - 1), (lane & 1u << bits) == 0, words);           \
    merge_lanes(e, slots, bits, words)
    FOR_EACH(bits, team_bits, slots, MERGE_RUNS)
#undef MERGE_RUNS
}

// Sorts the elements of each team in the first 2^slot_bits slots. The numbers of bits are constants.
static inline __attribute__((always_inline)) void
sort_teams(lane_elements_t *e, const uint team_bits, const uint slot_bits, __local uint *words)
{
    const uint lane = lane_id(), slots = 1u << slot_bits, mirror = lane ^ ((1u << team_bits) - 1);
    sort_slots(e, slots, team_bits, words);
    // Neighbouring runs of 2^(bits - 1) slots are merged in the same way.
    UNROLL
    for (uint bits = 1; bits <= slot_bits; bits++) {
        const uint top = 1u << (bits - 1);
        lane_elements_t kept;
        UNROLL
        for (uint i = 0; i < slots; i++) {
            keep_one(&kept, i, e, i ^ (2 * top - 1), mirror, (i & top) == 0, words);
        }
        UNROLL
        for (uint i = 0; i < slots; i++) {
            e->number[i] = kept.number[i];
#if HAS_POSITIONS
            e->position[i] = kept.position[i];
#endif
        }
        UNROLL
        for (uint step = 1; step < bits; step++) {
            const uint apart = top >> step;
            UNROLL
            for (uint i = 0; i < slots; i++) {
                if ((i & apart) == 0) {
                    exchange_slots(e, i, i + apart);
                }
            }
        }
        merge_lanes(e, slots, team_bits, words);
    }
}

// Sorts the segment of each team. All work-items of a sub-group call this together, and with
// SUB_GROUP_BACKEND 0 all of the group.
static inline __attribute__((always_inline)) void
sort_tiny(const segment_t segment, const uint team_bits, const uint slot_bits, KEY_ARRAYS,
          VALUE_ARRAYS const key_t flip, __local uint *words)
{
    const uint member = lane_id() & ((1u << team_bits) - 1);
    const uint length = (uint)(segment.end - segment.begin);
    __global const key_t *from = AT(const key_t, keys) + segment.begin;
    __global key_t *to = AT(key_t, keys_to) + segment.begin;
    lane_elements_t e;
    UNROLL
    for (uint i = 0; i < 1u << slot_bits; i++) {
        const uint position = member + (i << team_bits);
        e.number[i] = ~(number_t)0;
        if (position < length) {
            e.number[i] = (number_t)ordered(from[position], flip) << POSITION_BITS;
        }
#if HAS_POSITIONS
        e.position[i] = position;
#elif VALUE_BYTES > 0
        e.number[i] |= position;
#endif
    }
    sort_teams(&e, team_bits, slot_bits, words);
#if VALUE_BYTES > 0
    value_t value[TINY_SLOTS];
    UNROLL
    for (uint i = 0; i < 1u << slot_bits; i++) {
#if HAS_POSITIONS
        const uint source = e.position[i];
#else
        const uint source = (uint)e.number[i] & (uint)(((ulong)1 << POSITION_BITS) - 1);
#endif
        if (member + (i << team_bits) < length) {
#if VALUE_INDEX
            value[i] = value_of_index(segment.begin + source);
#else
            value[i] = AT(const value_t, values)[segment.begin + source];
#endif
        }
    }
    sg_global_fence(); // in place, all values must be read before the first is written
#endif
    UNROLL
    for (uint i = 0; i < 1u << slot_bits; i++) {
        const uint position = member + (i << team_bits);
        if (position < length) {
            to[position] = unordered((key_t)(e.number[i] >> POSITION_BITS), flip);
            VALUES(AT(value_t, values_to)[segment.begin + position] = value[i];)
        }
    }
}

// -- the tiny segments of a tile ------------------------------------------------------------------

static inline bool is_tiny(const segment_t segment)
{
    return segment.end - segment.begin <= MAX_TINY;
}

// Loads the i-th segment, and makes it empty if it does not exist or is not tiny.
static inline void load_tiny(segment_t *segment, const segments_t segments, const index_t i,
                             const index_t high)
{
    load_segment(segment, segments, i, high, 0);
    if (!is_tiny(*segment)) {
        segment->end = segment->begin;
    }
}

// Returns the length of the longest tiny one of the segments from `low` to `high` - 1.
static inline uint longest_tiny(__local uint *maximum, const segments_t segments, const index_t low,
                                const index_t high)
{
    uint longest = 0;
    if (get_local_id(0) == 0) {
        *maximum = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (index_t i = low + (index_t)get_local_id(0); i < high; i += GROUP_SIZE) {
        segment_t segment;
        load_tiny(&segment, segments, i, high);
        longest = max(longest, (uint)(segment.end - segment.begin));
    }
    if (longest > 0) {
        atomic_max(maximum, longest);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return *maximum;
}

#define SORT_TINY(team_bits, slot_bits)                                                            \
    sort_tiny(segment, team_bits, slot_bits, KEY_ARRAYS_HERE, VALUE_ARRAYS_HERE order.flip, words)

// Sorts a segment by each team of 2^bits lanes.
#define SORT_BY_TEAMS(bits, slot_bits)                                                             \
    for (index_t first = low; first < end; first += GROUP_SIZE >> (bits)) {                        \
        load_tiny(&segment, segments, first + (t >> (bits)), high);                                \
        SORT_TINY(bits, slot_bits);                                                                \
    }

__kernel SUB_GROUP_KERNEL void segments_sort_tiny(BUFFER(control), INPUT(list), INPUT(firsts),
                                                  KEY_ARRAYS,
                                                  VALUE_ARRAYS const cls_segments_args args, ORDER)
{
    __local uint maximum;
    __local uint words[GROUP_SIZE]; // see sub_group.cl
    const order_t order = ORDER_ARGUMENTS;
    const uint tile = (uint)get_group_id(0), t = (uint)get_local_id(0);
    const segments_t segments = {AT(const segment_t, list),
                                 (index_t)AT(const cls_segments_control, control)->segments,
                                 (index_t)args.row};
    const index_t low = AT(const index_t, firsts)[tile], high = AT(const index_t, firsts)[tile + 1];
    const uint longest = longest_tiny(&maximum, segments, low, high);
    const index_t end = longest > 0 ? high : low;
    segment_t segment;
#if SUB_GROUP_BACKEND == 0
    SORT_BY_TEAMS(SUB_GROUP_BITS, 2)
#else
    if (longest <= 1) {
        SORT_BY_TEAMS(0, 0)
    }
#if SUB_GROUP_SIZE >= 16
    else if (longest <= SUB_GROUP_SIZE / 8) {
        SORT_BY_TEAMS(SUB_GROUP_BITS - 4, 1)
    }
#endif
    else if (longest <= SUB_GROUP_SIZE / 2) {
        SORT_BY_TEAMS(SUB_GROUP_BITS - 2, 1)
    } else if (longest <= SUB_GROUP_SIZE) {
        SORT_BY_TEAMS(SUB_GROUP_BITS - 1, 1)
    } else {
        for (index_t i = low + sg_index(); i < end; i += GROUP_SIZE / SUB_GROUP_SIZE) {
            load_tiny(&segment, segments, i, high);
            const index_t length = segment.end - segment.begin;
            if (length == 0) {
                continue;
            }
            if (length <= 2 * SUB_GROUP_SIZE) {
                SORT_TINY(SUB_GROUP_BITS, 1);
            } else if (length <= 4 * SUB_GROUP_SIZE) {
                SORT_TINY(SUB_GROUP_BITS, 2);
            }
#if TINY_SLOTS >= 8
            else if (length <= 8 * SUB_GROUP_SIZE) {
                SORT_TINY(SUB_GROUP_BITS, 3);
            }
#endif
#if TINY_SLOTS >= 16
            else {
                SORT_TINY(SUB_GROUP_BITS, 4);
            }
#endif
        }
    }
#endif
}

// There is one group more than tiles need, if these fill the groups.
__kernel __attribute__((reqd_work_group_size(SPLIT_GROUP, 1, 1))) void
segments_find_first(BUFFER(control), INPUT(list), BUFFER(firsts), const cls_segments_args args)
{
    const segments_t segments = {AT(const segment_t, list),
                                 (index_t)AT(const cls_segments_control, control)->segments,
                                 (index_t)args.row};
    const uint tile = (uint)get_global_id(0);
    if (tile <= args.tiles) {
        const index_t begin = (index_t)min(tile * args.tile, args.count);
        const index_t first = segment_behind(segments, 0, segments.count, begin);
        segment_t segment;
        load_segment(&segment, segments, first, segments.count, begin);
        AT(index_t, firsts)[tile] = first + (segment.begin < begin);
    }
}

#endif
