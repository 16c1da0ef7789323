// radix.cl - stable LSD radix sort in plain OpenCL 1.2: histogram, scan, scatter, for each digit
//
// Ha, Krueger and Silva 2009 (see split.cl); Satish, Harris and Garland, "Designing efficient sorting
// algorithms for manycore GPUs", IPDPS 2009, p. 1, section IV; Hwu, Kirk and El Hajj, "Programming massively
// parallel processors", 4th ed., chapter 13. Groups do not wait for each other.
//
//   radix_look       the first digit's histogram, and what the keys look like (control.cl)
//   radix_decide     one group: which passes have a digit that varies, and between which buffers
//   radix_count      the histogram of a later digit
//   radix_scan       a group for each digit: where each chunk's keys of this digit begin among all of them
//   radix_scatter    sorts tile after tile of a chunk by the digit and writes them to their places
//   passes_finish    the copy that is left (passes.cl)
//
// A group has one chunk of whole tiles; a group of one work-item, as on CPUs, goes through it key by key. The histogram
// is digit-major: table[digit][chunk].
//
// Cost model: a pass reads the keys twice and writes them once: 12 bytes for a u32 key and 8 more for
// a u32 value; all of a u32 sort with 8-bit digits 48 bytes. The table adds 8 << BITS bytes a chunk.
// Measured (H200, 2^28 u32 keys): 17.3 Gkeys/s, 0.20 of that model at the card's 4.27 TB/s of copying: a tile
// waits at the barriers of four splits, most of them in the scans, not for memory.
//
// BITS      of a digit, 1 .. 8
// DIRECT    0: a tile is sorted in local memory first, so that neighbours write to neighbouring places
//           1: keys go from registers straight to their places
#ifndef CLSORT_RADIX_RADIX_CL
#define CLSORT_RADIX_RADIX_CL

#include "common/four_way_split.cl"
#include "common/lsd_passes.cl"

#define RADIX (1u << BITS)
#if GROUP_SIZE > 1
#define COPIES (RADIX >= 256 ? 4u : RADIX >= 128 ? 8u : 16u)
#else
#define COPIES 1u
#endif

// -- histogram ------------------------------------------------------------------------------------

static inline void write_counts(__local const uint *counts, __global index_t *table)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = (uint)get_local_id(0); d < RADIX; d += GROUP_SIZE)
        table[d * get_num_groups(0) + get_group_id(0)] = count_of(counts, d, COPIES);
}

__kernel WORK_GROUP_KERNEL void radix_look(INPUT(keys), BUFFER(table), BUFFER(seen),
                                           const index_t n, const index_t chunk, const key_t flip,
                                           const key_t window, const uint shift, const uint bits)
{
    __local uint counts[RADIX * COPIES];
    __local cls_key_summary all[GROUP_SIZE];
    const uint t = (uint)get_local_id(0), mask = (1u << bits) - 1;
    __global const key_t *in = AT(const key_t, keys);
    const index_t first = min(n, (index_t)get_group_id(0) * chunk),
                  last = first + min(n - first, chunk);
    cls_key_summary mine = summary_of_nothing();
    clear_counts(counts, RADIX, COPIES);
    for (index_t i = first + t; i < last; i += GROUP_SIZE) {
        const key_t key = ordered(in[i], flip);
        mine = merge_summaries(mine,
                               summary_of_key(key, ordered(in[min(i + 1, n - 1)], flip), window));
        count_up(counts, (uint)(key >> shift) & mask, COPIES);
    }
    write_counts(counts, AT(index_t, table));
    mine = group_key_summary(mine, all);
    if (t == 0)
        AT(cls_key_summary, seen)[get_group_id(0)] = mine;
}

__kernel WORK_GROUP_KERNEL void radix_count(BUFFER(control), INPUT(keys), BUFFER(keys_to),
                                            BUFFER(keys_tmp), BUFFER(table), const index_t n,
                                            const index_t chunk, const key_t flip, const uint pass,
                                            const uint shift, const uint bits)
{
    const cls_lsd_step step = AT(const cls_lsd_control, control)->step[pass];
    if (!step.active)
        return;
    __local uint counts[RADIX * COPIES];
    __global const key_t *in = KEYS_OF(step.source);
    const index_t first = min(n, (index_t)get_group_id(0) * chunk),
                  last = first + min(n - first, chunk);
    clear_counts(counts, RADIX, COPIES);
    for (index_t i = first + get_local_id(0); i < last; i += GROUP_SIZE)
        count_up(counts, digit_of(in[i], flip, shift, (1u << bits) - 1), COPIES);
    write_counts(counts, AT(index_t, table));
}

// -- what to do -----------------------------------------------------------------------------------

__kernel WORK_GROUP_KERNEL void radix_decide(BUFFER(control), BUFFER(seen), const uint chunks,
                                             const key_t window, const uint in_place,
                                             const uint begin_bit, const uint end_bit)
{
    __local cls_key_summary all[GROUP_SIZE];
    decide_steps(AT(cls_lsd_control, control), AT(const cls_key_summary, seen), chunks, all, window,
                 in_place, begin_bit, end_bit);
}

// -- scan -----------------------------------------------------------------------------------------

__kernel WORK_GROUP_KERNEL void radix_scan(BUFFER(control), BUFFER(table), BUFFER(totals),
                                           const uint chunks, const uint pass)
{
    if (!AT(const cls_lsd_control, control)->step[pass].active)
        return;
    __local ulong sums[2 * GROUP_SIZE];
    __global index_t *row = AT(index_t, table) + (size_t)get_group_id(0) * chunks;
    ulong sum = 0;
    for (uint first = 0; first < chunks; first += GROUP_SIZE) {
        const uint i = first + (uint)get_local_id(0);
        ulong total;
        const ulong before = group_exclusive_scan(i < chunks ? row[i] : 0, sums, &total);
        if (i < chunks)
            row[i] = (index_t)(sum + before);
        sum += total;
    }
    if (get_local_id(0) == 0)
        AT(index_t, totals)[get_group_id(0)] = (index_t)sum;
}

// -- scatter --------------------------------------------------------------------------------------

// next[d]: where this chunk's first key of digit d goes.
static inline void first_places(__local index_t *next, __local ulong *sums,
                                __global const index_t *table, __global const index_t *totals)
{
    ulong sum = 0;
    for (uint first = 0; first < RADIX; first += GROUP_SIZE) {
        const uint d = first + (uint)get_local_id(0);
        ulong total;
        const ulong before = group_exclusive_scan(d < RADIX ? totals[d] : 0, sums, &total);
        if (d < RADIX)
            next[d] = (index_t)(sum + before) + table[d * get_num_groups(0) + get_group_id(0)];
        sum += total;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

__kernel WORK_GROUP_KERNEL void
radix_scatter(BUFFER(control), INPUT(keys), BUFFER(keys_to), BUFFER(keys_tmp),
              VALUE_INPUT(values) VALUE_BUFFER(values_to) VALUE_BUFFER(values_tmp) BUFFER(table),
              BUFFER(totals), const index_t n, const index_t chunk, const key_t flip,
              const key_t pad, const uint pass, const uint shift, const uint bits)
{
    const cls_lsd_step step = AT(const cls_lsd_control, control)->step[pass];
    if (!step.active)
        return;
    __local split_exchange_t x;
    __local index_t next[RADIX]; // where the next key of each digit goes
    const uint mask = (1u << bits) - 1;
    __global const key_t *in = KEYS_OF(step.source);
    __global key_t *out = KEYS_OF(step.target);
#if VALUE_BYTES > 0
    __global value_t *values_out = VALUES_TO(step.target);
    __global const value_t *values_in = VALUES_FROM(step.source);
#define INPUT_VALUE(i) VALUE_FROM(values_in, step.source, i)
#endif
    first_places(next, x.sums, AT(const index_t, table), AT(const index_t, totals));

    const index_t first = min(n, (index_t)get_group_id(0) * chunk),
                  last = first + min(n - first, chunk);
#if GROUP_SIZE == 1
    // A work-item alone comes to its keys in their order: none has to be ranked.
    for (index_t i = first; i < last; i++) {
        const index_t to = next[digit_of(in[i], flip, shift, mask)]++;
        out[to] = in[i];
        VALUES(values_out[to] = INPUT_VALUE(i);)
    }
#else
    __local index_t offset[RADIX]; // next[d], less its place in the sorted tile
    const uint t = (uint)get_local_id(0);
#if DIRECT
    __local uchar digit[TILE];
#define DIGIT_AT(j) digit[j]
#else
#define DIGIT_AT(j) digit_of(x.key[j], flip, shift, mask)
#endif
    for (index_t base = first; base < last; base += TILE) {
        const uint count = (uint)min(last - base, (index_t)TILE);
        split_tile_t tile;
        uint place[ITEMS];
        split_load(&tile, &x, in + base, count, pad);
        for (uint round = 0; round < (BITS + 1) / 2; round++) {
            split_ranks(&tile, &x, flip, shift + 2 * round, (mask >> (2 * round)) & 3, place);
#if DIRECT
            if (round == (BITS - 1) / 2)
                break;
#endif
            split_store(&tile, &x, place);
            if (round < (BITS - 1) / 2)
                split_reload(&tile, &x);
        }
#if DIRECT
        for (uint i = 0; i < ITEMS; i++)
            digit[place[i]] = (uchar)digit_of(tile.key[i], flip, shift, mask);
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
        for (uint j = t; j < count; j += GROUP_SIZE) {
            const uint d = DIGIT_AT(j);
            if (j == 0 || d != DIGIT_AT(j - 1))
                offset[d] = next[d] - j;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
#if DIRECT
        for (uint i = 0; i < ITEMS; i++) {
            if (place[i] >= count)
                continue;
            const index_t to = offset[digit[place[i]]] + place[i];
            out[to] = tile.key[i];
            VALUES(values_out[to] = INPUT_VALUE(base + tile.from[i]);)
        }
#else
        for (uint j = t; j < count; j += GROUP_SIZE) {
            const index_t to = offset[DIGIT_AT(j)] + j;
            out[to] = x.key[j];
            VALUES(values_out[to] = INPUT_VALUE(base + x.from[j]);)
        }
#endif
        for (uint j = t; j < count; j += GROUP_SIZE) {
            const uint d = DIGIT_AT(j);
            if (j + 1 == count || d != DIGIT_AT(j + 1))
                next[d] = offset[d] + j + 1;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#endif
}

#endif
