// rank_stable.cl - where each element of a tile goes when the tile is sorted by a digit in a stable way: by matching lanes
//
// Adinets and Merrill, "Onesweep: a faster least significant digit radix sort for GPUs", arXiv:2206.01784, 2022,
// section 4; Ashkiani, Davidson, Meyer and Owens, "GPU multisplit", PPoPP 2016. A lane group counts its own elements,
// SUB_GROUP_SIZE at a time: lanes of the same digit find each other by a match, and the highest of them adds them to the
// digit's counter. No work-item waits for another lane group before all are counted.
//
// Cost: a match, a read and at most a write of local memory for each element, and 2 * SUB_GROUPS accesses for each
// digit; 3 barriers a tile, where lanes need none to meet.
//
// BITS                 of a digit, 1 .. 8
// GROUP_SIZE, ITEMS    work-items in a group, and elements of each; a tile is their product, at most 65535
#ifndef CLSORT_COMMON_RANK_STABLE_CL
#define CLSORT_COMMON_RANK_STABLE_CL

#include "common/keys.cl"
#include "common/sub_group.cl"
#include "common/unroll.cl"

#define RADIX (1u << BITS)
#define SUB_GROUPS (GROUP_SIZE / SUB_GROUP_SIZE)
// Work-item t has the digits DIGITS * t and following, where there are so many.
#define DIGITS ((RADIX + GROUP_SIZE - 1) / GROUP_SIZE)

typedef struct {
    ushort count[SUB_GROUPS *
                 RADIX];     // of a lane group's elements; then of those in lane groups before
    ushort start[RADIX + 1]; // of each digit in the sorted tile, which ends at the last
    uint sums[SUB_GROUPS];
#if SUB_GROUP_BACKEND == 0
    uint room[GROUP_SIZE];
#else
    uint room[1];
#endif
} ranks_t;

// Item i of this work-item is this element of the tile: lanes have neighbours.
static inline uint tile_index(const uint i)
{
    return (sg_index() * ITEMS + i) * SUB_GROUP_SIZE + lane_id();
}

static inline void rank_clear(__local ranks_t *ranks)
{
    __local ushort *count = ranks->count + sg_index() * RADIX;
#pragma unroll
    for (uint d = lane_id(); d < RADIX; d += SUB_GROUP_SIZE)
        count[d] = 0;
    sg_fence();
}

// How many elements of the lane group have the same digit and come before. Items are ranked in their order.
static inline uint rank_item(__local ranks_t *ranks, const uint digit)
{
    __local ushort *count = ranks->count + sg_index() * RADIX + digit;
    const lane_mask_t alike = sg_match(digit, BITS, ranks->room);
    const uint rank = *count + lane_count(alike & lanes_below());
    sg_fence();
    if (alike >> lane_id() == 1)
        *count = (ushort)(rank + 1);
    sg_fence();
    return rank;
}

// When all items are ranked: how many elements of the tile have each of this work-item's digits.
static inline void rank_digit_totals(__local ranks_t *ranks, uint *total)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < DIGITS; i++) {
        const uint d = (uint)get_local_id(0) * DIGITS + i;
        uint sum = 0;
        if (d < RADIX) {
#pragma unroll 8
            for (uint g = 0; g < SUB_GROUPS; g++) {
                const uint count = ranks->count[g * RADIX + d];
                ranks->count[g * RADIX + d] = (ushort)sum;
                sum += count;
            }
        }
        total[i] = sum;
    }
}

// Then: where each digit starts. All is ready for rank_in_tile.
static inline void rank_starts(__local ranks_t *ranks, const uint *total)
{
    const uint t = (uint)get_local_id(0);
    uint sum = 0;
    for (uint i = 0; i < DIGITS; i++)
        sum += total[i];
    const uint upto = sg_scan(sum, ranks->room);
    uint start = upto - sum;
    if (lane_id() == SUB_GROUP_SIZE - 1)
        ranks->sums[sg_index()] = upto;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint g = 0; g < SUB_GROUPS; g++)
        start += g < sg_index() ? ranks->sums[g] : 0;
    // Without an `if`, which PoCL would take work-item 0's way from for all, so close to a barrier. What is no digit
    // starts where the tile ends.
    for (uint i = 0; i < DIGITS; i++) {
        ranks->start[min(t * DIGITS + i, RADIX)] = (ushort)start;
        start += total[i];
    }
    ranks->start[RADIX] = TILE;
    barrier(CLK_LOCAL_MEM_FENCE);
}

// The element's place in the sorted tile, from its digit and rank.
static inline uint rank_in_tile(__local const ranks_t *ranks, const uint digit, const uint rank)
{
    return ranks->start[digit] + ranks->count[sg_index() * RADIX + digit] + rank;
}

// Where a digit starts in the sorted tile, once that is ranked.
static inline uint rank_start(__local const ranks_t *ranks, const uint digit)
{
    return ranks->start[digit];
}

// place[i] becomes where item i goes, total[i] how many of the tile's `count` keys have each of this work-item's
// digits. Keys that pad the tile are its last ones, and have the last digit.
static inline void rank_tile(__local ranks_t *ranks, const key_t *key, const uint count,
                             const key_t flip, const uint shift, const uint mask, uint *place,
                             uint *total)
{
    rank_clear(ranks);
    UNROLL
    for (uint i = 0; i < ITEMS; i++)
        place[i] = rank_item(ranks, digit_of(key[i], flip, shift, mask));
    rank_digit_totals(ranks, total);
    rank_starts(ranks, total);
    UNROLL
    for (uint i = 0; i < ITEMS; i++)
        place[i] = rank_in_tile(ranks, digit_of(key[i], flip, shift, mask), place[i]);
    for (uint i = 0; i < DIGITS; i++)
        total[i] -= (uint)get_local_id(0) * DIGITS + i == mask ? TILE - count : 0;
}

#endif
