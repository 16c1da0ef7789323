// load_tile.cl - reads the elements of a tile
//
// The addresses of keys are a work-item's first one plus a constant, which is part of the
// instruction. Compilers would take five instructions to compute each of them from an index.
#ifndef CLSORT_COMMON_LOAD_TILE_CL
#define CLSORT_COMMON_LOAD_TILE_CL

#include "common/arrays.cl"
#include "common/rank.cl"
#include "common/unroll.cl"

// Reads a tile of `count` keys, and fills it up with `pad`, a key that no other sorts after.
static inline void load_tile(key_t *key, __global const key_t *keys, const uint count,
                             const key_t pad)
{
    __global const key_t *own = keys + tile_index(0);
    if (count == TILE) {
        UNROLL
        for (uint i = 0; i < ITEMS; i++) {
            key[i] = own[i * TILE_STRIDE];
        }
    } else {
        UNROLL
        for (uint i = 0; i < ITEMS; i++) {
            key[i] = tile_index(i) < count ? own[i * TILE_STRIDE] : pad;
        }
    }
}

#if VALUE_BYTES > 0
// Reads the values of this work-item's elements of the tile, which starts at element `first` of the
// source array.
static inline void load_values(value_t *value, const uint count, __global const value_t *in,
                               const uint source, const index_t first)
{
    UNROLL
    for (uint i = 0; i < ITEMS; i++) {
        value[i] = VALUE_FROM(in, source, first + min(tile_index(i), count - 1));
    }
}
#endif

#endif
