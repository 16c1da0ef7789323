// partition.cl - moves the elements of all large buckets of a round to their child buckets
//
// Each work-group repeatedly draws a ticket, which is the next value of an atomic counter, and
// processes the tile with that index in the list that the plan kernels wrote. Neighbouring tiles of
// a bucket are therefore processed at about the same time. Their keys with the same digit go to
// adjacent addresses, often to the same cache line, which the cache then writes to memory only
// once. (With two tiles per ticket, a group would process neighbouring tiles one after the other. A
// round of pairs would then take 1.5 times as long on an H200.) The steps for a tile:
//   load        keys of the tile, while the previous tile is written
//   offsets     output offsets of its digits, from the histograms
//   rank        ranks of its keys by the digit (common/rank.cl)
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
#include "msd/exchange_keys.cl"
#include "msd/tile.cl"

typedef struct {
    uint count;          // number of its elements; 0: there is no further tile
    uint array, first;   // enum array, and the index of its first element there
    uint shift, mask;    // lowest bit of the digit, and mask of its bits after the shift
    uint row, block_row; // rows of the histograms: its own, and that of its block's first tile
} partition_tile_t;

// The list of a round's tiles, and the counter of tickets for it.
typedef struct {
    __global uint *ticket; // the next ticket
    __global const cls_msd_part *tiles;
    uint count; // number of tiles
} tile_list_t;

static inline cls_msd_part part_of_ticket(const tile_list_t list, const uint ticket)
{
    cls_msd_part part = {CLS_MSD_NONE, 0};
    if (ticket < list.count) {
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

// After the last tile the count is 0.
static inline partition_tile_t tile_of_part(const cls_msd_part part, const uint block_tiles,
                                            __global const cls_msd_large_bucket *large_buckets)
{
    partition_tile_t tile = {0, 0, 0, 0, 0, 0, 0};
    if (part.large_bucket != CLS_MSD_NONE) {
        const cls_msd_large_bucket bucket = large_buckets[part.large_bucket];
        const uint start = part.index * TILE;
        tile.count = min(bucket.count - start, (uint)TILE);
        tile.array = bucket.array;
        tile.first = bucket.start + start;
        tile.shift = bucket.top - bucket.bits;
        tile.mask = (1u << bucket.bits) - 1;
        tile.row = bucket.first_row + part.index;
        tile.block_row = tile.row - part.index % block_tiles;
    }
    return tile;
}

// Reads the output offsets of this work-item's digits.
static inline void load_offsets(uint *offset, const partition_tile_t tile,
                                __global const uint *histograms)
{
    for (uint i = 0; i < DIGITS; i++) {
        const uint d = min((uint)get_local_id(0) * DIGITS + i, RADIX - 1);
        offset[i] = histograms[tile.block_row * RADIX + d] +
                    (tile.row > tile.block_row ? histograms[tile.row * RADIX + d] : 0);
    }
}

__kernel SUB_GROUP_KERNEL void msd_partition(BUFFER(control), KEY_ARRAYS,
                                             VALUE_ARRAYS BUFFER(large_buckets), BUFFER(tiles),
                                             BUFFER(histograms), const key_t flip, const key_t pad,
                                             const uint round, const uint block_tiles)
{
    __local exchange_t exchange;
    __local ranks_t ranks;
    __local uint to[RADIX];            // output offset of a digit minus its rank in the tile
    __local cls_msd_part next_part[1]; // the next tile, as work-item 0 read it
    const uint t = (uint)get_local_id(0);
    const tile_list_t list = {&AT(cls_msd_control, control)->tickets[round],
                              AT(const cls_msd_part, tiles),
                              AT(const cls_msd_control, control)->tiles[round]};
    __global const cls_msd_large_bucket *table = AT(const cls_msd_large_bucket, large_buckets);
    cls_msd_part part = {CLS_MSD_NONE, 0};
    if (t == 0) {
        part = part_of_ticket(list, atomic_inc(list.ticket));
        store_part(next_part, part);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    key_t key[ITEMS];
    partition_tile_t next = tile_of_part(*next_part, block_tiles, table);
    load_tile(key, KEYS_OF(next.array) + next.first, next.count, pad);
    while (next.count > 0) {
        const partition_tile_t tile = next;
        uint rank[ITEMS], total[DIGITS], offset[DIGITS], ticket = 0;
        VALUES(value_t value[ITEMS];)
        load_offsets(offset, tile, AT(const uint, histograms));
        // Work-item 0 uses the result of each of its reads one step later. If it waited for them
        // here, all work-items would wait at the next barrier.
        if (t == 0) {
            ticket = atomic_inc(list.ticket);
        }
        rank_tile(&ranks, key, tile.count, flip, tile.shift, tile.mask, rank, total);
        if (t == 0) {
            part = part_of_ticket(list, ticket);
        }
        exchange_keys(&exchange, &ranks, to, key, rank, total, offset);
        if (t == 0) {
            store_part(next_part, part);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
#if VALUE_BYTES > 0
        load_values(value, tile.count, VALUES_FROM(tile.array), tile.array, tile.first);
        write_keys(&exchange, rank, to, tile.count, KEYS_OF(array_after(tile.array)), flip,
                   tile.shift, tile.mask);
        exchange_values(&exchange, rank, value);
#endif
        next = tile_of_part(*next_part, block_tiles, table);
        load_tile(key, KEYS_OF(next.array) + next.first, next.count, pad);
#if VALUE_BYTES > 0
        write_values(&exchange, rank, value, to, tile.count, VALUES_TO(array_after(tile.array)),
                     flip, tile.shift, tile.mask);
#else
        write_keys(&exchange, rank, to, tile.count, KEYS_OF(array_after(tile.array)), flip,
                   tile.shift, tile.mask);
#endif
    }
}

#endif
