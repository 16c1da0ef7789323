// partition.cl - moves the elements of all large buckets of a round to their child buckets
//
// Each work-group repeatedly draws a ticket, which is the next value of an atomic counter, and
// processes the tile with that index in the list that the plan kernels wrote. Neighbouring tiles of
// a bucket are therefore processed at about the same time. Their keys with the same digit go to
// adjacent addresses, often to the same cache line, which the cache then writes to memory only
// once. (With two tiles per ticket, a group would process neighbouring tiles one after the other. A
// round of pairs would then take 1.5 times as long on an H200.) The steps for a tile:
//   load        keys of the tile, while the previous tile is written
//   offsets     output offsets of its digits, if the sort is stable: from the histograms
//   rank        ranks of its keys by the digit (common/rank.cl)
//   reserve     output offsets of its digits, if the sort need not be stable: by atomics (layout.h)
//   exchange    keys to local memory, in the order of their ranks
//   scatter     runs of keys with equal digits to their output offsets; then the values
//               (common/exchange.cl)
// The latency of the global memory is hidden in three places: the ticket of the next tile is drawn
// while keys are ranked, the list entry of that ticket is read while keys are exchanged, and the
// next tile's keys are loaded before the last writes of this tile.
//
// Cost: one read and one write per element. The head of round.cl has the measurements.
#ifndef CLSORT_MSD_PARTITION_CL
#define CLSORT_MSD_PARTITION_CL

#include "msd/buckets.cl"

#include "common/load_tile.cl"
#include "msd/exchange_keys.cl"
#include "msd/load_splitters.cl"

typedef struct {
    uint count;        // number of its elements; 0: there is no further tile
    uint array, first; // enum array, and the index of its first element there
    uint shift, mask;  // lowest bit of the digit, and mask of its bits after the shift
    // Rows of the histograms: if the sort is stable, its own, and that of its block's first tile; otherwise the
    // first row of the bucket, and 0.
    uint row, block_row;
} partition_tile_t;

// The list of a round's tiles, and the counter of tickets for it.
typedef struct {
    __global uint *ticket;              // the next ticket
    __global const cls_msd_part *tiles; // 0: the tiles of large bucket 0
    uint count;                         // number of tiles
    // In msd_sampled_round, where the range of each child begins and where the last one ends; otherwise 0
    __local const uint *ranges;
} tile_list_t;

static inline cls_msd_part part_of_ticket(const tile_list_t list, const uint ticket)
{
    cls_msd_part part = {CLS_MSD_NONE, 0};
    if (ticket < list.count && list.tiles == 0) {
        part.large_bucket = 0;
        part.index = ticket;
    } else if (ticket < list.count) {
        part = list.tiles[ticket];
    }
    return part;
}

// Stores member by member: rusticl's compiler crashes where constant structs are stored whole.
static inline void store_part(__local cls_msd_part *copy, const cls_msd_part part)
{
    copy->large_bucket = part.large_bucket;
    copy->index = part.index;
}

// After the last tile the count is 0. (A tile as the return value would leave intrinsics of LLVM in
// the kernels that Oclgrind does not support.)
static inline void set_tile(partition_tile_t *tile, const cls_msd_part part, const uint block_tiles,
                            __global const cls_msd_large_bucket *large_buckets)
{
    tile->count = tile->array = tile->first = tile->shift = tile->mask = tile->row =
        tile->block_row = 0;
    if (part.large_bucket != CLS_MSD_NONE) {
        const cls_msd_large_bucket bucket = large_buckets[part.large_bucket];
        const uint start = part.index * TILE;
        tile->count = min(bucket.count - start, (uint)TILE);
        tile->array = bucket.array;
        tile->first = bucket.source + start;
        tile->shift = bucket.top - bucket.bits;
        tile->mask = (1u << bucket.bits) - 1;
        tile->row = bucket.first_row + (RANK_STABLE ? part.index : 0);
        tile->block_row = RANK_STABLE ? tile->row - part.index % block_tiles : 0;
    }
}

// Whether the range of a child has turned out to be too small.
static inline bool has_failed(__global const volatile cls_msd_control *control)
{
    return control->exceeds_range > 0;
}

#if RANK_STABLE
// Reads the output offsets of this work-item's bins.
static inline void load_offsets(uint *offset, const partition_tile_t tile,
                                __global const uint *histograms)
{
    for (uint i = 0; i < BINS_PER_ITEM; i++) {
        const uint d = min((uint)get_local_id(0) * BINS_PER_ITEM + i, RADIX - 1);
        offset[i] = histograms[tile.block_row * RADIX + d] +
                    (tile.row > tile.block_row ? histograms[tile.row * RADIX + d] : 0);
    }
}
#else
// Reserves the output offsets of this work-item's bins, for the total[] elements of the tile. With ranges, the row has
// offsets relative to where these begin. Elements that exceed a range go to the beginning of scratch, since the round
// starts again.
static inline void reserve_offsets(uint *offset, __global uint *row, const uint *total,
                                   __local const uint *ranges, __global cls_msd_control *control)
{
    for (uint i = 0; i < BINS_PER_ITEM; i++) {
        const uint d = (uint)get_local_id(0) * BINS_PER_ITEM + i;
        offset[i] = d < RADIX ? atomic_add(&row[d], total[i]) : 0;
        if (ranges != 0 && d < RADIX) {
            offset[i] += ranges[d];
            if (offset[i] + total[i] > ranges[d + 1]) {
                atomic_or(&control->exceeds_range, 1u);
                offset[i] = 0;
            }
        }
    }
}
#endif

// Local memory of a work-group.
typedef struct {
    exchange_t exchange;
    ranks_t ranks;
    uint to[RADIX];         // output offset of a digit minus its rank in the tile
    cls_msd_part next_part; // the next tile, as work-item 0 read it
} partition_t;

// Moves tiles of the list until all have been drawn. Returns the number that this group has moved.
// by_splitters, splitters: as in digit_t. With list.ranges, adds to *varying the bits in which keys differ from `some`,
// an ordered key. Inlined, so that list.ranges is a constant in msd_rounds, which then has no code for it.
static inline __attribute__((always_inline)) uint
partition_tiles(__local partition_t *m, const bool by_splitters, __local const key_t *splitters,
                KEY_ARRAYS, VALUE_ARRAYS const tile_list_t list,
                __global const cls_msd_large_bucket *table, __global uint *histograms,
                const key_t flip, const key_t pad, const uint block_tiles,
                __global cls_msd_control *control, key_t *varying, const key_t some)
{
    const uint t = (uint)get_local_id(0);
    cls_msd_part part = {CLS_MSD_NONE, 0};
    if (t == 0) {
        part = part_of_ticket(list, atomic_inc(list.ticket));
        store_part(&m->next_part, part);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    key_t key[ITEMS];
    uint moved = 0;
    partition_tile_t next;
    set_tile(&next, m->next_part, block_tiles, table);
    load_tile(key, KEYS_OF(next.array) + next.first, next.count, pad);
    while (next.count > 0) {
        const partition_tile_t tile = next;
        const digit_t digit = DIGIT(flip, tile.shift, tile.mask, by_splitters, splitters);
        uint rank[ITEMS], total[BINS_PER_ITEM], offset[BINS_PER_ITEM], ticket = 0;
        VALUES(value_t value[ITEMS];)
#if RANK_STABLE
        load_offsets(offset, tile, histograms);
#endif
        // Work-item 0 uses the result of each of its reads one step later. If it waited for them
        // here, all work-items would wait at the next barrier.
        if (t == 0) {
            ticket = atomic_inc(list.ticket);
        }
        if (list.ranges != 0) {
            UNROLL
            for (uint i = 0; i < ITEMS; i++) {
                *varying |= tile_index(i) < tile.count ? ordered(key[i], flip) ^ some : 0;
            }
        }
        find_digits(rank, key, digit);
        rank_tile(&m->ranks, tile.count, tile.mask, rank, total);
        if (t == 0) {
            part = part_of_ticket(list, ticket);
        }
        if (t == 0 && list.ranges != 0 && has_failed(control)) {
            part.large_bucket = CLS_MSD_NONE;
        }
#if !RANK_STABLE
        reserve_offsets(offset,
                        list.ranges != 0 ? control->children : histograms + tile.row * RADIX, total,
                        list.ranges, control);
#endif
        exchange_keys(&m->exchange, &m->ranks, m->to, key, rank, total, offset);
        if (t == 0) {
            store_part(&m->next_part, part);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
#if VALUE_BYTES > 0
        load_values(value, tile.count, VALUES_FROM(tile.array), tile.array, tile.first);
        write_keys(&m->exchange, rank, m->to, tile.count, KEYS_OF(array_after(tile.array)), digit);
        exchange_values(&m->exchange, rank, value);
#endif
        moved++;
        set_tile(&next, m->next_part, block_tiles, table);
        load_tile(key, KEYS_OF(next.array) + next.first, next.count, pad);
#if VALUE_BYTES > 0
        write_values(&m->exchange, rank, value, m->to, tile.count,
                     VALUES_TO(array_after(tile.array)), digit);
#else
        write_keys(&m->exchange, rank, m->to, tile.count, KEYS_OF(array_after(tile.array)), digit);
#endif
    }
    return moved;
}

// The list of a round's tiles.
#define TILES_OF_ROUND(control, list, round)                                                       \
    {                                                                                              \
        &(control)->tickets[round], list, (control)->tiles[round], 0                               \
    }

__kernel SUB_GROUP_KERNEL void msd_partition(BUFFER(control), KEY_ARRAYS,
                                             VALUE_ARRAYS BUFFER(large_buckets), BUFFER(tiles),
                                             BUFFER(histograms), const key_t flip, const key_t pad,
                                             const cls_msd_args args)
{
    __local partition_t memory;
    __local key_t splitters[SPLITTER_NODES];
    __global cls_msd_control *c = AT(cls_msd_control, control);
    const tile_list_t list = TILES_OF_ROUND(c, AT(const cls_msd_part, tiles), args.round);
    const bool by_splitters = load_splitters(splitters, c, args.round);
    key_t varying = 0; // only msd_sampled_round changes it
    partition_tiles(&memory, by_splitters, splitters, KEY_ARRAYS_HERE, VALUE_ARRAYS_HERE list,
                    LARGE_BUCKETS_OF(args.round), AT(uint, histograms), flip, pad,
                    block_tiles_of(c, args, args.round), c, &varying, 0);
}

#endif
