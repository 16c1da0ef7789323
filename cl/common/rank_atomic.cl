// rank_atomic.cl - where each key of a tile goes when the tile is sorted by a digit, in any order of equal ones: by
// atomics (rank.cl keeps their order)
//
// Cost: an atomic and a read of local memory at a random place for each key; 5 barriers a tile, where lanes need none
// to meet.
//
// BITS                 of a digit, 1 .. 8
// GROUP_SIZE, ITEMS    work-items in a group, and keys of each; a tile is their product, at most 65535
#ifndef CLSORT_COMMON_RANK_ATOMIC_CL
#define CLSORT_COMMON_RANK_ATOMIC_CL

#include "common/group_sum.cl"
#include "common/keys.cl"
#include "common/sub_group.cl"
#include "common/unroll.cl"

#define RADIX (1u << BITS)
// Work-item t has the digits DIGITS * t and following, where there are so many.
#define DIGITS ((RADIX + GROUP_SIZE - 1) / GROUP_SIZE)

// Of each digit's counter, for lanes in turn: equal digits wait for each other less.
#define RANK_COPIES 2u

typedef struct {
    // place in the sorted tile; the last digit is of places without a key
    uint next[(RADIX + 1) * RANK_COPIES];
    uint room[GROUP_SIZE];
} ranks_t;

// Item i of this work-item is this element of the tile.
static inline uint tile_index(const uint i)
{
    return (uint)get_local_id(0) + i * GROUP_SIZE;
}

// Whether most keys of the lane group have one digit, by two of each lane's: of fewer, atomics are as fast.
static inline bool is_hot(const uint digit, const uint another, __local uint *room)
{
#if SUB_GROUP_BACKEND != 0
    const lane_mask_t alike = sg_ballot(digit == sg_shuffle(digit, 0, room), room);
    const lane_mask_t again = sg_ballot(another == sg_shuffle(another, 0, room), room);
    return lane_count(alike) + lane_count(again) > SUB_GROUP_SIZE + SUB_GROUP_SIZE / 2;
#else
    return false; // what lanes cost in local memory is no gain
#endif
}

// Where a digit starts in the sorted tile, once that is ranked.
static inline uint rank_start(__local const ranks_t *ranks, const uint digit)
{
    return ranks->next[digit * RANK_COPIES];
}

// How many keys with the digit came before, as counts[] has it. Lanes that have the first one's digit take their
// places at once: else they would wait for each other.
static inline uint take_hot(__local uint *counts, const uint digit, __local uint *room)
{
    const uint common = sg_shuffle(digit, 0, room);
    const lane_mask_t alike = sg_ballot(digit == common, room);
    uint rank = 0;
    if (digit != common)
        rank = atomic_inc(&counts[digit * RANK_COPIES]);
    else if (lane_id() == 0)
        rank = atomic_add(&counts[digit * RANK_COPIES], lane_count(alike));
    const uint first = sg_shuffle(rank, 0, room);
    return digit == common ? first + lane_count(alike & lanes_below()) : rank;
}

// Counts become places, from `place` on; returns their sum.
static inline uint place_copies(__local uint *counts, uint place)
{
    const uint first = place;
    UNROLL
    for (uint i = 0; i < RANK_COPIES; i++) {
        const uint count = counts[i];
        counts[i] = place;
        place += count;
    }
    return place - first;
}

// place[i] becomes where item i goes, total[i] how many of the tile's `count` keys have each of this work-item's
// digits.
static inline void rank_tile(__local ranks_t *ranks, const key_t *key, const uint count,
                             const key_t flip, const uint shift, const uint mask, uint *place,
                             uint *total)
{
    const uint t = (uint)get_local_id(0);
    __local uint *next = ranks->next;
#define RANK_DIGIT(i) (tile_index(i) < count ? digit_of(key[i], flip, shift, mask) : RADIX)
    for (uint i = t; i < (RADIX + 1) * RANK_COPIES; i += GROUP_SIZE)
        next[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const bool hot = is_hot(RANK_DIGIT(0), RANK_DIGIT(ITEMS / 2), ranks->room);
    const uint copy = hot ? 0 : t % RANK_COPIES;
    if (hot) {
        UNROLL
        for (uint i = 0; i < ITEMS; i++)
            place[i] = take_hot(next, RANK_DIGIT(i), ranks->room);
    } else {
        UNROLL
        for (uint i = 0; i < ITEMS; i++)
            place[i] = atomic_inc(&next[RANK_DIGIT(i) * RANK_COPIES + copy]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = 0, all;
    for (uint i = 0; i < DIGITS; i++) {
        const uint d = t * DIGITS + i;
        total[i] = d < RADIX ? place_copies(next + d * RANK_COPIES, sum) : 0;
        sum += total[i];
    }
    const uint before = group_exclusive_sum(sum, ranks->room, &all);
    for (uint i = 0; i < DIGITS; i++)
        for (uint k = 0; k < RANK_COPIES && t * DIGITS + i < RADIX; k++)
            next[(t * DIGITS + i) * RANK_COPIES + k] += before;
    if (t == 0)
        place_copies(next + RADIX * RANK_COPIES, count);
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLL
    for (uint i = 0; i < ITEMS; i++)
        place[i] += next[RANK_DIGIT(i) * RANK_COPIES + copy];
}

#endif
