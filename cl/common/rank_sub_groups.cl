// rank_sub_groups.cl - what the two ways to rank a tile stably share: counters per sub-group
//
// The options are described in rank.cl; with RANK_STABLE 0 this file defines nothing.
#ifndef CLSORT_COMMON_RANK_SUB_GROUPS_CL
#define CLSORT_COMMON_RANK_SUB_GROUPS_CL

#include "common/keys.cl"
#include "common/radix.cl"
#include "common/sub_group.cl"
#include "common/unroll.cl"

#if RANK_STABLE

#include "common/sub_group_tile.cl"

#if RANK_COUNTED
typedef uint rank_counter_t; // for atomics
#else
typedef ushort rank_counter_t;
#endif

#define SUB_GROUPS (GROUP_SIZE / SUB_GROUP_SIZE)

typedef struct {
    rank_counter_t count[SUB_GROUPS][RADIX]; // elements of each sub-group with each digit
    ushort start[RADIX + 1];                 // rank of each digit's first element; the last is TILE
    uint sums[SUB_GROUPS];                   // elements with the digits of a sub-group's work-items
    // Local memory of sub-group operations, which only the emulation uses.
#if SUB_GROUP_BACKEND == 0
    uint words[GROUP_SIZE];
#else
    uint words[1];
#endif
} ranks_t;

// Returns the counters of this sub-group.
static inline __local rank_counter_t *sub_group_counters(__local ranks_t *ranks)
{
    return ranks->count[sg_index()];
}

static inline void rank_clear(__local ranks_t *ranks)
{
    __local rank_counter_t *count = sub_group_counters(ranks);
    UNROLL
    for (uint first = 0; first < RADIX; first += SUB_GROUP_SIZE) {
        if (RADIX >= SUB_GROUP_SIZE || lane_id() < RADIX) {
            count[first + lane_id()] = 0;
        }
    }
    sg_fence();
}

// Returns the rank at which the first of this work-item's bins starts. total[] has the number of
// the tile's elements with each of them.
static inline uint rank_of_digits(__local ranks_t *ranks, const uint *total)
{
    uint sum = 0;
    for (uint i = 0; i < BINS_PER_ITEM; i++) {
        sum += total[i];
    }
    const uint prefix = sg_scan(sum, ranks->words);
    uint start = prefix - sum;
    if (lane_id() == SUB_GROUP_SIZE - 1) {
        ranks->sums[sg_index()] = prefix;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint g = 0; g < SUB_GROUPS; g++) {
        start += g < sg_index() ? ranks->sums[g] : 0;
    }
    return start;
}

// Returns the rank of a digit's first element in the tile.
static inline uint rank_start(__local const ranks_t *ranks, const uint digit)
{
    return ranks->start[digit];
}

#endif

#endif
