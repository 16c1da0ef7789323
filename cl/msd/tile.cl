// tile.cl - a tile is loaded, and sorted by a digit in local memory, on its way to places that are known
#ifndef CLSORT_MSD_TILE_CL
#define CLSORT_MSD_TILE_CL

#include "common/exchange.cl"
#include "common/rank.cl"

// A tile's keys, filled up with `pad`.
static inline void load_tile(key_t *key, __global const key_t *from, const uint count,
                             const key_t pad)
{
    if (count == TILE)
        UNROLL
    for (uint i = 0; i < ITEMS; i++)
        key[i] = from[tile_index(i)];
    else UNROLL
    for (uint i = 0; i < ITEMS; i++)
        key[i] = tile_index(i) < count ? from[tile_index(i)] : pad;
}

// Ranked keys go to their places in `room`, for write_keys after a barrier. next_place[i] is where the next element of
// each of this work-item's digits goes, and moves on by those of the tile.
static inline void exchange_keys(__local exchange_t *room, __local const ranks_t *ranks,
                                 __local uint *to, const key_t *key, const uint *place,
                                 const uint *total, uint *next_place)
{
    for (uint i = 0; i < DIGITS; i++) {
        const uint d = (uint)get_local_id(0) * DIGITS + i;
        if (d < RADIX)
            to[d] = next_place[i] - rank_start(ranks, d);
        next_place[i] += total[i];
    }
    UNROLL
    for (uint i = 0; i < ITEMS; i++)
        room->key[place[i]] = key[i];
}

#endif
