// scatter.cl - writes the elements of each chunk to their output offsets
//
// There are three variants: a group of one work-item writes key by key; larger groups sort tile by
// tile, and write either straight from registers or in sorted order from local memory. The start of
// each digit in the sorted tile is found by binary search. To compare each key with its neighbours
// would take more instructions: there are many times as many keys as digits.
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
// Writes a value unit by unit. Compilers would keep an array of values that are copied whole in
// memory, not in registers.
static inline void write_value(const radix_arrays_t *arrays, const index_t to, const value_t *value)
{
    for (uint k = 0; k < VALUE_BYTES / sizeof(value_unit_t); k++) {
        arrays->values_out[to].unit[k] = value->unit[k];
    }
}
#endif

typedef struct {
    split_exchange_t split;
    index_t next[RADIX]; // output offset of the chunk's next key of each digit
#if GROUP_SIZE > 1
    ushort start[RADIX + 1]; // rank of the first key of each digit; the last is the number of keys
    index_t tile_offset[RADIX]; // next[] minus start[]
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
        VALUES(arrays->values_out[to] = VALUE_FROM(arrays->values_in, arrays->source, i);)
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

// Returns the number of keys of the sorted tile with digits below d, by a binary search without branches.
static inline uint start_of_digit(__local const radix_scatter_memory_t *memory, const digit_t digit,
                                  const uint d)
{
    uint start = 0;
    for (uint size = TILE; size > 1; size -= size / 2) {
        start += sorted_digit(memory, digit, start + size / 2 - 1) < d ? size / 2 : 0;
    }
    return start + (sorted_digit(memory, digit, start) < d ? 1 : 0);
}

// Sets the tile's start and offset of each digit. A digit that the tile lacks starts where the next one does.
static inline void set_tile_offsets(__local radix_scatter_memory_t *memory, const digit_t digit,
                                    const uint count)
{
    for (uint d = (uint)get_local_id(0); d < RADIX; d += GROUP_SIZE) {
        // The keys that fill up the tile have the last digit.
        const uint start = min(start_of_digit(memory, digit, d), count);
        memory->start[d] = (ushort)start;
        memory->tile_offset[d] = memory->next[d] - start;
    }
    if (get_local_id(0) == 0) {
        memory->start[RADIX] = (ushort)count;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

// Moves next[] past the tile. Each work-item has the same digits as in set_tile_offsets.
static inline void advance_next(__local radix_scatter_memory_t *memory)
{
    for (uint d = (uint)get_local_id(0); d < RADIX; d += GROUP_SIZE) {
        memory->next[d] = memory->tile_offset[d] + memory->start[d + 1];
    }
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

#else

// Loads the elements of the sorted tile that this work-item writes. Neighbouring work-items write
// neighbouring keys.
static inline void load_sorted(split_tile_t *tile, __local const split_exchange_t *x, uint *rank)
{
    const uint t = (uint)get_local_id(0);
    __local const key_t *keys = x->key + t;
    VALUES(__local const ushort *from = x->from + t;)
    for (uint i = 0; i < ITEMS; i++) {
        tile->key[i] = keys[i * GROUP_SIZE];
        VALUES(tile->from[i] = from[i * GROUP_SIZE];)
        rank[i] = t + i * GROUP_SIZE;
    }
}

#endif

// Writes the elements that this work-item has in registers. All reads come before the first write, so that they do not
// wait for each other.
static inline void write_elements(const radix_arrays_t *arrays, __local const index_t *tile_offset,
                                  const split_tile_t *tile, const uint *rank, const digit_t digit,
                                  const index_t base, const uint count)
{
    index_t to[ITEMS];
    for (uint i = 0; i < ITEMS; i++) {
        to[i] = tile_offset[digit_in(tile->key[i], digit)] + rank[i];
    }
#if VALUE_BYTES > 0
    value_t value[ITEMS];
    for (uint i = 0; i < ITEMS; i++) {
        const uint from = min((uint)tile->from[i], count - 1);
        value[i] = VALUE_FROM(arrays->values_in, arrays->source, base + from);
    }
#endif
    for (uint i = 0; i < ITEMS; i++) {
        if (rank[i] < count) {
            arrays->keys_out[to[i]] = tile->key[i];
            VALUES(write_value(arrays, to[i], &value[i]);)
        }
    }
}

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
#endif
        set_tile_offsets(memory, digit, count);
#if !SCATTER_DIRECT
        load_sorted(&tile, &memory->split, rank);
#endif
        write_elements(arrays, memory->tile_offset, &tile, rank, digit, base, count);
        advance_next(memory);
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
