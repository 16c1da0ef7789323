// pass.cl - one digit pass over a section: counts, publishes, ranks, looks back, scatters
#ifndef CLSORT_ONESWEEP_PASS_CL
#define CLSORT_ONESWEEP_PASS_CL

#define RANK_STABLE 1
#define RANK_COUNTED 1

#include "common/exchange.cl"
#include "common/load_tile.cl"
#include "common/lsd_passes.cl"
#include "common/rank.cl"
#include "common/steps.cl"
#include "onesweep/layout.h"
#include "onesweep/look_back.cl"
#include "onesweep/tables.cl"

// A stage: one pass over one section.
typedef struct {
    digit_t digit;
    cls_lsd_pass pass;
    uint number;        // of the stage in the sort
    uint tiles;         // of the section; 0 if the pass is not needed
    uint row, next_row; // of the array of offsets: of this section, and of the next one
    index_t first;      // the index of the section's first element
} stage_t;

// A tile of the section.
typedef struct {
    uint number;   // of the tile
    uint count;    // of its elements; 0: there is no such tile
    index_t first; // the index of its first element in the array
} tile_t;

static inline stage_t stage_of_number(const cls_onesweep_args args, const uint number,
                                      __global const cls_lsd_control *control)
{
    const uint pass = number / args.sections, section = number % args.sections;
    const uint shift = args.begin_bit + pass * BITS;
    stage_t stage;
    stage.digit.flip = (key_t)args.flip;
    stage.digit.shift = shift;
    stage.digit.mask = (1u << min((uint)BITS, args.end_bit - shift)) - 1;
    stage.pass = control->pass[pass];
    stage.number = number;
    stage.first = (index_t)section * args.section_tiles * TILE;
#if COUNT_BYTES > 0
    const index_t first = min(stage.first, (index_t)args.count); // the section may be empty
#else
    const index_t first = stage.first;
#endif
    const index_t left = ((index_t)args.count - first + TILE - 1) / TILE;
    stage.tiles = stage.pass.active ? (uint)min(left, (index_t)args.section_tiles) : 0;
    // There is a row for the first section of each pass, and two rows that the other sections use
    // in turn.
    stage.row = section == 0 ? pass : args.passes + section % 2;
    stage.next_row = args.passes + (section + 1) % 2;
    return stage;
}

static inline tile_t tile_of_ticket(const stage_t *stage, const uint ticket, const index_t n)
{
    const index_t first = stage->first + (index_t)min(ticket, stage->tiles) * TILE;
    const bool exists = ticket < stage->tiles;
    const tile_t tile = {ticket, exists ? (uint)min(n - first, (index_t)TILE) : 0, first};
    return tile;
}

// Returns how many of the tile's keys have the digit d, from its total that includes the padding,
// whose digit is `mask`.
static inline uint count_without_padding(const uint total, const uint d, const uint mask,
                                         const uint count)
{
    return total - (d == mask ? TILE - count : 0);
}

// Publishes the counts of this work-item's bins. The first tile's counts are prefixes.
static inline void publish_counts(const onesweep_table_t table, const uint *own)
{
    for (uint i = 0; i < BINS_PER_ITEM; i++) {
        const uint d = (uint)get_local_id(0) * BINS_PER_ITEM + i;
        if (d < RADIX) {
            publish(table, d, (table.tile == 0 ? PREFIX_BIT : 0) | own[i]);
        }
    }
}

// Adds to offset[], the offsets at which the section's elements of this work-item's bins start,
// the numbers of those elements in preceding tiles, and publishes the inclusive prefixes. `in` is
// where the section starts.
static inline void look_back_and_publish(index_t *offset, const onesweep_table_t table,
                                         __global const key_t *in, const digit_t digit,
                                         const uint *own)
{
#pragma unroll 1 // there is mostly one bin, and compilers take long to unroll this loop
    for (uint i = 0; i < BINS_PER_ITEM; i++) {
        const uint d = (uint)get_local_id(0) * BINS_PER_ITEM + i;
        if (d < RADIX && table.tile > 0) {
            const uint before = look_back(table, d, in, digit);
            publish(table, d, PREFIX_BIT | (before + own[i]));
            offset[i] += before;
        }
    }
}

// Local memory of a work-group. Elements are stored only after all ranks of the tile are known, so
// that they reuse the memory of the rank counters, and tiles can be larger. Barriers separate the
// two uses.
typedef struct {
    union {
        ranks_t ranks;
        exchange_t exchange;
    } tile;
    index_t to[RADIX]; // output offset of each digit's first key in the tile, less its rank
    uint next_ticket, shift;
} pass_t;

// A stage has few tiles if there are at most this many per work-group.
#define FEW_TILES 4

// Returns the ticket of a work-group's next tile.
static inline uint draw_next(__global uint *tickets, const stage_t *stage,
                             const cls_onesweep_args args)
{
    return args.takes_one_tile ? stage->tiles : atomic_inc(tickets);
}

// Runs stages one after the other. In each stage, a work-group processes one tile after the other:
// a ticket gives it the number of its next tile, and it goes on when all tiles of the stage have
// been taken. It loads the keys of the next tile while it writes the elements of the current one.
// It draws a ticket as late as it can: after the look-back, and with values after it has written the
// keys. Later tiles wait for the counts of every tile whose ticket is drawn, and the group publishes
// these only when it has finished its current tile. In stages of few tiles, in which later tiles
// hardly wait, keys alone are sorted faster if the look-back hides the latency of the ticket. At the
// end the group waits for the last stage if the result is then copied.
static inline void run_stages(__local pass_t *m, __global cls_onesweep_control *control, KEY_ARRAYS,
                              VALUE_ARRAYS BUFFER(tables), const cls_onesweep_args args)
{
    const uint t = (uint)get_local_id(0);
    const index_t n = (index_t)args.count;
    // The last stage so far that was needed: its counter in complete[], and what it must reach.
    uint awaited = CLS_ONESWEEP_STAGES, awaited_tiles = 0;
    for (uint number = args.first_stage; number < args.end_stage; number++) {
        const stage_t stage = stage_of_number(args, number, &control->lsd);
        const digit_t digit = stage.digit;
        const uint counter = CLS_ONESWEEP_STAGES + number % CLS_ONESWEEP_EPOCHS;
        __global const key_t *in = KEYS_OF(stage.pass.source);
        __global uint *tickets = &control->tickets[counter];
        // The latency of this ticket is part of the wait.
        const uint first_ticket = t == 0 ? atomic_inc(tickets) : 0;
        await_parts(&control->complete[awaited], awaited_tiles);
        if (t == 0) {
            m->next_ticket = first_ticket;
            m->shift = digit.shift;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        key_t key[ITEMS];
        uint tiles = 0;
        tile_t tile = tile_of_ticket(&stage, m->next_ticket, n);
        load_tile(key, in + tile.first, tile.count, (key_t)args.pad);
        while (tile.count > 0) {
            const onesweep_table_t table_rows = {TILE_TABLE, number, tile.number};
            uint total[BINS_PER_ITEM], own[BINS_PER_ITEM], start[BINS_PER_ITEM], rank[ITEMS];
            index_t offset[BINS_PER_ITEM];
            rank_clear(&m->tile.ranks);
            UNROLL
            for (uint i = 0; i < ITEMS; i++) {
                rank_count(&m->tile.ranks, digit_in(key[i], digit));
            }
            rank_totals(&m->tile.ranks, total);
            for (uint i = 0; i < BINS_PER_ITEM; i++) {
                const uint d = t * BINS_PER_ITEM + i;
                own[i] = count_without_padding(total[i], d, digit.mask, tile.count);
                offset[i] = DIGIT_OFFSETS[stage.row * RADIX + min(d, RADIX - 1)];
            }
            publish_counts(table_rows, own);
            rank_starts(&m->tile.ranks, total);
            for (uint i = 0; i < BINS_PER_ITEM; i++) {
                start[i] = rank_start(&m->tile.ranks, min(t * BINS_PER_ITEM + i, RADIX));
            }
            // Since compilers cannot know that this shift is that of `digit`, they compute each
            // digit again, instead of keeping all digits in registers.
            const digit_t same_digit = {digit.flip, m->shift, digit.mask};
            UNROLL
            for (uint i = 0; i < ITEMS; i++) {
                rank[i] = rank_item(&m->tile.ranks, digit_in(key[i], same_digit));
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            store_keys(&m->tile.exchange, rank, key);
#if VALUE_BYTES == 0
            const bool draws_early = stage.tiles <= FEW_TILES * (uint)get_num_groups(0);
            if (t == 0 && draws_early) {
                m->next_ticket = draw_next(tickets, &stage, args);
            }
#endif
            look_back_and_publish(offset, table_rows, in + stage.first, digit, own);
#if VALUE_BYTES == 0
            if (t == 0 && !draws_early) {
                m->next_ticket = draw_next(tickets, &stage, args);
            }
#endif
            for (uint i = 0; i < BINS_PER_ITEM; i++) {
                const uint d = t * BINS_PER_ITEM + i;
                if (d < RADIX) {
                    m->to[d] = offset[i] - start[i];
                    if (tile.number == stage.tiles - 1) {
                        DIGIT_OFFSETS[stage.next_row * RADIX + d] = offset[i] + own[i];
                    }
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
#if VALUE_BYTES > 0
            value_t value[ITEMS];
            uint next_ticket = 0;
            load_values(value, tile.count, VALUES_FROM(stage.pass.source), stage.pass.source,
                        tile.first);
            write_keys(&m->tile.exchange, rank, m->to, tile.count, KEYS_OF(stage.pass.target),
                       digit);
            if (t == 0) {
                next_ticket = draw_next(tickets, &stage, args);
            }
            exchange_values(&m->tile.exchange, rank, value);
            if (t == 0) {
                m->next_ticket = next_ticket; // drawn above, so that the exchange hides its latency
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            const tile_t next = tile_of_ticket(&stage, m->next_ticket, n);
            load_tile(key, in + next.first, next.count, (key_t)args.pad);
            write_values(&m->tile.exchange, rank, value, m->to, tile.count,
                         VALUES_TO(stage.pass.target), digit);
#else
            const tile_t next = tile_of_ticket(&stage, m->next_ticket, n);
            load_tile(key, in + next.first, next.count, (key_t)args.pad);
            write_keys(&m->tile.exchange, rank, m->to, tile.count, KEYS_OF(stage.pass.target),
                       digit);
#endif
            barrier(CLK_LOCAL_MEM_FENCE); // the next tile is ranked where these elements are
            tile = next;
            tiles++;
        }
        report_parts(&control->complete[counter], tiles);
        awaited = stage.tiles > 0 ? counter : awaited;
        awaited_tiles = stage.tiles > 0 ? stage.tiles : awaited_tiles;
    }
    const bool waits = args.is_last && control->lsd.result != OUTPUT_ARRAY;
    await_parts(&control->complete[awaited], waits ? awaited_tiles : 0);
}

#endif
