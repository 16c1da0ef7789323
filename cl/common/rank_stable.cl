// rank_stable.cl - ranks the elements of a tile stably by a digit: sub-groups match equal digits
//
// Each sub-group first counts the digits of its own elements. The counters are then scanned over the
// sub-groups and the digits: each becomes the rank of the next element of its sub-group and digit.
// At last a sub-group ranks its elements, SUB_GROUP_SIZE at a time: a match finds the lanes of equal
// digit, and the highest of these lanes advances the counter by the number of these lanes. The
// totals of the digits are thus known before the ranks.
//
// Adinets and Merrill, "Onesweep: a faster least significant digit radix sort for GPUs",
// arXiv:2206.01784, 2022, section 4; Ashkiani, Davidson, Meyer and Owens, "GPU multisplit", PPoPP
// 2016.
//
// Steps: rank_clear, rank_count for each element, rank_totals, rank_starts, then rank_item for each
// element in order; rank_tile does all of them. The counters are in local memory that the caller may
// use for something else after a barrier.
//
// Cost: per element a match, two atomic additions and one shuffle, which uses the local memory, too;
// 4 * SUB_GROUPS accesses per digit; 4 barriers per tile, in addition to those of the sub-group
// backend.
//
// The options are described in rank.cl.
#ifndef CLSORT_COMMON_RANK_STABLE_CL
#define CLSORT_COMMON_RANK_STABLE_CL

#include "common/keys.cl"
#include "common/radix.cl"
#include "common/sub_group.cl"
#include "common/unroll.cl"

#define SUB_GROUPS (GROUP_SIZE / SUB_GROUP_SIZE)

// Number of counters.
#define RANK_COUNTERS (SUB_GROUPS * RADIX)

typedef struct {
    ushort start[RADIX + 1]; // rank of each digit's first element; the last is TILE
    uint sums[SUB_GROUPS];   // elements with the digits of each sub-group's work-items
    // Local memory of sub-group operations, which only the emulation uses.
#if SUB_GROUP_BACKEND == 0
    uint words[GROUP_SIZE];
#else
    uint words[1];
#endif
} ranks_t;

// Returns the index in the tile of this work-item's element i. Lanes have neighbouring elements.
static inline uint tile_index(const uint i)
{
    return (sg_index() * ITEMS + i) * SUB_GROUP_SIZE + lane_id();
}

static inline __local uint *sub_group_counters(__local uint *counters)
{
    return counters + sg_index() * RADIX;
}

static inline void rank_clear(__local uint *counters)
{
    for (uint d = lane_id(); d < RADIX; d += SUB_GROUP_SIZE) {
        sub_group_counters(counters)[d] = 0;
    }
    sg_fence();
}

static inline void rank_count(__local uint *counters, const uint digit)
{
    atomic_inc(sub_group_counters(counters) + digit);
}

// Sets total[] to the number of the tile's elements with each of this work-item's digits. All
// elements have been counted.
static inline void rank_totals(__local const uint *counters, uint *total)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < DIGITS; i++) {
        const uint d = (uint)get_local_id(0) * DIGITS + i;
        uint sum = 0;
        UNROLL
        for (uint g = 0; g < SUB_GROUPS; g++) {
            sum += counters[g * RADIX + min(d, RADIX - 1)];
        }
        total[i] = d < RADIX ? sum : 0;
    }
}

// Replaces the counts of the digits by the ranks at which they start, in the tile and in each
// sub-group.
static inline void rank_starts(__local ranks_t *ranks, __local uint *counters, const uint *total)
{
    const uint t = (uint)get_local_id(0);
    uint sum = 0;
    for (uint i = 0; i < DIGITS; i++) {
        sum += total[i];
    }
    const uint prefix = sg_scan(sum, ranks->words);
    uint start = prefix - sum;
    if (lane_id() == SUB_GROUP_SIZE - 1) {
        ranks->sums[sg_index()] = prefix;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLL
    for (uint g = 0; g < SUB_GROUPS; g++) {
        start += g < sg_index() ? ranks->sums[g] : 0;
    }
    // There is no `if`, since PoCL would here, close to a barrier, take work-item 0's branch for
    // all work-items. Digits out of range start where the tile ends.
    for (uint i = 0; i < DIGITS; i++) {
        const uint d = t * DIGITS + i;
        uint next = start;
        for (uint g = 0; g < (d < RADIX ? SUB_GROUPS : 0); g++) {
            const uint count = counters[g * RADIX + d];
            counters[g * RADIX + d] = next;
            next += count;
        }
        ranks->start[min(d, RADIX)] = (ushort)start;
        start += total[i];
    }
    ranks->start[RADIX] = TILE;
    barrier(CLK_LOCAL_MEM_FENCE);
}

// Returns the rank in the tile of an element of the sub-group. Elements are passed in order.
static inline uint rank_item(__local ranks_t *ranks, __local uint *counters, const uint digit)
{
    const lane_mask_t same = sg_match(digit, BITS, ranks->words);
    const uint highest = sg_highest(same);
    uint first = 0;
    if (lane_id() == highest) {
        first = atomic_add(sub_group_counters(counters) + digit, lane_count(same));
    }
    sg_fence();
    return sg_shuffle(first, highest, ranks->words) + lane_count(same & lanes_below());
}

// Returns the rank of a digit's first element in the tile.
static inline uint rank_start(__local const ranks_t *ranks, const uint digit)
{
    return ranks->start[digit];
}

// Sets rank[i] to the rank of key i in the tile, and total[i] to the number of the tile's `count`
// keys with each of this work-item's digits. The last tile is padded at its end, by keys with the
// last digit.
static inline void rank_tile(__local ranks_t *ranks, __local uint *counters, const key_t *key,
                             const uint count, const key_t flip, const uint shift, const uint mask,
                             uint *rank, uint *total)
{
    rank_clear(counters);
    UNROLL
    for (uint i = 0; i < ITEMS; i++) {
        rank_count(counters, digit_of(key[i], flip, shift, mask));
    }
    rank_totals(counters, total);
    rank_starts(ranks, counters, total);
    UNROLL
    for (uint i = 0; i < ITEMS; i++) {
        rank[i] = rank_item(ranks, counters, digit_of(key[i], flip, shift, mask));
    }
    for (uint i = 0; i < DIGITS; i++) {
        total[i] -= (uint)get_local_id(0) * DIGITS + i == mask ? TILE - count : 0;
    }
}

#endif
