// hybrid.cl - MSD radix sort whose buckets are sorted in local memory
//
// Stehle and Jacobsen, "A memory bandwidth-efficient hybrid radix sort on GPUs", SIGMOD 2017, section 4: partition by
// the highest digits until what has them in common fits local memory. Tiles are counted before they are moved, so that
// places are known and no group waits for another. segment.cl has what a round leaves for the next; the host launches
// as many rounds as the worst keys need, and groups that find nothing to do leave.
//
//   hybrid_look         round 0: counts the tiles of the input
//   hybrid_count        later rounds: those of all segments
//   hybrid_partition    moves every segment's elements to its children's places
//
// hybrid_plan.cl decides in between, hybrid_sort.cl and hybrid_settle.cl do the jobs.
//
// Cost model, of 2^28 u32 keys in two rounds: a round reads the keys twice and writes them once, then jobs read and
// write them once: 32 bytes a key; with a u32 value 56. Measured (H200, of its 4.18 TB/s of copying): counts 0.92 of
// what they read; partitions 0.53 and 0.60 of what they move, and with values 0.63 and 0.72, or stable 0.58; the whole
// sort 0.57, 0.64 and 0.58.
//
// GROUP_SIZE, ITEMS    work-items of a group, and elements of each in a tile
// BITS                 of a digit, at most

#if !defined(KEYS_AT) || !defined(TILE) || !defined(RADIX) || !defined(JOB_TILE)
#error "hybrid.cl needs segment.cl and tile.cl"
#endif

// -- histograms -----------------------------------------------------------------------------------

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
    UNROLL for (uint j = 1; j < VECTOR; j++) alike &=
        digit_of(key_of(v, j), flip, shift, mask) == first;
    if (alike)
        atomic_add(&counts[first * COPIES + get_local_id(0) % COPIES], VECTOR);
    else
        UNROLL for (uint j = 0; j < VECTOR; j++) count_key(counts, key_of(v, j), flip, shift, mask);
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
    UNROLL for (uint k = 0; k < VECTORS; k++) v[k] =
        t + k * GROUP_SIZE < split.vectors ? vector[t + k * GROUP_SIZE] : (uint4)(0);
    *edge = t < split.edges ? edge_at(keys, split, t) : 0;
}

static inline void count_tile(__local uint *counts, const uint4 *v, const key_t edge,
                              __global const key_t *keys, const uint count, const key_t flip,
                              const uint shift, const uint mask)
{
    const uint t = (uint)get_local_id(0);
    const split_t split = split_tile(keys, count);
    UNROLL for (uint k = 0; k < VECTORS; k++) if (t + k * GROUP_SIZE < split.vectors)
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

__kernel GROUP void hybrid_look(INPUT(keys), BUFFER(rows), const uint n, const uint block_tiles,
                                const key_t flip, const uint shift, const uint bits)
{
    __local uint counts[RADIX * COPIES];
    const uint tile = (uint)get_group_id(0) * block_tiles, first = tile * TILE;
    count_block(counts, AT(const key_t, keys) + first, min(n - first, block_tiles * TILE),
                AT(uint, rows) + tile * RADIX, flip, shift, (1u << bits) - 1);
}

__kernel GROUP void hybrid_count(BUFFER(control), INPUT(keys), BUFFER(keys_to), BUFFER(keys_tmp),
                                 BUFFER(segments), BUFFER(blocks), BUFFER(rows), const key_t flip,
                                 const uint round, const uint block_tiles)
{
    __local uint counts[RADIX * COPIES];
    const uint all = AT(const control_t, control)->blocks[round];
    for (uint b = (uint)get_group_id(0); b < all; b += (uint)get_num_groups(0)) {
        const part_t block = AT(const part_t, blocks)[b];
        const segment_t s = AT(const segment_t, segments)[block.segment];
        const uint tile = block.number * block_tiles, first = tile * TILE;
        count_block(counts, KEYS_AT(s.place) + s.start + first,
                    min(s.count - first, block_tiles * TILE),
                    AT(uint, rows) + (s.first_row + tile) * RADIX, flip, s.top - s.bits,
                    (1u << s.bits) - 1);
    }
}

// -- partition --------------------------------------------------------------------------------------

typedef struct {
    uint count;         // of its elements
    uint source, first; // enum place, and the first of them in it
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

__kernel GROUP void hybrid_partition(BUFFER(control), INPUT(keys), BUFFER(keys_to),
                                     BUFFER(keys_tmp),
                                     VALUE_INPUT(values) VALUE_BUFFER(values_to)
                                         VALUE_BUFFER(values_tmp) BUFFER(segments),
                                     BUFFER(tiles), BUFFER(rows), const key_t flip, const key_t pad,
                                     const uint round, const uint block_tiles)
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
    load_tile(key, KEYS_AT(next.source) + next.first, next.count, pad);
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
        write_keys(&room, place, to, count, KEYS_AT(place_after(source)), flip, shift, mask);
        exchange_values(&room, place, value);
#endif
        // The next keys are on their way while what is last of this tile is written.
        next = tile_of(*ahead, block_tiles, from);
        load_tile(key, KEYS_AT(next.source) + next.first, next.count, pad);
#if VALUE_BYTES > 0
        write_values(&room, place, value, to, count, VALUES_TO(place_after(source)), flip, shift,
                     mask);
#else
        write_keys(&room, place, to, count, KEYS_AT(place_after(source)), flip, shift, mask);
#endif
    }
}
