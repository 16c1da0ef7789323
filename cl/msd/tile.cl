// tile.cl - loading of a tile's keys
#ifndef CLSORT_MSD_TILE_CL
#define CLSORT_MSD_TILE_CL

#include "msd/buckets.cl"

#include "common/rank.cl"
#include "common/unroll.cl"

// Loads a tile of `count` keys, and fills it up with `pad`, a key that no other sorts after.
static inline void load_tile(key_t *key, __global const key_t *keys, const uint count,
                             const key_t pad)
{
    if (count == TILE) {
        UNROLL
        for (uint i = 0; i < ITEMS; i++) {
            key[i] = keys[tile_index(i)];
        }
    } else {
        UNROLL
        for (uint i = 0; i < ITEMS; i++) {
            key[i] = tile_index(i) < count ? keys[tile_index(i)] : pad;
        }
    }
}

#endif
