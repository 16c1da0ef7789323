// exchange.cl - the elements of a tile on their way through local memory, so that those of a digit are written together
//
// What a work-item reads is on its way all together, and tiles that are full ask of none of their elements whether it is
// one: else compilers make a branch of each, that waits for its own.
//
// VALUES_AT_ONCE    that a group moves through local memory

#if !defined(TILE) || !defined(ITEMS) || !defined(UNROLL) || !defined(KEYS_AT) ||                  \
    (VALUE_BYTES > 0 && !defined(VALUES_AT_ONCE))
#error                                                                                             \
    "exchange.cl needs keys.cl, group.cl, rank.cl or rank_unstable.cl, places.cl and VALUES_AT_ONCE"
#endif

// Keys, then values.
typedef union {
    key_t key[TILE];
#if VALUE_BYTES > 0
    value_unit_t unit[VALUES_AT_ONCE * (VALUE_BYTES / sizeof(value_unit_t))];
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
    if (count == TILE)
        write_some_keys(room, place, to, count, out, flip, shift, mask, true);
    else
        write_some_keys(room, place, to, count, out, flip, shift, mask, false);
}

#if VALUE_BYTES > 0
// Values from `part` on are those that are moved through local memory now, where they are not all.
#define IS_IN_PART(j, part) (VALUES_AT_ONCE >= TILE || (j) - (part) < VALUES_AT_ONCE)

static inline void load_some_values(__local exchange_t *room, const uint *place, const uint part,
                                    const uint count, __global const value_t *in, const uint source,
                                    const index_t first, const bool is_full)
{
    UNROLL for (uint b = 0; b < ITEMS; b += VALUE_BATCH)
    {
        value_t value[VALUE_BATCH];
        UNROLL for (uint i = 0; i < VALUE_BATCH; i++)
        {
            if (b + i < ITEMS && IS_IN_PART(place[b + i] & 0xffff, part)) {
                const uint e = rank_element(b + i);
                value[i] = VALUE_FROM(in, source, first + (is_full ? e : min(e, count - 1)));
            }
        }
        UNROLL for (uint i = 0; i < VALUE_BATCH; i++)
        {
            const uint j = b + i < ITEMS ? place[b + i] & 0xffff : 0;
            if (b + i < ITEMS && IS_IN_PART(j, part))
                *VALUE_IN(room->unit, j - part) = value[i];
        }
    }
}

static inline void write_some_values(__local const exchange_t *room, const uint *place,
                                     const uint part, __local const index_t *to, const uint count,
                                     __global value_t *out, const bool is_full)
{
    UNROLL for (uint i = 0; i < ITEMS; i++)
    {
        const uint j = (uint)get_local_id(0) + i * GROUP_SIZE;
        if (IS_IN_PART(j, part) && (is_full || j < count))
            out[to[place[i] >> 16] + j] = *VALUE_IN(room->unit, j - part);
    }
}

// The same for the values of elements that begin at `first` in the source.
static inline void write_values(__local exchange_t *room, const uint *place,
                                __local const index_t *to, const uint count,
                                __global const value_t *in, const uint source, const index_t first,
                                __global value_t *out)
{
    const bool is_full = count == TILE;
    for (uint part = 0; part < TILE; part += VALUES_AT_ONCE) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (is_full)
            load_some_values(room, place, part, count, in, source, first, true);
        else
            load_some_values(room, place, part, count, in, source, first, false);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (is_full)
            write_some_values(room, place, part, to, count, out, true);
        else
            write_some_values(room, place, part, to, count, out, false);
    }
}
#endif
