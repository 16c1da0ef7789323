// histogram.cl - digit histograms of the tiles of all large buckets
//
// A work-group counts blocks of consecutive tiles, one block at a time, with atomics in local
// memory. In a stable sort, it writes one row of counters per tile. The counters are not cleared
// between the tiles of a block. After tile i they are the row of tile i + 1: the counts of all tiles of
// the block up to tile i. After the last tile they are the counts of the block, which become the row of
// tile 0. In a sort that need not be stable, only these counts are written, as the row of the block; in
// round 0 they are added to those of the other blocks instead (layout.h).
//
// Keys are read as aligned vectors of 16 bytes; the few keys before and after the vectors are
// counted one by one. A counter may have several copies; neighbouring work-items use different ones,
// so that equal digits conflict less. If all keys of a vector have the same digit, one atomic addition
// counts the vector.
//
// The OR of the differences between the keys of a large bucket and its first key yields the bits in which
// the keys differ: for the digits of its children (plan.cl), and in round 0 to find outliers.
//
// Cost: one read of the keys. The head of round.cl has the measurements.
#ifndef CLSORT_MSD_HISTOGRAM_CL
#define CLSORT_MSD_HISTOGRAM_CL

#include "msd/buckets.cl"
#include "msd/group_or.cl"
#include "msd/load_splitters.cl"

#include "common/counters.cl"
#include "common/keys.cl"
#include "common/rank.cl"
#include "common/unroll.cl"

// Copies of each counter, so that fewer work-items with equal digits conflict. NVIDIA's GPUs add up the
// lanes of a sub-group that increment the same counter, so that one copy is fastest.
#define MSD_COUNTER_COPIES (SUB_GROUP_BACKEND == 3 ? 1u : 4u)
#define VECTOR_KEYS (16 / KEY_BYTES)
#define ITEM_VECTORS ((ITEMS + VECTOR_KEYS - 1) / VECTOR_KEYS) // of a work-item, per tile

// Word i of a vector, without a union or a pointer, for which compilers would keep the vector in
// memory.
static inline uint word_of(const uint4 v, const uint i)
{
    return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w;
}

static inline key_t key_of(const uint4 v, const uint j)
{
#if KEY_BYTES == 8
    return (ulong)word_of(v, 2 * j + 1) << 32 | word_of(v, 2 * j);
#else
    return (key_t)(word_of(v, j * KEY_BYTES / 4) >> (j * KEY_BYTES % 4 * 8));
#endif
}

static inline void count_keys(__local uint *counts, const uint digit, const uint keys)
{
    add_to_count(counts, digit, MSD_COUNTER_COPIES, keys);
}

// Adds to *varying the bits in which the key differs from `some`, which is an ordered key.
static inline void add_varying(key_t *varying, const key_t key, const digit_t digit,
                               const key_t some)
{
    *varying |= ordered(key, digit.flip) ^ some;
}

// Counts the digits of the keys of a vector. Neighbouring keys often have the same digit: one
// atomic then counts the whole vector.
static inline void count_vector(__local uint *counts, const uint *digit)
{
    bool same_digit = true;
    UNROLL
    for (uint j = 1; j < VECTOR_KEYS; j++) {
        same_digit &= digit[j] == digit[0];
    }
    if (same_digit) {
        count_keys(counts, digit[0], VECTOR_KEYS);
    } else {
        UNROLL
        for (uint j = 0; j < VECTOR_KEYS; j++) {
            count_keys(counts, digit[j], 1);
        }
    }
}

// Sets own[] to the digits of the keys of ITEM_VECTORS vectors.
static inline void find_vector_digits(uint *own, const uint4 *v, const digit_t digit,
                                      const bool by_splitters)
{
    UNROLL
    for (uint i = 0; i < ITEM_VECTORS * VECTOR_KEYS; i++) {
        own[i] = digit_of_kind(key_of(v[i / VECTOR_KEYS], i % VECTOR_KEYS), digit, by_splitters);
    }
}

// A tile as aligned vectors of 16 bytes, with a few keys at its edges, before and after the
// vectors.
typedef struct {
    uint head;    // number of keys before the first vector
    uint vectors; // number of vectors
    uint edges;   // number of keys in no vector
} aligned_tile_t;

static inline aligned_tile_t align_tile(__global const key_t *keys, const uint count)
{
    const uint unaligned = (uint)((16 - ((size_t)keys & 15)) & 15) / KEY_BYTES;
    const uint head = min(unaligned, count), vectors = (count - head) / VECTOR_KEYS;
    const aligned_tile_t tile = {head, vectors, count - vectors * VECTOR_KEYS};
    return tile;
}

static inline key_t edge_key(__global const key_t *keys, const aligned_tile_t tile, const uint i)
{
    return keys[i < tile.head ? i : i + tile.vectors * VECTOR_KEYS];
}

// Loads this work-item's vectors of a tile, and its first key of the edges.
static inline void load_vectors(uint4 *v, key_t *edge, __global const key_t *keys, const uint count)
{
    const uint t = (uint)get_local_id(0);
    const aligned_tile_t tile = align_tile(keys, count);
    __global const uint4 *vector = (__global const uint4 *)(keys + tile.head);
    UNROLL
    for (uint k = 0; k < ITEM_VECTORS; k++) {
        v[k] = t + k * GROUP_SIZE < tile.vectors ? vector[t + k * GROUP_SIZE] : (uint4)(0);
    }
    *edge = t < tile.edges ? edge_key(keys, tile, t) : 0;
}

// Adds to *varying the bits in which keys differ from `some`, one of the ordered keys of the bucket.
static inline void count_tile(__local uint *counts, key_t *varying, const uint4 *v,
                              const key_t edge, __global const key_t *keys, const uint count,
                              const digit_t digit, const key_t some)
{
    const uint t = (uint)get_local_id(0);
    const aligned_tile_t tile = align_tile(keys, count);
    uint own[ITEM_VECTORS * VECTOR_KEYS];
    if (IS_BY_SPLITTERS(digit)) {
        find_vector_digits(own, v, digit, true);
    } else {
        find_vector_digits(own, v, digit, false);
    }
    UNROLL
    for (uint k = 0; k < ITEM_VECTORS; k++) {
        if (t + k * GROUP_SIZE < tile.vectors) {
            count_vector(counts, own + k * VECTOR_KEYS);
            UNROLL
            for (uint j = 0; j < VECTOR_KEYS; j++) {
                add_varying(varying, key_of(v[k], j), digit, some);
            }
        }
    }
    if (t < tile.edges) {
        count_keys(counts, digit_in(edge, digit), 1);
        add_varying(varying, edge, digit, some);
    }
    for (uint i = t + GROUP_SIZE; i < tile.edges; i += GROUP_SIZE) {
        count_keys(counts, digit_in(edge_key(keys, tile, i), digit), 1);
        add_varying(varying, edge_key(keys, tile, i), digit, some);
    }
}

static inline void write_row(__global uint *row, __local const uint *counts)
{
    for (uint d = (uint)get_local_id(0); d < RADIX; d += GROUP_SIZE) {
        row[d] = count_of(counts, d, MSD_COUNTER_COPIES);
    }
}

// Adds the counts of a block to those of the children.
static inline void add_counts(__global uint *children, __local const uint *counts)
{
    for (uint d = (uint)get_local_id(0); d < RADIX; d += GROUP_SIZE) {
        atomic_add(&children[d], count_of(counts, d, MSD_COUNTER_COPIES));
    }
}

// Counts a block and, if the sort is stable, writes the rows of its tiles but the first. The counters are
// not cleared between tiles: after tile i they are the row of tile i + 1, and after the last tile the
// counts of the block. The next tile's keys are loaded before a row is written, to overlap the two.
// Returns the bits in which keys that this work-item counts differ from `some`.
static inline key_t count_block(__local uint *counts, __global const key_t *keys, const uint count,
                                __global uint *rows, const digit_t digit, const key_t some)
{
    const uint tiles = (count - 1) / TILE + 1;
    const uint tile_rows = RANK_STABLE ? tiles : 0; // a row per tile, or none
    uint4 v[ITEM_VECTORS];
    key_t edge, varying = 0;
    load_vectors(v, &edge, keys, min(count, (uint)TILE));
    clear_counts(counts, RADIX, MSD_COUNTER_COPIES);
    for (uint i = 0; i < tiles; i++) {
        const uint first = i * TILE, next = min(first + TILE, count);
        count_tile(counts, &varying, v, edge, keys + first, next - first, digit, some);
        load_vectors(v, &edge, keys + next, min(count - next, (uint)TILE));
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i + 1 < tile_rows) {
            write_row(rows + (i + 1) * RADIX, counts);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return varying;
}

// Adds bits in which keys of a large bucket differ to its `varying`. In round 0 also looks for outliers.
static inline void report_varying(__global cls_msd_control *c,
                                  __global cls_msd_large_bucket *bucket, const ulong varying,
                                  const digit_t digit, const uint round)
{
    const ulong from_digit_on = IS_BY_SPLITTERS(digit) ? 0 : varying >> digit.shift;
    if (get_local_id(0) == 0) {
        atomic_or(&bucket->varying[0], (uint)varying);
        atomic_or(&bucket->varying[1], (uint)(varying >> 32));
        if (round == 0 && from_digit_on > digit.mask) {
            atomic_or(&c->has_outliers, 1u);
        }
    }
}

// Counts block b of a round, and finds the bits in which its keys differ. In round 0 also looks for
// outliers, keys that differ in the bits above the digit. by_splitters, splitters: as in digit_t.
// `words` holds 2 elements.
static inline void
count_block_of_round(__local uint *counts, __local uint *words, const bool by_splitters,
                     __local const key_t *splitters, KEY_ARRAYS, const uint round, const uint b,
                     __global cls_msd_control *c, __global cls_msd_large_bucket *large_buckets,
                     __global const cls_msd_part *blocks, __global uint *histograms,
                     const key_t flip, const cls_msd_args args)
{
    cls_msd_part block = {0, b};
    if (round > 0) {
        block = blocks[b];
    }
    const cls_msd_large_bucket bucket = large_buckets[block.large_bucket];
    const uint block_tiles = block_tiles_of(c, args, round), mask = (1u << bucket.bits) - 1;
    const uint tile = block.index * block_tiles, first = tile * TILE;
    const digit_t digit = DIGIT(flip, bucket.top - bucket.bits, mask, by_splitters, splitters);
    __global const key_t *bucket_keys = KEYS_OF(bucket.array) + bucket.source;
    __global uint *rows =
        histograms + (bucket.first_row + (RANK_STABLE ? tile : block.index)) * RADIX;
    const key_t own_varying =
        count_block(counts, bucket_keys + first, min(bucket.count - first, block_tiles * TILE),
                    rows, digit, ordered(bucket_keys[0], flip));
    if (ADDS_UP_BLOCKS(c, round)) {
        add_counts(c->children, counts);
    } else {
        write_row(rows, counts);
    }
    report_varying(c, &large_buckets[block.large_bucket], group_or(own_varying, words), digit,
                   round);
}

__kernel SUB_GROUP_KERNEL void msd_histogram(BUFFER(control), KEY_ARRAYS, BUFFER(large_buckets),
                                             BUFFER(blocks), BUFFER(histograms), const key_t flip,
                                             const cls_msd_args args)
{
    __local uint counts[RADIX * MSD_COUNTER_COPIES];
    __local uint words[2];
    __local key_t splitters[SPLITTER_NODES];
    __global cls_msd_control *c = AT(cls_msd_control, control);
    const uint block_count = c->blocks[args.round];
    const bool by_splitters = load_splitters(splitters, c, args.round);
    for (uint b = (uint)get_group_id(0); b < block_count; b += (uint)get_num_groups(0)) {
        count_block_of_round(counts, words, by_splitters, splitters, KEY_ARRAYS_HERE, args.round, b,
                             c, LARGE_BUCKETS_OF(args.round), AT(const cls_msd_part, blocks),
                             AT(uint, histograms), flip, args);
    }
}

#endif
