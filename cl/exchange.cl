// exchange.cl - the elements of a tile on their way through local memory, so that those of a digit are written together
//
// What a work-item reads is on its way all together, and tiles that are full ask of none of their elements whether it
// is one: else compilers make a branch of each, that waits for its own.
//
// VALUES_EXCHANGED    1: values go through local memory, too; 0: they are too wide for it, and are written as they are
//                     read

#if !defined(TILE) || !defined(ITEMS) || !defined(UNROLL) || !defined(KEYS_AT) ||                  \
    (VALUE_BYTES > 0 && !defined(VALUES_EXCHANGED))
#error                                                                                             \
    "exchange.cl needs keys.cl, group.cl, rank.cl or rank_unstable.cl, places.cl and VALUES_EXCHANGED"
#endif

// PoCL 3.1 compiles some of the two ways wrong.
#define IS_FULL(count) (LANES_BODY != 0 && (count) == TILE)

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
    UNROLL for (uint i = 0; i < ITEMS; i++)
    {
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
// A work-item's values from element b on, as they lie in the source.
static inline void load_values(value_t *value, const uint b, const uint count,
                               __global const value_t *in, const uint source, const index_t first,
                               const bool is_full)
{
    UNROLL for (uint i = 0; i < VALUE_BATCH; i++)
    {
        const uint e = rank_element(min(b + i, ITEMS - 1u));
        value[i] = VALUE_FROM(in, source, first + (is_full ? e : min(e, count - 1)));
    }
}

#if VALUES_EXCHANGED
static inline void exchange_values(__local exchange_t *room, const uint *place, const uint count,
                                   __global const value_t *in, const uint source,
                                   const index_t first, const bool is_full)
{
    UNROLL for (uint b = 0; b < ITEMS; b += VALUE_BATCH)
    {
        value_t value[VALUE_BATCH];
        load_values(value, b, count, in, source, first, is_full);
        UNROLL for (uint i = 0; i < VALUE_BATCH; i++) if (b + i < ITEMS) *
            VALUE_IN(room->unit, place[b + i] & 0xffff) = value[i];
    }
}

static inline void write_some_values(__local const exchange_t *room, const uint *place,
                                     __local const index_t *to, const uint count,
                                     __global value_t *out, const bool is_full)
{
    UNROLL for (uint i = 0; i < ITEMS; i++)
    {
        const uint j = (uint)get_local_id(0) + i * GROUP_SIZE;
        if (is_full || j < count)
            out[to[place[i] >> 16] + j] = *VALUE_IN(room->unit, j);
    }
}
#else
static inline void scatter_values(__local const exchange_t *room, const uint *place,
                                  __local const index_t *to, const uint count,
                                  __global const value_t *in, const uint source,
                                  const index_t first, __global value_t *out, const key_t flip,
                                  const uint shift, const uint mask, const bool is_full)
{
    UNROLL for (uint b = 0; b < ITEMS; b += VALUE_BATCH)
    {
        value_t value[VALUE_BATCH];
        load_values(value, b, count, in, source, first, is_full);
        UNROLL for (uint i = 0; i < VALUE_BATCH; i++)
        {
            const uint j = place[min(b + i, ITEMS - 1u)] & 0xffff;
            if (b + i < ITEMS && (is_full || j < count))
                out[to[digit_of(room->key[j], flip, shift, mask)] + j] = value[i];
        }
    }
}
#endif

// The same for the values of elements that begin at `first` in the source. Barriers are outside of all branches, near
// which PoCL would take work-item 0's way for all.
static inline void write_values(__local exchange_t *room, const uint *place,
                                __local const index_t *to, const uint count,
                                __global const value_t *in, const uint source, const index_t first,
                                __global value_t *out, const key_t flip, const uint shift,
                                const uint mask)
{
    const bool is_full = IS_FULL(count);
#if VALUES_EXCHANGED
    barrier(CLK_LOCAL_MEM_FENCE);
    if (is_full)
        exchange_values(room, place, count, in, source, first, true);
    else
        exchange_values(room, place, count, in, source, first, false);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (is_full)
        write_some_values(room, place, to, count, out, true);
    else
        write_some_values(room, place, to, count, out, false);
#else
    if (is_full)
        scatter_values(room, place, to, count, in, source, first, out, flip, shift, mask, true);
    else
        scatter_values(room, place, to, count, in, source, first, out, flip, shift, mask, false);
#endif
}
#endif
