// pass.cl - one digit pass over a section: ranks, publishes, looks back, scatters
#ifndef CLSORT_ONESWEEP_PASS_CL
#define CLSORT_ONESWEEP_PASS_CL

#define RANK_STABLE 1
#define RANK_COUNTED 1

#include "common/exchange.cl"
#include "common/lsd_passes.cl"
#include "common/rank.cl"
#include "onesweep/layout.h"
#include "onesweep/look_back.cl"

// A tile of the section.
typedef struct {
    uint number;   // of the tile
    uint count;    // of its elements; 0: there is no such tile
    index_t first; // the index of its first element in the array
} tile_t;

static inline tile_t tile_of_ticket(const cls_onesweep_pass_args args, const uint ticket)
{
    const index_t first = (index_t)args.first + (index_t)min(ticket, args.tiles) * TILE;
    const bool exists = ticket < args.tiles;
    const tile_t tile = {ticket, exists ? (uint)min((index_t)args.count - first, (index_t)TILE) : 0,
                         first};
    return tile;
}

// Loads this work-item's keys of a tile; the last tile is padded at its end.
static inline void load_keys(key_t *key, __global const key_t *in, const uint count,
                             const key_t pad)
{
    if (count == TILE) {
        UNROLL
        for (uint i = 0; i < ITEMS; i++) {
            key[i] = in[tile_index(i)];
        }
    } else {
        UNROLL
        for (uint i = 0; i < ITEMS; i++) {
            key[i] = tile_index(i) < count ? in[tile_index(i)] : pad;
        }
    }
}

// Returns how many of the tile's keys have the digit d, from its total that includes the padding,
// whose digit is `mask`.
static inline uint count_without_padding(const uint total, const uint d, const uint mask,
                                         const uint count)
{
    return total - (d == mask ? TILE - count : 0);
}

// Publishes the counts of this work-item's digits. The first tile's counts are prefixes.
static inline void publish_counts(const onesweep_table_t table, const uint *own)
{
    for (uint i = 0; i < DIGITS; i++) {
        const uint d = (uint)get_local_id(0) * DIGITS + i;
        if (d < RADIX) {
            publish(table, d, (table.tile == 0 ? PREFIX_BIT : 0) | own[i]);
        }
    }
}

// Adds to offset[], the offsets at which the section's elements of this work-item's digits start,
// the numbers of those elements in preceding tiles, and publishes the inclusive prefixes. `in` is
// where the section starts.
static inline void look_back_and_publish(index_t *offset, const onesweep_table_t table,
                                         __global const key_t *in, const lsd_digit_t digit,
                                         const uint *own)
{
#pragma unroll 1 // there is mostly one digit, and compilers take long to unroll this loop
    for (uint i = 0; i < DIGITS; i++) {
        const uint d = (uint)get_local_id(0) * DIGITS + i;
        if (d < RADIX && table.tile > 0) {
            const uint before = look_back(table, d, in, digit);
            publish(table, d, PREFIX_BIT | (before + own[i]));
            offset[i] += before;
        }
    }
}

// Each work-group processes one tile after the other. A ticket gives it the number of its next tile,
// and it returns when all tiles of the section have been taken. It loads the keys of the next tile
// while it writes the elements of the current one. It draws the ticket late, because later
// tiles wait for the counts of that tile.
__kernel SUB_GROUP_KERNEL void onesweep_pass(BUFFER(control), KEY_ARRAYS,
                                             VALUE_ARRAYS BUFFER(table), BUFFER(offsets),
                                             const cls_onesweep_pass_args args)
{
    const cls_lsd_step step = AT(const cls_lsd_control, control)->step[args.pass];
    if (!step.active) {
        return;
    }
    __local exchange_t exchange;
    __local ranks_t ranks;
    __local index_t to[RADIX]; // output offset of each digit's first key in the tile, less its rank
    __local uint next_ticket[1], shift[1];
    const uint t = (uint)get_local_id(0);
    const lsd_digit_t digit = {(key_t)args.flip, args.shift, args.mask};
    __global const key_t *in = KEYS_OF(step.source);
    __global uint *tickets = AT(uint, table) + args.launch;
    if (t == 0) {
        *next_ticket = atomic_inc(tickets);
        *shift = args.shift;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    key_t key[ITEMS];
    tile_t tile = tile_of_ticket(args, *next_ticket);
    load_keys(key, in + tile.first, tile.count, (key_t)args.pad);
    while (tile.count > 0) {
        const onesweep_table_t table_rows = {AT(uint, table) + args.launches, args.launch,
                                             tile.number};
        uint total[DIGITS], own[DIGITS], rank[ITEMS];
        index_t offset[DIGITS];
        rank_clear(&ranks);
        UNROLL
        for (uint i = 0; i < ITEMS; i++) {
            rank_count(&ranks, lsd_digit_of(key[i], digit));
        }
        rank_totals(&ranks, total);
        for (uint i = 0; i < DIGITS; i++) {
            const uint d = t * DIGITS + i;
            own[i] = count_without_padding(total[i], d, digit.mask, tile.count);
            offset[i] = AT(const index_t, offsets)[args.row * RADIX + min(d, RADIX - 1)];
        }
        publish_counts(table_rows, own);
        rank_starts(&ranks, total);
        // Since compilers cannot know that this shift is that of `digit`, they compute each digit
        // again, instead of keeping all digits in registers.
        const lsd_digit_t same_digit = {digit.flip, *shift, digit.mask};
        UNROLL
        for (uint i = 0; i < ITEMS; i++) {
            const uint r = rank_item(&ranks, lsd_digit_of(key[i], same_digit));
            exchange.key[r] = key[i];
            rank[i] = r;
        }
        if (t == 0) {
            *next_ticket = args.takes_one_tile ? args.tiles : atomic_inc(tickets);
        }
        look_back_and_publish(offset, table_rows, in + args.first, digit, own);
        for (uint i = 0; i < DIGITS; i++) {
            const uint d = t * DIGITS + i;
            if (d < RADIX) {
                to[d] = offset[i] - rank_start(&ranks, d);
                if (tile.number == args.tiles - 1) {
                    AT(index_t, offsets)[args.next_row * RADIX + d] = offset[i] + own[i];
                }
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        const tile_t next = tile_of_ticket(args, *next_ticket);
#if VALUE_BYTES > 0
        value_t value[ITEMS];
        load_values(value, tile.count, VALUES_FROM(step.source), step.source, tile.first);
        write_keys(&exchange, rank, to, tile.count, KEYS_OF(step.target), digit.flip, digit.shift,
                   digit.mask);
        exchange_values(&exchange, rank, value);
        load_keys(key, in + next.first, next.count, (key_t)args.pad);
        write_values(&exchange, rank, value, to, tile.count, VALUES_TO(step.target), digit.flip,
                     digit.shift, digit.mask);
#else
        load_keys(key, in + next.first, next.count, (key_t)args.pad);
        write_keys(&exchange, rank, to, tile.count, KEYS_OF(step.target), digit.flip, digit.shift,
                   digit.mask);
#endif
        tile = next;
    }
}

#endif
