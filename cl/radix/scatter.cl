// scatter.cl - writes the elements of each chunk to their output offsets
//
// There are three variants: a group of one work-item writes key by key; larger groups sort tile by
// tile, and write either straight from registers or in sorted order from local memory.
#ifndef CLSORT_RADIX_SCATTER_CL
#define CLSORT_RADIX_SCATTER_CL

#include "common/four_way_split.cl"
#include "common/lsd_passes.cl"
#include "radix/histogram.cl"
#include "radix/layout.h"

// The arrays that the pass moves elements between.
typedef struct {
    __global const key_t *keys_in;
    __global key_t *keys_out;
#if VALUE_BYTES > 0
    __global const value_t *values_in;
    __global value_t *values_out;
    uint source; // enum array
#endif
} radix_arrays_t;

#if VALUE_BYTES > 0
static inline void move_value(const radix_arrays_t *arrays, const index_t from, const index_t to)
{
    arrays->values_out[to] = VALUE_FROM(arrays->values_in, arrays->source, from);
}
#endif

typedef struct {
    split_exchange_t split;
    index_t next[RADIX]; // output offset of the chunk's next key of each digit
#if GROUP_SIZE > 1
    index_t tile_offset[RADIX]; // the same for the tile's first key of the digit, less its rank
#if SCATTER_DIRECT
    uchar digit[TILE]; // digits of the sorted tile
#endif
#endif
} radix_scatter_memory_t;

// Sets next[d] to the output offset of the chunk's first key of digit d.
static inline void first_offsets(__local index_t *next, __local ulong *sums,
                                 __global const index_t *table, __global const index_t *totals)
{
    ulong sum = 0;
    for (uint first = 0; first < RADIX; first += GROUP_SIZE) {
        const uint d = first + (uint)get_local_id(0);
        ulong total;
        const ulong before = group_exclusive_scan(d < RADIX ? totals[d] : 0, sums, &total);
        if (d < RADIX) {
            next[d] = (index_t)(sum + before) + table[d * get_num_groups(0) + get_group_id(0)];
        }
        sum += total;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

#if GROUP_SIZE == 1

// A single work-item handles its keys in their order, so that no key has to be ranked.
static inline void scatter_keys(const radix_arrays_t *arrays, const digit_t digit,
                                const radix_chunk_t chunk, __local radix_scatter_memory_t *memory)
{
    for (index_t i = chunk.first; i < chunk.last; i++) {
        const key_t key = arrays->keys_in[i];
        const index_t to = memory->next[digit_in(key, digit)]++;
        arrays->keys_out[to] = key;
        VALUES(move_value(arrays, i, to);)
    }
}

#else

#define PASS_SPLITS ((BITS + 1) / 2) // splits of a tile in one pass

// Loads a tile and sorts it by the digit, two bits at a time. The sorted tile is in local memory
// afterwards. A direct scatter leaves out the last exchange: it needs the last ranks only.
static inline void sort_tile(split_tile_t *tile, __local split_exchange_t *x,
                             __global const key_t *keys, const uint count, const key_t pad,
                             const digit_t digit, uint *rank)
{
    split_load(tile, x, keys, count, pad);
    for (uint split = 0; split < PASS_SPLITS; split++) {
        split_ranks(tile, x, digit.flip, digit.shift + 2 * split, (digit.mask >> (2 * split)) & 3,
                    rank);
#if SCATTER_DIRECT
        if (split == PASS_SPLITS - 1) {
            break;
        }
#endif
        split_store(tile, x, rank);
        if (split < PASS_SPLITS - 1) {
            split_reload(tile, x);
        }
    }
}

// Returns the digit of the key of rank j.
static inline uint sorted_digit(__local const radix_scatter_memory_t *memory, const digit_t digit,
                                const uint j)
{
#if SCATTER_DIRECT
    return memory->digit[j];
#else
    return digit_in(memory->split.key[j], digit);
#endif
}

// Sets the tile's offset of each digit that it contains. The first key of a digit is one whose
// predecessor has another digit.
static inline void set_tile_offsets(__local radix_scatter_memory_t *memory, const digit_t digit,
                                    const uint count)
{
    for (uint j = (uint)get_local_id(0); j < count; j += GROUP_SIZE) {
        const uint d = sorted_digit(memory, digit, j);
        if (j == 0 || d != sorted_digit(memory, digit, j - 1)) {
            memory->tile_offset[d] = memory->next[d] - j;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

// Moves next[] past the tile. The last key of a digit is one whose successor has another digit.
static inline void advance_next(__local radix_scatter_memory_t *memory, const digit_t digit,
                                const uint count)
{
    for (uint j = (uint)get_local_id(0); j < count; j += GROUP_SIZE) {
        const uint d = sorted_digit(memory, digit, j);
        if (j + 1 == count || d != sorted_digit(memory, digit, j + 1)) {
            memory->next[d] = memory->tile_offset[d] + j + 1;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

#if SCATTER_DIRECT

static inline void store_digits(__local radix_scatter_memory_t *memory, const split_tile_t *tile,
                                const digit_t digit, const uint *rank)
{
    for (uint i = 0; i < ITEMS; i++) {
        memory->digit[rank[i]] = (uchar)digit_in(tile->key[i], digit);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

// Each work-item writes the keys that it holds in registers.
static inline void write_tile_direct(const radix_arrays_t *arrays,
                                     __local const radix_scatter_memory_t *memory,
                                     const split_tile_t *tile, const uint *rank, const index_t base,
                                     const uint count)
{
    for (uint i = 0; i < ITEMS; i++) {
        if (rank[i] >= count) {
            continue;
        }
        const index_t to = memory->tile_offset[memory->digit[rank[i]]] + rank[i];
        arrays->keys_out[to] = tile->key[i];
        VALUES(move_value(arrays, base + tile->from[i], to);)
    }
}

#else

// Neighbouring work-items write neighbouring keys of the sorted tile.
static inline void write_tile_coalesced(const radix_arrays_t *arrays,
                                        __local const radix_scatter_memory_t *memory,
                                        const digit_t digit, const index_t base, const uint count)
{
    for (uint j = (uint)get_local_id(0); j < count; j += GROUP_SIZE) {
        const index_t to = memory->tile_offset[sorted_digit(memory, digit, j)] + j;
        arrays->keys_out[to] = memory->split.key[j];
        VALUES(move_value(arrays, base + memory->split.from[j], to);)
    }
}

#endif

static inline void scatter_tiles(const radix_arrays_t *arrays, const digit_t digit,
                                 const radix_chunk_t chunk, __local radix_scatter_memory_t *memory,
                                 const key_t pad)
{
    for (index_t base = chunk.first; base < chunk.last; base += TILE) {
        const uint count = (uint)min(chunk.last - base, (index_t)TILE);
        split_tile_t tile;
        uint rank[ITEMS];
        sort_tile(&tile, &memory->split, arrays->keys_in + base, count, pad, digit, rank);
#if SCATTER_DIRECT
        store_digits(memory, &tile, digit, rank);
        set_tile_offsets(memory, digit, count);
        write_tile_direct(arrays, memory, &tile, rank, base, count);
#else
        set_tile_offsets(memory, digit, count);
        write_tile_coalesced(arrays, memory, digit, base, count);
#endif
        advance_next(memory, digit, count);
    }
}

#endif

__kernel WORK_GROUP_KERNEL void radix_scatter(BUFFER(control), KEY_ARRAYS,
                                              VALUE_ARRAYS BUFFER(table), BUFFER(totals),
                                              const cls_radix_pass_args args)
{
    const cls_lsd_pass pass = AT(const cls_lsd_control, control)->pass[args.pass];
    if (!pass.active) {
        return;
    }
    __local radix_scatter_memory_t memory;
    radix_arrays_t arrays;
    arrays.keys_in = KEYS_OF(pass.source);
    arrays.keys_out = KEYS_OF(pass.target);
#if VALUE_BYTES > 0
    arrays.values_in = VALUES_FROM(pass.source);
    arrays.values_out = VALUES_TO(pass.target);
    arrays.source = pass.source;
#endif
    const digit_t digit = {(key_t)args.flip, args.shift, args.mask};
    first_offsets(memory.next, memory.split.sums, AT(const index_t, table),
                  AT(const index_t, totals));
    const radix_chunk_t chunk = radix_chunk((index_t)args.count, (index_t)args.chunk);
#if GROUP_SIZE == 1
    scatter_keys(&arrays, digit, chunk, &memory);
#else
    scatter_tiles(&arrays, digit, chunk, &memory, (key_t)args.pad);
#endif
}

#endif
