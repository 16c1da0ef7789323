// pack.cl - a bucket's items by packs: the highest bits that differ and the item's place in one number, which vectors sort
// (quick.cl); then items follow their places. Stable, since places are different and in order.
//
// Cost: the quicksort of a number for each item, and a read of each item from its place within the cache.

#if !defined(COUNTERS) || !defined(KEY_BYTES) || !defined(VALUE_BYTES)
#error "pack.cl needs types.cl, keys.cl, items.cl, compress.cl, quick.cl and bucket.cl"
#endif

#define MOST_PACKS (1u << 14)                        // so that packs tell nearly all keys apart
#define PACKS_ROOM(count) (ROOM_OF(count) + (count)) // that pack_sort needs, in packs

// Makes packs of the keys' bits from `shift` on, and fetches the values into the cache: they are read in no order.
static inline void make_packs(const items_t items, const uint count, const key_t flip,
                              const key_t window, const uint shift, const uint place_bits,
                              __global uint *packs)
{
    const uint16 lanes = (uint16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    uint i = 0;
    for (; i + LANES <= count; i += LANES) {
        const uint16 numbers = ordered_lanes(vload16(0, items.keys + i), flip) & window;
        vstore16(numbers >> shift << place_bits | (lanes + i), 0, packs + i);
        for (uint j = 0; j < LANES * VALUE_BYTES; j += 64)
            __builtin_prefetch((__global const uchar *)(items.values + i) + j);
    }
    for (; i < count; i++)
        packs[i] = (ordered(items.keys[i], flip) & window) >> shift << place_bits | i;
}

// Sorts as bucket_sort does, but within the cache, and gives up where packs do not tell enough keys apart: then `from` is
// as it was.
static inline bool pack_sort(const items_t from, const items_t to, const uint count,
                             const key_t flip, const key_t window, const uint low, const uint top,
                             __global uint *room)
{
    const uint place_bits = bits_of(count - 1), places = (1u << place_bits) - 1;
    const uint shift = max(low, max(top, 32 - place_bits) - (32 - place_bits));
    __global uint *packs = room + ROOM_OF(count);
    make_packs(from, count, flip, window, shift, place_bits, room);
    sort_room(room, count, 0, LARGEST, packs, 0);
    index_t moves = 0;
    key_t last = 0;
    for (uint i = 0; i < count && moves < count; i++) {
        const uint place = packs[i] & places;
        const key_t key = from.keys[place], rank = ordered(key, flip) & window;
        to.keys[i] = key;
        to.values[i] = from.values[place];
        if (rank >= last)
            last = rank;
        else
            moves += insert_item(to, i, flip, window, count - moves);
    }
    return moves < count;
}
