// rank_keys.cl - where each key of a tile goes when the tile is sorted by a digit, equal ones in their order (rank.cl)

#if !defined(KEY_BYTES) || !defined(LANE_GROUPS) || !defined(UNROLL)
#error "rank_keys.cl needs keys.cl, group.cl and rank.cl"
#endif

// Where a digit starts in the sorted tile, once that is ranked.
static inline uint rank_start(__local const ranks_t *ranks, const uint digit)
{
    return ranks->start[digit];
}

// place[i] becomes where item i goes, total[i] how many of the tile's `count` keys have each of this work-item's
// digits. Keys that pad the tile are its last ones, and have the last digit.
static inline void rank_tile(__local ranks_t *ranks, const key_t *key, const uint count,
                             const key_t flip, const uint shift, const uint mask, uint *place,
                             uint *total)
{
    rank_begin(ranks);
    UNROLL for (uint i = 0; i < ITEMS; i++) place[i] =
        rank_item(ranks, digit_of(key[i], flip, shift, mask));
    rank_totals(ranks, total);
    rank_starts(ranks, total);
    UNROLL for (uint i = 0; i < ITEMS; i++) place[i] =
        rank_place(ranks, digit_of(key[i], flip, shift, mask), place[i]);
    for (uint i = 0; i < DIGITS; i++)
        total[i] -= (uint)get_local_id(0) * DIGITS + i == mask ? TILE - count : 0;
}
