// lsd_in_tile.cl - sorts a job of a tile that bins do not spread: LSD radix sort in local memory, by digits that vary
//
// Cost model: a match, and three accesses of random places of local memory, for each key and digit.
//
// GROUP_SIZE, ITEMS, BITS    as in rank.cl
#ifndef CLSORT_MSD_LSD_IN_TILE_CL
#define CLSORT_MSD_LSD_IN_TILE_CL

#include "msd/bucket.cl"
#include "msd/tables.cl"
#include "msd/tile.cl"

// A digit begins at `shift`, and has BITS bits where there are so many below `top`.
static inline uint mask_at(const uint shift, const uint top)
{
    return (1u << min((uint)BITS, top - shift)) - 1;
}

// The first digit from `shift` on that varies.
static inline uint varying_from(const ulong varying, uint shift, const uint top)
{
    while (shift < top && (varying >> shift & mask_at(shift, top)) == 0)
        shift += BITS;
    return shift;
}

typedef struct {
    job_room_t room;
    ranks_t ranks;
    uint words[2];
} settle_room_t;

// Sorts so many of the job's keys to `out`, which may be where they are, and its values.
static inline void settle_job(__local settle_room_t *r, const job_t job, const uint count,
                              __global const key_t *in, __global key_t *out, const key_t flip,
                              const key_t pad
#if VALUE_BYTES > 0
                              ,
                              __global const value_t *values_in, __global value_t *values_out,
                              __global value_t *values_tmp
#endif
)
{
    key_t key[ITEMS];
    uint place[ITEMS], total[DIGITS];
    VALUES(uint from[ITEMS];)
    load_tile(key, in, count, pad);
    const key_t some = ordered(in[0], flip);
    key_t differ = 0;
    UNROLL
    for (uint i = 0; i < ITEMS; i++) {
        differ |= tile_index(i) < count ? ordered(key[i], flip) ^ some : 0;
        VALUES(from[i] = tile_index(i);)
    }
    const ulong varying = group_or(differ, r->words);
    for (uint shift = varying_from(varying, BEGIN_BIT, job.top); shift < job.top;
         shift = varying_from(varying, shift + BITS, job.top)) {
        rank_tile(&r->ranks, key, count, flip, shift, mask_at(shift, job.top), place, total);
        UNROLL
        for (uint i = 0; i < ITEMS; i++) {
            r->room.sorted.key[place[i]] = key[i];
            VALUES(r->room.sorted.from[place[i]] = (ushort)from[i];)
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        UNROLL
        for (uint i = 0; i < ITEMS; i++) {
            key[i] = r->room.sorted.key[tile_index(i)];
            VALUES(from[i] = r->room.sorted.from[tile_index(i)];)
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    UNROLL
    for (uint i = 0; i < ITEMS; i++)
        if (tile_index(i) < count)
            out[tile_index(i)] = key[i];
    VALUES(follow_keys(&r->room, from, tile_index(0), SUB_GROUP_SIZE, count, values_in, job.place,
                       job.start, values_out, values_tmp);)
    barrier(CLK_LOCAL_MEM_FENCE);
}

#endif
