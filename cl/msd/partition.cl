// partition.cl - moves every segment's elements to its children's places
#ifndef CLSORT_MSD_PARTITION_CL
#define CLSORT_MSD_PARTITION_CL

#include "msd/tables.cl"
#include "msd/tile.cl"

typedef struct {
    uint count;         // of its elements
    uint source, first; // enum array, and the first of them in it
    uint shift, mask;   // of the digit
    uint row, block;    // its row, and that of its block's first tile
} tile_t;

static inline part_t part_of(const uint ticket, const uint all, __global const part_t *tiles)
{
    part_t part = {NO_SEGMENT, 0};
    if (ticket < all)
        part = tiles[ticket];
    return part;
}

// Rusticl crashes where constant structs are stored whole.
static inline void tell_part(__local part_t *to, const part_t part)
{
    to->segment = part.segment;
    to->number = part.number;
}

// Past the last tile there is no element.
static inline tile_t tile_of(const part_t part, const uint block_tiles,
                             __global const segment_t *segments)
{
    tile_t it = {0, 0, 0, 0, 0, 0, 0};
    if (part.segment != NO_SEGMENT) {
        const segment_t s = segments[part.segment];
        const uint start = part.number * TILE;
        it.count = min(s.count - start, (uint)TILE);
        it.source = s.place;
        it.first = s.start + start;
        it.shift = s.top - s.bits;
        it.mask = (1u << s.bits) - 1;
        it.row = s.first_row + part.number;
        it.block = it.row - part.number % block_tiles;
    }
    return it;
}

__kernel SUB_GROUP_KERNEL void hybrid_partition(BUFFER(control), INPUT(keys), BUFFER(keys_to),
                                                BUFFER(keys_tmp),
                                                VALUE_INPUT(values) VALUE_BUFFER(values_to)
                                                    VALUE_BUFFER(values_tmp) BUFFER(segments),
                                                BUFFER(tiles), BUFFER(rows), const key_t flip,
                                                const key_t pad, const uint round,
                                                const uint block_tiles)
{
    __local exchange_t room;
    __local ranks_t ranks;
    __local uint to[RADIX];  // where a digit's first key goes, less its place in the sorted tile
    __local part_t ahead[1]; // the next tile
    const uint t = (uint)get_local_id(0), all = AT(const control_t, control)->tiles[round];
    __global uint *taken = &AT(control_t, control)->tickets[round];
    __global const uint *table = AT(const uint, rows);
    __global const part_t *list = AT(const part_t, tiles);
    __global const segment_t *from = AT(const segment_t, segments);
    part_t part = {NO_SEGMENT, 0};
    if (t == 0) {
        part = part_of(atomic_inc(taken), all, list);
        tell_part(ahead, part);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    key_t key[ITEMS];
    tile_t next = tile_of(*ahead, block_tiles, from);
    load_tile(key, KEYS_OF(next.source) + next.first, next.count, pad);
    while (next.count > 0) {
        // Apart, since `next` is not this tile any more when they are used.
        const uint count = next.count, source = next.source;
        const uint shift = next.shift, mask = next.mask;
        VALUES(const uint first = next.first;)
        VALUES(value_t value[ITEMS];)
        uint place[ITEMS], total[DIGITS], next_place[DIGITS], ticket = 0;
        for (uint i = 0; i < DIGITS; i++) {
            const uint d = min(t * DIGITS + i, RADIX - 1);
            next_place[i] = table[next.block * RADIX + d] +
                            (next.row > next.block ? table[next.row * RADIX + d] : 0);
        }
        // The ticket is on its way while keys are ranked, and what it stands for while they are exchanged: all would
        // wait at a barrier for the work-item that waits for it.
        if (t == 0)
            ticket = atomic_inc(taken);
        rank_tile(&ranks, key, count, flip, shift, mask, place, total);
        if (t == 0)
            part = part_of(ticket, all, list);
        exchange_keys(&room, &ranks, to, key, place, total, next_place);
        if (t == 0)
            tell_part(ahead, part);
        barrier(CLK_LOCAL_MEM_FENCE);
#if VALUE_BYTES > 0
        load_values(value, count, VALUES_FROM(source), source, first);
        write_keys(&room, place, to, count, KEYS_OF(place_after(source)), flip, shift, mask);
        exchange_values(&room, place, value);
#endif
        // The next keys are on their way while what is last of this tile is written.
        next = tile_of(*ahead, block_tiles, from);
        load_tile(key, KEYS_OF(next.source) + next.first, next.count, pad);
#if VALUE_BYTES > 0
        write_values(&room, place, value, to, count, VALUES_TO(place_after(source)), flip, shift,
                     mask);
#else
        write_keys(&room, place, to, count, KEYS_OF(place_after(source)), flip, shift, mask);
#endif
    }
}

#endif
