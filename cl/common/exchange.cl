// exchange.cl - the elements of a tile on their way through local memory, so that those of a digit are written together
//
// load_values, write_keys, exchange_values, write_values: in this order. What a work-item reads is on its way all
// together, and tiles that are full do not ask of what goes through local memory whether it is there: else compilers
// make a branch of each element, that waits for its own.
//
// VALUES_EXCHANGED    1: values go through local memory, too; 0: they are too wide for it, and are written as they are
//                     read
#ifndef CLSORT_COMMON_EXCHANGE_CL
#define CLSORT_COMMON_EXCHANGE_CL

#include "common/arrays.cl"
#include "common/keys.cl"
#include "common/rank.cl"
#include "common/unroll.cl"

// PoCL 3.1 compiles some of the two ways wrong.
#define IS_FULL(count) (SUB_GROUP_BACKEND != 0 && (count) == TILE)

// Keys, then values.
typedef union {
    key_t key[TILE];
#if VALUE_BYTES > 0 && VALUES_EXCHANGED
    value_unit_t unit[TILE * (VALUE_BYTES / sizeof(value_unit_t))];
#endif
} exchange_t;

static inline void write_some_keys(__local const exchange_t *room, uint *place,
                                   __local const index_t *to, const uint count, __global key_t *out,
                                   const key_t flip, const uint shift, const uint mask,
                                   const bool is_full)
{
    UNROLL
    for (uint i = 0; i < ITEMS; i++) {
        const uint j = (uint)get_local_id(0) + i * GROUP_SIZE;
        const uint d = digit_of(room->key[j], flip, shift, mask);
        place[i] |= d << 16;
        if (is_full || j < count)
            out[to[d] + j] = room->key[j];
    }
}

// Writes the keys of a tile that lies in `room`, sorted by the digit; to[] is where a digit's first key goes, less its
// place in the tile. place[], where this work-item's elements are in it, takes 16 bits of each word: the others become
// the digits that write_values needs.
static inline void write_keys(__local const exchange_t *room, uint *place,
                              __local const index_t *to, const uint count, __global key_t *out,
                              const key_t flip, const uint shift, const uint mask)
{
    if (IS_FULL(count))
        write_some_keys(room, place, to, count, out, flip, shift, mask, true);
    else
        write_some_keys(room, place, to, count, out, flip, shift, mask, false);
}

#if VALUE_BYTES > 0
// This work-item's values, of elements from `first` on in the source. To be on their way while keys are written.
static inline void load_values(value_t *value, const uint count, __global const value_t *in,
                               const uint source, const index_t first)
{
    UNROLL
    for (uint i = 0; i < ITEMS; i++)
        value[i] = VALUE_FROM(in, source, first + min(tile_index(i), count - 1));
}

#if VALUES_EXCHANGED
static inline void write_some_values(__local const exchange_t *room, const uint *place,
                                     __local const index_t *to, const uint count,
                                     __global value_t *out, const bool is_full)
{
    UNROLL
    for (uint i = 0; i < ITEMS; i++) {
        const uint j = (uint)get_local_id(0) + i * GROUP_SIZE;
        if (is_full || j < count)
            out[to[place[i] >> 16] + j] = *VALUE_IN(room->unit, j);
    }
}
#endif

// Once keys are written: the values come in their place, where there is room.
static inline void exchange_values(__local exchange_t *room, const uint *place,
                                   const value_t *value)
{
#if VALUES_EXCHANGED
    barrier(CLK_LOCAL_MEM_FENCE);
    // Unit by unit: of whole values compilers would keep the array in memory.
    UNROLL
    for (uint i = 0; i < ITEMS; i++) {
        __local value_t *here = VALUE_IN(room->unit, place[i] & 0xffff);
        UNROLL
        for (uint k = 0; k < VALUE_BYTES / sizeof(value_unit_t); k++)
            here->unit[k] = value[i].unit[k];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
}

static inline void write_values(__local const exchange_t *room, const uint *place,
                                const value_t *value, __local const index_t *to, const uint count,
                                __global value_t *out, const key_t flip, const uint shift,
                                const uint mask)
{
#if VALUES_EXCHANGED
    if (IS_FULL(count))
        write_some_values(room, place, to, count, out, true);
    else
        write_some_values(room, place, to, count, out, false);
#else
    UNROLL
    for (uint i = 0; i < ITEMS; i++) {
        const uint j = place[i] & 0xffff;
        if (j < count)
            out[to[digit_of(room->key[j], flip, shift, mask)] + j] = value[i];
    }
#endif
}
#endif

#endif
