// rank_atomic.cl - ranks the keys of a tile by a digit with atomics; not stable
//
// Each key takes the next rank of its digit by an atomic increment. Every counter has RANK_COPIES
// copies, which neighbouring lanes use alternately, so that equal digits conflict less. If two keys
// per lane suggest that most keys of a sub-group have the same digit, the lanes with the digit of
// lane 0 share one atomic addition. Emulated sub-groups (SUB_GROUP_BACKEND 0) do not share.
//
// Cost: an atomic and a read at random addresses of local memory per key; 5 barriers per tile, in
// addition to those of the sub-group backend.
//
// The options are described in rank.cl.
#ifndef CLSORT_COMMON_RANK_ATOMIC_CL
#define CLSORT_COMMON_RANK_ATOMIC_CL

#include "common/digit.cl"
#include "common/group_sum.cl"
#include "common/keys.cl"
#include "common/layout.h"
#include "common/radix.cl"
#include "common/sub_group.cl"
#include "common/unroll.cl"

#define RANK_COPIES CLS_RANK_COPIES

typedef struct {
    // First the counts, then the next rank of each copy. Padding has the digit RADIX.
    uint next[(RADIX + 1) * RANK_COPIES];
    uint words[GROUP_SIZE]; // local memory of sub-group operations and of group_exclusive_sum
} ranks_t;

// How far apart a work-item's keys are in the tile.
#define TILE_STRIDE GROUP_SIZE

// Returns the index in the tile of this work-item's key i.
static inline uint tile_index(const uint i)
{
    return (uint)get_local_id(0) + i * TILE_STRIDE;
}

// Estimates from two keys per lane whether most keys of the sub-group have the same digit.
// Otherwise individual atomics are as fast.
static inline bool is_hot(const uint digit, const uint another, __local uint *words)
{
#if SUB_GROUP_BACKEND != 0
    const lane_mask_t same = sg_ballot(digit == sg_shuffle(digit, 0, words), words);
    const lane_mask_t again = sg_ballot(another == sg_shuffle(another, 0, words), words);
    return lane_count(same) + lane_count(again) > SUB_GROUP_SIZE + SUB_GROUP_SIZE / 2;
#else
    return false; // emulated sub-groups cost more than they gain
#endif
}

// Returns the rank of a digit's first key in the tile.
static inline uint rank_start(__local const ranks_t *ranks, const uint digit)
{
    return ranks->next[digit * RANK_COPIES];
}

// Returns the number of preceding keys with the digit, and counts the key. Lanes that have the
// digit of lane 0 share one atomic addition.
static inline uint take_hot(__local uint *counts, const uint digit, __local uint *words)
{
    const uint common = sg_shuffle(digit, 0, words);
    const lane_mask_t same = sg_ballot(digit == common, words);
    uint rank = 0;
    if (digit != common) {
        rank = atomic_inc(&counts[digit * RANK_COPIES]);
    } else if (lane_id() == 0) {
        rank = atomic_add(&counts[digit * RANK_COPIES], lane_count(same));
    }
    const uint first = sg_shuffle(rank, 0, words);
    return digit == common ? first + lane_count(same & lanes_below()) : rank;
}

// Replaces the counts of a digit's copies by ranks from `rank` on. Returns the sum of the counts.
static inline uint scan_copies(__local uint *counts, uint rank)
{
    const uint first = rank;
    UNROLL
    for (uint i = 0; i < RANK_COPIES; i++) {
        const uint count = counts[i];
        counts[i] = rank;
        rank += count;
    }
    return rank - first;
}

// Adds to rank[i] the rank of element i in the tile, and sets total[i] to the number of the tile's
// `count` elements with each of this work-item's bins.
static inline void rank_tile(__local ranks_t *ranks, const uint count, const uint mask, uint *rank,
                             uint *total)
{
    const uint t = (uint)get_local_id(0);
    __local uint *next = ranks->next;
#define RANK_DIGIT(i) (tile_index(i) < count ? DIGIT_IN(rank[i]) : RADIX)
    for (uint i = t; i < (RADIX + 1) * RANK_COPIES; i += GROUP_SIZE) {
        next[i] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const bool hot = is_hot(RANK_DIGIT(0), RANK_DIGIT(ITEMS / 2), ranks->words);
    const uint copy = hot ? 0 : t % RANK_COPIES;
    if (hot) {
        UNROLL
        for (uint i = 0; i < ITEMS; i++) {
            rank[i] += take_hot(next, RANK_DIGIT(i), ranks->words);
        }
    } else {
        UNROLL
        for (uint i = 0; i < ITEMS; i++) {
            rank[i] += atomic_inc(&next[RANK_DIGIT(i) * RANK_COPIES + copy]);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = 0, all;
    for (uint i = 0; i < BINS_PER_ITEM; i++) {
        const uint d = t * BINS_PER_ITEM + i;
        total[i] = d < RADIX ? scan_copies(next + d * RANK_COPIES, sum) : 0;
        sum += total[i];
    }
    const uint before = group_exclusive_sum(sum, ranks->words, &all);
    for (uint i = 0; i < BINS_PER_ITEM; i++) {
        for (uint k = 0; k < RANK_COPIES && t * BINS_PER_ITEM + i < RADIX; k++) {
            next[(t * BINS_PER_ITEM + i) * RANK_COPIES + k] += before;
        }
    }
    if (t == 0) {
        scan_copies(next + RADIX * RANK_COPIES, count);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLL
    for (uint i = 0; i < ITEMS; i++) {
        rank[i] += next[RANK_DIGIT(i) * RANK_COPIES + copy];
    }
}

#endif
