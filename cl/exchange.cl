// exchange.cl - the elements of a tile on their way through local memory, so that those of a digit are written together
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

// Writes the keys of a tile that lies in `room`, sorted by the digit; to[] is where a digit's first key goes, less its
// place in the tile. place[], where this work-item's elements are in it, takes 16 bits of each word: the others become
// the digits that write_values needs.
static inline void write_keys(__local const exchange_t *room, uint *place,
                              __local const index_t *to, const uint count, __global key_t *out,
                              const key_t flip, const uint shift, const uint mask)
{
    UNROLL for (uint i = 0; i < ITEMS; i++)
    {
        const uint j = (uint)get_local_id(0) + i * GROUP_SIZE;
        const uint d = digit_of(room->key[j], flip, shift, mask);
        place[i] |= d << 16;
        if (j < count)
            out[to[d] + j] = room->key[j];
    }
}

#if VALUE_BYTES > 0
// The same for the values of elements that begin at `first` in the source.
static inline void write_values(__local exchange_t *room, const uint *place,
                                __local const index_t *to, const uint count,
                                __global const value_t *in, const uint source, const index_t first,
                                __global value_t *out)
{
    // All go through it as often, and meet at its end: PoCL would take work-item 0's way from an `if` there for all.
    for (uint from = 0; from < TILE; from += VALUES_AT_ONCE) {
        barrier(CLK_LOCAL_MEM_FENCE);
        UNROLL for (uint i = 0; i < ITEMS; i++)
        {
            const uint j = place[i] & 0xffff;
            if (j - from < VALUES_AT_ONCE && j < count)
                *VALUE_IN(room->unit, j - from) = VALUE_FROM(in, source, first + rank_element(i));
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        UNROLL for (uint i = 0; i < ITEMS; i++)
        {
            const uint j = (uint)get_local_id(0) + i * GROUP_SIZE;
            if (j - from < VALUES_AT_ONCE && j < count)
                out[to[place[i] >> 16] + j] = *VALUE_IN(room->unit, j - from);
        }
    }
}
#endif
