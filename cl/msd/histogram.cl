// histogram.cl - histograms of the tiles of all segments
#ifndef CLSORT_MSD_HISTOGRAM_CL
#define CLSORT_MSD_HISTOGRAM_CL

#include "common/arrays.cl"
#include "common/keys.cl"
#include "common/rank.cl"
#include "common/unroll.cl"
#include "msd/tables.cl"

#define COPIES 4u // of each counter, so that work-items with equal digits meet less often
#define VECTOR (16 / KEY_BYTES)
#define VECTORS ((ITEMS + VECTOR - 1) / VECTOR) // of a work-item in a tile

// Key j of a vector, not by way of a union or a pointer: compilers would keep it in memory.
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

static inline void count_key(__local uint *counts, const key_t key, const key_t flip,
                             const uint shift, const uint mask)
{
    atomic_inc(&counts[digit_of(key, flip, shift, mask) * COPIES + get_local_id(0) % COPIES]);
}

// Keys that lie together are often alike: they are added at once.
static inline void count_vector(__local uint *counts, const uint4 v, const key_t flip,
                                const uint shift, const uint mask)
{
    const uint first = digit_of(key_of(v, 0), flip, shift, mask);
    bool alike = true;
    UNROLL
    for (uint j = 1; j < VECTOR; j++)
        alike &= digit_of(key_of(v, j), flip, shift, mask) == first;
    if (alike)
        atomic_add(&counts[first * COPIES + get_local_id(0) % COPIES], VECTOR);
    else
        UNROLL
    for (uint j = 0; j < VECTOR; j++)
        count_key(counts, key_of(v, j), flip, shift, mask);
}

// Vectors of a tile begin where the first place is aligned. Some keys are on its edges, before and behind them.
typedef struct {
    uint head, vectors, edges;
} split_t;

static inline split_t split_tile(__global const key_t *keys, const uint count)
{
    const uint ragged = (uint)((16 - ((size_t)keys & 15)) & 15) / KEY_BYTES;
    const uint head = min(ragged, count), vectors = (count - head) / VECTOR;
    const split_t split = {head, vectors, count - vectors * VECTOR};
    return split;
}

static inline key_t edge_at(__global const key_t *keys, const split_t split, const uint i)
{
    return keys[i < split.head ? i : i + split.vectors * VECTOR];
}

// What this work-item counts of a tile: its vectors, and a key of the edges.
static inline void load_vectors(uint4 *v, key_t *edge, __global const key_t *keys, const uint count)
{
    const uint t = (uint)get_local_id(0);
    const split_t split = split_tile(keys, count);
    __global const uint4 *vector = (__global const uint4 *)(keys + split.head);
    UNROLL
    for (uint k = 0; k < VECTORS; k++)
        v[k] = t + k * GROUP_SIZE < split.vectors ? vector[t + k * GROUP_SIZE] : (uint4)(0);
    *edge = t < split.edges ? edge_at(keys, split, t) : 0;
}

static inline void count_tile(__local uint *counts, const uint4 *v, const key_t edge,
                              __global const key_t *keys, const uint count, const key_t flip,
                              const uint shift, const uint mask)
{
    const uint t = (uint)get_local_id(0);
    const split_t split = split_tile(keys, count);
    UNROLL
    for (uint k = 0; k < VECTORS; k++)
        if (t + k * GROUP_SIZE < split.vectors)
            count_vector(counts, v[k], flip, shift, mask);
    if (t < split.edges)
        count_key(counts, edge, flip, shift, mask);
    for (uint i = t + GROUP_SIZE; i < split.edges; i += GROUP_SIZE)
        count_key(counts, edge_at(keys, split, i), flip, shift, mask);
}

static inline void write_row(__global uint *row, __local const uint *counts)
{
    for (uint d = (uint)get_local_id(0); d < RADIX; d += GROUP_SIZE) {
        uint sum = 0;
        for (uint i = 0; i < COPIES; i++)
            sum += counts[d * COPIES + i];
        row[d] = sum;
    }
}

// Counts a block, and writes the rows of its tiles: what comes before them in the block, and of the first tile what the
// block has. The next tile's keys are on their way while a row is written.
static inline void count_block(__local uint *counts, __global const key_t *keys, const uint count,
                               __global uint *rows, const key_t flip, const uint shift,
                               const uint mask)
{
    const uint tiles = (count - 1) / TILE + 1;
    uint4 v[VECTORS];
    key_t edge;
    load_vectors(v, &edge, keys, min(count, (uint)TILE));
    for (uint i = (uint)get_local_id(0); i < RADIX * COPIES; i += GROUP_SIZE)
        counts[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < tiles; i++) {
        const uint first = i * TILE, next = min(first + TILE, count);
        count_tile(counts, v, edge, keys + first, next - first, flip, shift, mask);
        load_vectors(v, &edge, keys + next, min(count - next, (uint)TILE));
        barrier(CLK_LOCAL_MEM_FENCE);
        write_row(rows + (i + 1 < tiles ? i + 1 : 0) * RADIX, counts);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

__kernel SUB_GROUP_KERNEL void hybrid_look(INPUT(keys), BUFFER(rows), const uint n,
                                           const uint block_tiles, const key_t flip,
                                           const uint shift, const uint bits)
{
    __local uint counts[RADIX * COPIES];
    const uint tile = (uint)get_group_id(0) * block_tiles, first = tile * TILE;
    count_block(counts, AT(const key_t, keys) + first, min(n - first, block_tiles * TILE),
                AT(uint, rows) + tile * RADIX, flip, shift, (1u << bits) - 1);
}

__kernel SUB_GROUP_KERNEL void hybrid_count(BUFFER(control), INPUT(keys), BUFFER(keys_to),
                                            BUFFER(keys_tmp), BUFFER(segments), BUFFER(blocks),
                                            BUFFER(rows), const key_t flip, const uint round,
                                            const uint block_tiles)
{
    __local uint counts[RADIX * COPIES];
    const uint all = AT(const control_t, control)->blocks[round];
    for (uint b = (uint)get_group_id(0); b < all; b += (uint)get_num_groups(0)) {
        const part_t block = AT(const part_t, blocks)[b];
        const segment_t s = AT(const segment_t, segments)[block.segment];
        const uint tile = block.number * block_tiles, first = tile * TILE;
        count_block(counts, KEYS_OF(s.place) + s.start + first,
                    min(s.count - first, block_tiles * TILE),
                    AT(uint, rows) + (s.first_row + tile) * RADIX, flip, s.top - s.bits,
                    (1u << s.bits) - 1);
    }
}

#endif
