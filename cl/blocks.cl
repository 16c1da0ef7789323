// blocks.cl - the building blocks of the work-group sorts, each alone, for the self-test
//
// A kernel is one group. What it writes is known: blocks.c works it out again.

#if !defined(GROUP_SIZE) || !defined(ITEMS)
#error                                                                                             \
    "blocks.cl needs types.cl, keys.cl, control.cl, scan.cl and split.cl, or lanes.cl and rank.cl"
#endif

// A number that looks random, of where it is.
static inline uint scramble(const uint i)
{
    return (i + 1) * 2654435761u;
}

#if defined(LANES)
// The place of each element of a tile that is sorted by a digit, where lanes match; then where each digit starts.
// Some digits are there for most of the elements.
__kernel GROUP void block_match(__global ulong *places)
{
    __local ranks_t ranks;
    uint digit[ITEMS], rank[ITEMS], total[DIGITS];
    rank_begin(&ranks);
    for (uint i = 0; i < ITEMS; i++) {
        const uint number = scramble(rank_element(i));
        digit[i] = (number >> 9) % (number >> 31 ? RADIX : 3);
        rank[i] = rank_item(&ranks, digit[i]);
    }
    rank_totals(&ranks, total);
    rank_starts(&ranks, total);
    for (uint i = 0; i < ITEMS; i++)
        places[rank_element(i)] = rank_place(&ranks, digit[i], rank[i]);
    for (uint d = (uint)get_local_id(0); d <= RADIX; d += GROUP_SIZE)
        places[TILE + d] = ranks.start[d];
}
#else

// Each work-item's prefix sum, and behind all of them their total.
__kernel GROUP void block_scan(__global ulong *sums)
{
    __local ulong work[2 * GROUP_SIZE];
    const uint t = (uint)get_local_id(0);
    ulong total;
    sums[t] = group_scan(scramble(t), work, &total);
    if (t == GROUP_SIZE - 1)
        sums[GROUP_SIZE] = total;
}

// OR and AND of all work-items' keys, as each work-item has them, and whether they are in order: asked when
// one work-item's keys are not, and when all are.
__kernel GROUP void block_seen(__global ulong *seen)
{
    __local seen_t work[GROUP_SIZE];
    const uint t = (uint)get_local_id(0);
    seen_t mine = {scramble(t), scramble(t), t != GROUP_SIZE / 2};
    const seen_t disordered = group_seen(mine, work);
    mine.ordered = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    mine = group_seen(mine, work);
    seen[4 * t] = mine.any;
    seen[4 * t + 1] = mine.all;
    seen[4 * t + 2] = disordered.ordered;
    seen[4 * t + 3] = mine.ordered;
}

// The place of each key of a tile that is split by its two lowest bits.
__kernel GROUP void block_rank(__global ulong *places)
{
    __local exchange_t x;
    const uint t = (uint)get_local_id(0);
    tile_t tile;
    uint place[ITEMS];
    for (uint i = 0; i < ITEMS; i++)
        tile.key[i] = scramble(t * ITEMS + i) >> 9;
    split_places(&tile, &x, 0, 0, 3, place);
    for (uint i = 0; i < ITEMS; i++)
        places[t * ITEMS + i] = place[i];
}
#endif
