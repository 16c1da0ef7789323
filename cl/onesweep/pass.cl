// pass.cl - one digit pass over a section: ranks, publishes, looks back, scatters
#ifndef CLSORT_ONESWEEP_PASS_CL
#define CLSORT_ONESWEEP_PASS_CL

#define RANK_STABLE 1

#include "common/exchange.cl"
#include "common/lsd_passes.cl"
#include "common/rank.cl"
#include "onesweep/layout.h"
#include "onesweep/look_back.cl"

// NVIDIA's devices start work-groups in order, so that there a tile is its group's index.
#define USES_TICKETS (SUB_GROUP_BACKEND != 3)

typedef union {
    ranks_t ranks;
    exchange_t exchange;
} onesweep_tile_memory_t;

// Takes the number of the group's tile; `ticket` is a word of local memory.
static inline uint take_tile(__global uint *counters, const uint launch, __local uint *ticket)
{
#if USES_TICKETS
    if (get_local_id(0) == 0) {
        *ticket = atomic_inc(counters + launch);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return *ticket;
#else
    return (uint)get_group_id(0);
#endif
}

// Loads this work-item's keys of a tile; the last tile is padded at its end.
static inline void load_keys(key_t *key, __global const key_t *tile_keys, const uint count,
                             const key_t pad)
{
    const uint first = tile_index(0);
    __global const key_t *in = tile_keys + first;
#pragma unroll
    for (uint i = 0; i < ITEMS; i++) {
        key[i] = first + i * SUB_GROUP_SIZE < count ? in[i * SUB_GROUP_SIZE] : pad;
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
static inline void publish_counts(const onesweep_table_t table, const uint *total, const uint mask,
                                  const uint count)
{
    for (uint i = 0; i < DIGITS; i++) {
        const uint d = (uint)get_local_id(0) * DIGITS + i;
        const uint own = count_without_padding(total[i], d, mask, count);
        if (d < RADIX) {
            publish(table, d, (table.tile == 0 ? PREFIX_BIT : 0) | own);
        }
    }
}

// Sorts the keys into local memory. rank[i] becomes the rank of key[i] in the tile, start[i] the
// rank of the first key of each of this work-item's digits, and total[i] the number of its keys.
// The counts are published as soon as they are known, before the ranks are complete.
static inline void rank_and_publish(__local onesweep_tile_memory_t *memory,
                                    const onesweep_table_t table, const key_t *key,
                                    const uint count, const lsd_digit_t digit, uint *rank,
                                    uint *total, uint *start)
{
    const uint t = (uint)get_local_id(0);
#pragma unroll
    for (uint i = 0; i < ITEMS; i++) {
        rank[i] = rank_item(&memory->ranks, lsd_digit_of(key[i], digit));
    }
    rank_digit_totals(&memory->ranks, total);
    publish_counts(table, total, digit.mask, count);
    rank_starts(&memory->ranks, total);
    for (uint i = 0; i < DIGITS; i++) {
        start[i] = memory->ranks.start[min(t * DIGITS + i, RADIX)];
    }
#pragma unroll
    for (uint i = 0; i < ITEMS; i++) {
        rank[i] = rank_in_tile(&memory->ranks, lsd_digit_of(key[i], digit), rank[i]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint i = 0; i < ITEMS; i++) {
        memory->exchange.key[rank[i]] = key[i];
    }
}

// Sets to[d] to the output offset of the tile's first key of digit d, less its rank, and publishes
// the inclusive prefixes. The section's last tile sets the offsets for the next section.
static inline void look_back_and_publish(__local index_t *to, const onesweep_table_t table,
                                         __global const key_t *in, const lsd_digit_t digit,
                                         const uint count, const uint *total, const uint *start,
                                         __global const index_t *offsets,
                                         __global index_t *next_offsets)
{
#pragma unroll 1 // there is mostly one digit, and compilers take long to unroll this loop
    for (uint i = 0; i < DIGITS; i++) {
        const uint d = (uint)get_local_id(0) * DIGITS + i;
        const uint own = count_without_padding(total[i], d, digit.mask, count);
        if (d >= RADIX) {
            break;
        }
        const index_t section_start = offsets[d];
        const uint before = look_back(table, d, in, digit);
        const index_t offset = section_start + before;
        if (table.tile > 0) {
            publish(table, d, PREFIX_BIT | (before + own));
        }
        if (table.tile == get_num_groups(0) - 1) {
            next_offsets[d] = offset + own;
        }
        to[d] = offset - start[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

__kernel SUB_GROUP_KERNEL void onesweep_pass(BUFFER(control), KEY_ARRAYS,
                                             VALUE_ARRAYS BUFFER(table), BUFFER(offsets),
                                             const cls_onesweep_pass_args args)
{
    const cls_lsd_step step = AT(const cls_lsd_control, control)->step[args.pass];
    if (!step.active) {
        return;
    }
    __local onesweep_tile_memory_t memory;
    __local index_t to[RADIX]; // output offset of each digit's first key in the tile, less its rank
    __local uint ticket[1];
    const lsd_digit_t digit = {(key_t)args.flip, args.shift, args.mask};
    const index_t first = (index_t)args.first;
    __global const key_t *in = KEYS_OF(step.source) + first;

    rank_clear(&memory.ranks);
    const uint tile = take_tile(AT(uint, table), args.launch, ticket);
    const onesweep_table_t tiles = {AT(uint, table) + args.launches, args.launch, tile};
    const index_t base = (index_t)tile * TILE;
    const uint count = (uint)min((index_t)args.count - first - base, (index_t)TILE);

    key_t key[ITEMS];
    uint rank[ITEMS], total[DIGITS], start[DIGITS];
    load_keys(key, in + base, count, (key_t)args.pad);
    rank_and_publish(&memory, tiles, key, count, digit, rank, total, start);
    look_back_and_publish(to, tiles, in, digit, count, total, start,
                          AT(const index_t, offsets) + args.row * RADIX,
                          AT(index_t, offsets) + args.next_row * RADIX);

    VALUES(value_t value[ITEMS];)
    VALUES(load_values(value, count, VALUES_FROM(step.source), step.source, first + base);)
    write_keys(&memory.exchange, rank, to, count, KEYS_OF(step.target), digit.flip, digit.shift,
               digit.mask);
    VALUES(exchange_values(&memory.exchange, rank, value);)
    VALUES(write_values(&memory.exchange, rank, value, to, count, VALUES_TO(step.target),
                        digit.flip, digit.shift, digit.mask);)
}

#endif
