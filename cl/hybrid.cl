// hybrid.cl - MSD radix sort whose buckets are sorted in local memory
//
// Stehle and Jacobsen, "A memory bandwidth-efficient hybrid radix sort on GPUs", SIGMOD 2017, section 4: partition by
// the highest digits until what has them in common fits local memory. Blocks are counted before they are moved, so that
// places are known and no group waits for another. segment.cl has what a round leaves for the next; the host launches as
// many rounds as the worst keys need, and groups that find nothing to do leave.
//
//   hybrid_look         round 0: counts the blocks of the input
//   hybrid_count        later rounds: those of all segments
//   hybrid_partition    moves every segment's elements to its children's places
//
// hybrid_plan.cl decides in between, hybrid_sort.cl and hybrid_settle.cl do the jobs.
//
// Cost model, of 2^28 u32 keys in two rounds: a round reads the keys twice and writes them once, then jobs read and
// write them once: 32 bytes a key; with a u32 value 56.
//
// GROUP_SIZE, ITEMS    work-items of a group, and elements of each in a tile
// BITS                 of a digit, at most
// SUBTILES             tiles of a block, which a group goes through; round 0 has blocks of its own

#if !defined(KEYS_AT) || !defined(TILE) || !defined(RADIX) || !defined(SUBTILES)
#error "hybrid.cl needs segment.cl, tile.cl and SUBTILES"
#endif

#define BLOCK (TILE * SUBTILES)

// -- histograms -----------------------------------------------------------------------------------

#define COPIES 4u // of each counter, so that work-items with equal digits meet less often
#define VECTOR (16 / KEY_BYTES)
#define VECTORS 4 // that are on their way at once

typedef union {
    uint4 vector;
    key_t key[VECTOR];
} vector_t;

static inline void count_key(__local uint *counts, const key_t key, const key_t flip,
                             const uint shift, const uint mask)
{
    atomic_inc(&counts[digit_of(key, flip, shift, mask) * COPIES + get_local_id(0) % COPIES]);
}

// Keys that lie together are often alike: they are added at once.
static inline void count_vector(__local uint *counts, const vector_t v, const key_t flip,
                                const uint shift, const uint mask)
{
    const uint first = digit_of(v.key[0], flip, shift, mask);
    bool alike = true;
    UNROLL for (uint j = 1; j < VECTOR; j++) alike &=
        digit_of(v.key[j], flip, shift, mask) == first;
    if (alike)
        atomic_add(&counts[first * COPIES + get_local_id(0) % COPIES], VECTOR);
    else
        UNROLL for (uint j = 0; j < VECTOR; j++) count_key(counts, v.key[j], flip, shift, mask);
}

// Counts the digits of `count` keys.
static inline void count_keys(__local uint *counts, __global const key_t *keys, const uint count,
                              const key_t flip, const uint shift, const uint mask)
{
    const uint t = (uint)get_local_id(0);
    for (uint i = t; i < RADIX * COPIES; i += GROUP_SIZE)
        counts[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    // Vectors begin where the first place is aligned.
    const uint ragged = (uint)((16 - ((size_t)keys & 15)) & 15) / KEY_BYTES;
    const uint head = min(ragged, count), vectors = (count - head) / VECTOR,
               tail = head + vectors * VECTOR;
    __global const uint4 *vector = (__global const uint4 *)(keys + head);
    for (uint i = t; i < head; i += GROUP_SIZE)
        count_key(counts, keys[i], flip, shift, mask);
    for (uint i = tail + t; i < count; i += GROUP_SIZE)
        count_key(counts, keys[i], flip, shift, mask);
    const uint stride = VECTORS * GROUP_SIZE, even = vectors / stride * stride;
    for (uint i = t; i < even; i += stride) {
        vector_t v[VECTORS];
        UNROLL for (uint k = 0; k < VECTORS; k++) v[k].vector = vector[i + k * GROUP_SIZE];
        UNROLL for (uint k = 0; k < VECTORS; k++) count_vector(counts, v[k], flip, shift, mask);
    }
    for (uint i = even + t; i < vectors; i += GROUP_SIZE) {
        vector_t v;
        v.vector = vector[i];
        count_vector(counts, v, flip, shift, mask);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

// A block's row, once it is counted.
static inline void write_row(__global uint *row, __local const uint *counts)
{
    for (uint d = (uint)get_local_id(0); d < RADIX; d += GROUP_SIZE) {
        uint sum = 0;
        for (uint i = 0; i < COPIES; i++)
            sum += counts[d * COPIES + i];
        row[d] = sum;
    }
}

__kernel GROUP void hybrid_look(INPUT(keys), BUFFER(rows), const uint n, const uint block_keys,
                                const key_t flip, const uint shift, const uint bits)
{
    __local uint counts[RADIX * COPIES];
    const uint first = min(n, (uint)get_group_id(0) * block_keys);
    count_keys(counts, AT(const key_t, keys) + first, min(n - first, block_keys), flip, shift,
               (1u << bits) - 1);
    write_row(AT(uint, rows) + get_group_id(0) * RADIX, counts);
}

__kernel GROUP void hybrid_count(BUFFER(control), INPUT(keys), BUFFER(keys_to), BUFFER(keys_tmp),
                                 BUFFER(segments), BUFFER(blocks), BUFFER(rows), const key_t flip,
                                 const uint round)
{
    __local uint counts[RADIX * COPIES];
    const uint all = AT(const control_t, control)->blocks[round];
    for (uint b = (uint)get_group_id(0); b < all; b += (uint)get_num_groups(0)) {
        const block_t block = AT(const block_t, blocks)[b];
        const segment_t s = AT(const segment_t, segments)[block.segment];
        const uint first = block.block * BLOCK;
        count_keys(counts, KEYS_AT(s.place) + s.start + first, min(s.count - first, (uint)BLOCK),
                   flip, s.top - s.bits, (1u << s.bits) - 1);
        write_row(AT(uint, rows) + b * RADIX, counts);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

// -- partition --------------------------------------------------------------------------------------

// The elements of one segment in a tile of a block.
typedef struct {
    uint count;
    uint source, first; // enum place, and the first of them in it
    uint shift, mask;   // of the digit
    uint block, tile;   // of the block
    uint more;          // whether the block has tiles behind it
} tile_t;

// The tile of that number in block b, or the first one of this group's blocks behind it, where b's segment does not
// move. Past the last block there is no element.
static inline tile_t tile_from(uint b, uint tile, const uint all, const uint block_keys,
                               __global const segment_t *segments, __global const block_t *blocks)
{
    tile_t it = {0, 0, 0, 0, 0, 0, 0, 0};
    while (b < all && it.count == 0) {
        const block_t block = blocks[b];
        const segment_t s = segments[block.segment];
        const uint start = block.block * block_keys, count = min(s.count - start, block_keys);
        if (s.moves) {
            it.count = min(count - tile * TILE, (uint)TILE);
            it.source = s.place;
            it.first = s.start + start + tile * TILE;
            it.shift = s.top - s.bits;
            it.mask = (1u << s.bits) - 1;
            it.block = b;
            it.tile = tile;
            it.more = count - tile * TILE > TILE;
        }
        b += (uint)get_num_groups(0);
        tile = 0;
    }
    return it;
}

__kernel GROUP void hybrid_partition(BUFFER(control), INPUT(keys), BUFFER(keys_to),
                                     BUFFER(keys_tmp),
                                     VALUE_INPUT(values) VALUE_BUFFER(values_to)
                                         VALUE_BUFFER(values_tmp) BUFFER(segments),
                                     BUFFER(blocks), BUFFER(rows), const key_t flip,
                                     const key_t pad, const uint round, const uint block_keys)
{
    __local exchange_t room;
    __local ranks_t ranks;
    __local uint to[RADIX]; // where a digit's first key goes, less its place in the sorted tile
    const uint t = (uint)get_local_id(0), all = AT(const control_t, control)->blocks[round];
#define TILE_FROM(b, tile)                                                                         \
    tile_from(b, tile, all, block_keys, AT(const segment_t, segments), AT(const block_t, blocks))
    key_t key[ITEMS];
    uint next_place[DIGITS]; // of this work-item's digits, in the block
    tile_t next = TILE_FROM((uint)get_group_id(0), 0);
    load_tile(key, KEYS_AT(next.source) + next.first, next.count, pad);
    while (next.count > 0) {
        // Apart, since `next` is not this tile any more when they are used.
        const uint count = next.count, source = next.source;
        const uint shift = next.shift, mask = next.mask;
        VALUES(const uint first = next.first;)
        if (next.tile == 0)
            for (uint i = 0; i < DIGITS; i++)
                next_place[i] =
                    AT(const uint, rows)[next.block * RADIX + min(t * DIGITS + i, RADIX - 1)];
        uint place[ITEMS];
        sort_tile(&room, &ranks, to, key, count, flip, shift, mask, place, next_place);
        // The next keys are on their way while these are written.
        next = next.more ? TILE_FROM(next.block, next.tile + 1)
                         : TILE_FROM(next.block + (uint)get_num_groups(0), 0);
        load_tile(key, KEYS_AT(next.source) + next.first, next.count, pad);
        write_keys(&room, place, to, count, KEYS_AT(place_after(source)), flip, shift, mask);
#if VALUE_BYTES > 0
        write_values(&room, place, to, count, VALUES_FROM(source), source, first,
                     VALUES_TO(place_after(source)));
#endif
    }
}
