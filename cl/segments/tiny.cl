// tiny.cl - sorts tiny segments in the registers of sub-groups
//
// A team of lanes sorts a segment by a bitonic network (Batcher, "Sorting networks and their
// applications", AFIPS 1968, p. 307). Lane i of a team of n lanes has the elements i, i + n, i + 2 n and
// so on, in its slots, so that global memory is accessed in order, and the widest steps of the network
// need no other lane. A sub-group is one team, or several if all tiny segments of the tile are shorter.
// The network has as many slots as the segment needs.
//
// The network sorts numbers that have the ordered key in their upper bits and, if there are values, the
// element's position in the segment in the lower ones. Keys of 8 bytes are accompanied by the position.
//
// Cost: a network of n elements has log2(n) (log2(n) + 1) / 2 steps. A step takes about two
// instructions per number of 4 bytes, and six if there are 8 bytes or a position.
//
// Options, besides those of sub_group.cl:
//   TINY_SLOTS   the maximum number of elements of a lane: 0, 4, 8, 16 or 32; 0: no segment is tiny
// Only identical keys are equal.
#ifndef CLSORT_SEGMENTS_TINY_CL
#define CLSORT_SEGMENTS_TINY_CL

#include "common/arrays.cl"
#include "common/order.cl"
#include "common/sub_group.cl"
#include "common/unroll.cl"
#include "segments/list.cl"

#define MAX_TINY (TINY_SLOTS * SUB_GROUP_SIZE)
#define SUB_GROUP_BITS                                                                             \
    (SUB_GROUP_SIZE == 64 ? 6 : SUB_GROUP_SIZE == 32 ? 5 : SUB_GROUP_SIZE == 16 ? 4 : 3)

static inline bool is_tiny(const segment_t segment)
{
    return segment.end - segment.begin <= MAX_TINY;
}

#if TINY_SLOTS > 0

// -- numbers --------------------------------------------------------------------------------------

#if KEY_BYTES == 8 || (KEY_BYTES == 4 && VALUE_BYTES > 0)
typedef ulong number_t;
#else
typedef uint number_t;
#endif

#define HAS_POSITIONS (KEY_BYTES == 8 && VALUE_BYTES > 0) // beside the numbers
#define POSITION_BITS (VALUE_BYTES == 0 || KEY_BYTES == 8 ? 0 : KEY_BYTES == 4 ? 32 : 16)

// The elements of a lane.
typedef struct {
    number_t number[TINY_SLOTS];
#if HAS_POSITIONS
    uint position[TINY_SLOTS];
#endif
} lane_elements_t;

static inline number_t shuffle_number(const number_t number, const uint lane, __local uint *words)
{
    const uint low = sg_shuffle((uint)number, lane, words);
#if KEY_BYTES == 8 || (KEY_BYTES == 4 && VALUE_BYTES > 0)
    return (ulong)sg_shuffle((uint)(number >> 32), lane, words) << 32 | low;
#else
    return low;
#endif
}

// Keeps the smaller one of an element of this lane and another lane's, or the larger one.
static inline void keep_one(lane_elements_t *e, const uint slot, const uint lane,
                            const bool keeps_low, __local uint *words)
{
    const number_t own = e->number[slot], other = shuffle_number(own, lane, words);
#if HAS_POSITIONS
    const uint position = e->position[slot], others = sg_shuffle(position, lane, words);
    const bool takes = (other < own || (other == own && others < position)) == keeps_low;
    e->number[slot] = takes ? other : own;
    e->position[slot] = takes ? others : position;
#else
    e->number[slot] = keeps_low ? min(own, other) : max(own, other);
#endif
}

// Exchanges two elements of this lane unless `low` has the smaller one.
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

// A barrier in a loop that is unrolled takes PoCL's compiler long.
#if SUB_GROUP_BACKEND == 0
#define UNROLL_NETWORK
#else
#define UNROLL_NETWORK UNROLL
#endif

// Sorts the elements in the first `slots` slots of each team. `team` and `slots` are constant powers of
// two: 2^team_bits and 2^slot_bits.
static inline __attribute__((always_inline)) void
sort_teams(lane_elements_t *e, const uint team_bits, const uint slot_bits, __local uint *words)
{
    const uint lane = lane_id(), team = 1u << team_bits, member = lane & (team - 1);
    UNROLL_NETWORK
    for (uint size_bits = 1; size_bits <= team_bits + slot_bits; size_bits++) {
        const uint size = 1u << size_bits;
        UNROLL_NETWORK
        for (uint step = 1; step <= size_bits; step++) {
            const uint distance = size >> step;
            if (distance < team) {
                UNROLL_NETWORK
                for (uint i = 0; i < 1u << slot_bits; i++) {
                    const bool ascends = ((member + i * team) & size) == 0;
                    keep_one(e, i, lane ^ distance, ascends == ((member & distance) == 0), words);
                }
            } else {
                const uint apart = distance >> team_bits;
                UNROLL
                for (uint i = 0; i < 1u << slot_bits; i++) {
                    if ((i & apart) == 0 && ((i * team) & size) == 0) {
                        exchange_slots(e, i, i + apart);
                    } else if ((i & apart) == 0) {
                        exchange_slots(e, i + apart, i);
                    }
                }
            }
        }
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
        const uint source = (uint)e.number[i] & (POSITION_BITS == 32 ? ~0u : 0xffffu);
#endif
        if (member + (i << team_bits) < length) {
#if VALUE_INDEX
            value[i] = value_of_index(segment.begin + source);
#else
            value[i] = AT(const value_t, values)[segment.begin + source];
#endif
        }
    }
    sg_fence(); // in place, all values must be read before the first is written
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

#define SORT_TINY(team_bits, slot_bits)                                                            \
    sort_tiny(segment, team_bits, slot_bits, KEY_ARRAYS_HERE, VALUE_ARRAYS_HERE flip, words)

// Loads the i-th segment, and makes it empty if it does not exist or is not tiny.
static inline void load_tiny(segment_t *segment, const segments_t segments, const index_t i,
                             const index_t high)
{
    load_segment(segment, segments, i, high, 0);
    if (!is_tiny(*segment)) {
        segment->end = segment->begin;
    }
}

// Sorts the tiny ones of the segments from `low` to `high` - 1, whose lengths are at most `longest`.
static inline void sort_tiny_segments(const segments_t segments, const index_t low,
                                      const index_t high, const uint longest, KEY_ARRAYS,
                                      VALUE_ARRAYS const key_t flip, __local uint *words)
{
    const uint t = (uint)get_local_id(0);
    const index_t end = longest > 0 ? high : low;
    segment_t segment;
#if SUB_GROUP_BACKEND == 0
    for (index_t first = low; first < end; first += GROUP_SIZE / SUB_GROUP_SIZE) {
        load_tiny(&segment, segments, first + t / SUB_GROUP_SIZE, high);
        SORT_TINY(SUB_GROUP_BITS, 2);
    }
#else
    if (longest <= 1) {
        for (index_t first = low; first < end; first += GROUP_SIZE) {
            load_tiny(&segment, segments, first + t, high);
            SORT_TINY(0, 0);
        }
        return;
    }
    if (longest <= SUB_GROUP_SIZE / 8) {
        for (index_t first = low; first < end; first += 16 * GROUP_SIZE / SUB_GROUP_SIZE) {
            load_tiny(&segment, segments, first + t / (SUB_GROUP_SIZE / 16), high);
            SORT_TINY(SUB_GROUP_BITS - 4, 1);
        }
        return;
    }
    if (longest <= SUB_GROUP_SIZE / 2) {
        for (index_t first = low; first < end; first += 4 * GROUP_SIZE / SUB_GROUP_SIZE) {
            load_tiny(&segment, segments, first + t / (SUB_GROUP_SIZE / 4), high);
            SORT_TINY(SUB_GROUP_BITS - 2, 1);
        }
        return;
    }
    if (longest <= SUB_GROUP_SIZE) {
        for (index_t first = low; first < end; first += 2 * GROUP_SIZE / SUB_GROUP_SIZE) {
            load_tiny(&segment, segments, first + t / (SUB_GROUP_SIZE / 2), high);
            SORT_TINY(SUB_GROUP_BITS - 1, 1);
        }
        return;
    }
    for (index_t i = low + sg_index(); i < end; i += GROUP_SIZE / SUB_GROUP_SIZE) {
        load_tiny(&segment, segments, i, high);
        const uint slots =
            (uint)(segment.end - segment.begin + SUB_GROUP_SIZE - 1) / SUB_GROUP_SIZE;
        if (slots == 0) {
            continue;
        }
        if (slots <= 2) {
            SORT_TINY(SUB_GROUP_BITS, 1);
        } else if (slots <= 4) {
            SORT_TINY(SUB_GROUP_BITS, 2);
        }
#if TINY_SLOTS >= 8
        else if (slots <= 8) {
            SORT_TINY(SUB_GROUP_BITS, 3);
        }
#endif
#if TINY_SLOTS >= 16
        else if (slots <= 16) {
            SORT_TINY(SUB_GROUP_BITS, 4);
        }
#endif
#if TINY_SLOTS >= 32
        else {
            SORT_TINY(SUB_GROUP_BITS, 5);
        }
#endif
    }
#endif
}

#endif

#endif
