// hybrid.cl - MSD radix sort whose buckets are sorted in local memory: not stable, for keys alone
//
// Stehle and Jacobsen, "A memory bandwidth-efficient hybrid radix sort on GPUs", SIGMOD 2017, section 4: partition by
// the highest digits until what has them in common fits local memory. Places are taken by atomics, so that no group
// waits for another. segment.cl has what a round leaves for the next; the host launches as many rounds as the worst
// keys need, and groups that find nothing to do leave.
//
//   hybrid_look         round 0: the histogram of the highest digit, a row for each group
//   hybrid_count        later rounds: the histograms of all segments
//   hybrid_partition    moves every segment's keys to its children's places
//
// hybrid_plan.cl decides in between, hybrid_sort.cl and hybrid_settle.cl do the jobs.
//
// Cost model, of 2^28 u32 keys in two rounds: a round reads the keys twice and writes them once, then jobs read and
// write them once: 32 bytes a key.
//
// GROUP_SIZE, ITEMS    work-items of a group, and keys of each in a tile
// BITS                 of a digit, at most
// SUBTILES             tiles of a block, which a group counts at once

#if !defined(GROUP_SIZE) || !defined(ITEMS) || !defined(BITS) || !defined(SUBTILES)
#error "hybrid.cl needs keys.cl, group_sum.cl, segment.cl, ITEMS, BITS and SUBTILES"
#endif

#define TILE (GROUP_SIZE * ITEMS)
#define BLOCK (TILE * SUBTILES)
#define RADIX (1u << BITS)

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

static inline uint counted(__local const uint *counts, const uint digit)
{
    uint sum = 0;
    for (uint i = 0; i < COPIES; i++)
        sum += counts[digit * COPIES + i];
    return sum;
}

__kernel GROUP void hybrid_look(INPUT(keys), BUFFER(table), const uint n, const uint chunk,
                                const key_t flip, const uint shift, const uint bits)
{
    __local uint counts[RADIX * COPIES];
    const uint first = min(n, (uint)get_group_id(0) * chunk);
    count_keys(counts, AT(const key_t, keys) + first, min(n - first, chunk), flip, shift,
               (1u << bits) - 1);
    __global uint *row = AT(uint, table) + get_group_id(0) * RADIX;
    for (uint d = (uint)get_local_id(0); d < RADIX; d += GROUP_SIZE)
        row[d] = counted(counts, d);
}

__kernel GROUP void hybrid_count(BUFFER(control), INPUT(keys), BUFFER(keys_to), BUFFER(keys_tmp),
                                 BUFFER(segments), BUFFER(blocks), BUFFER(counters),
                                 const key_t flip, const uint round)
{
    __local uint counts[RADIX * COPIES];
    const uint all = AT(const control_t, control)->blocks[round];
    for (uint b = (uint)get_group_id(0); b < all; b += (uint)get_num_groups(0)) {
        const block_t block = AT(const block_t, blocks)[b];
        const segment_t s = AT(const segment_t, segments)[block.segment];
        const uint first = block.block * BLOCK;
        count_keys(counts, KEYS_AT(s.place) + s.start + first, min(s.count - first, (uint)BLOCK),
                   flip, s.top - s.bits, (1u << s.bits) - 1);
        __global uint *row = AT(uint, counters) + block.segment * RADIX;
        for (uint d = (uint)get_local_id(0); d < RADIX; d += GROUP_SIZE) {
            const uint count = counted(counts, d);
            if (count > 0)
                atomic_add(&row[d], count);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

// -- partition --------------------------------------------------------------------------------------

// Whether many keys of the lane group have one digit, by two of each lane's.
static inline bool is_hot(const uint digit, const uint another, __local uint *room)
{
#if LANES_BODY != 0
    const lane_mask_t alike = lanes_ballot(digit == lane_shuffle(digit, 0, room), room);
    const lane_mask_t again = lanes_ballot(another == lane_shuffle(another, 0, room), room);
    return lanes_count(alike) + lanes_count(again) > LANES / 4;
#else
    return false; // what lanes cost in local memory is no gain
#endif
}

// How many keys with the digit came before, as counts[] has it. Lanes that have the first one's digit take their
// places at once: else they would wait for each other.
static inline uint take_hot(__local uint *counts, const uint digit, __local uint *room)
{
    const uint common = lane_shuffle(digit, 0, room);
    const lane_mask_t alike = lanes_ballot(digit == common, room);
    uint rank = 0;
    if (digit != common)
        rank = atomic_inc(&counts[digit]);
    else if (lane_id() == 0)
        rank = atomic_add(&counts[digit], lanes_count(alike));
    const uint first = lane_shuffle(rank, 0, room);
    return digit == common ? first + lanes_count(alike & lanes_before()) : rank;
}

// The keys of one segment in a tile.
typedef struct {
    uint count; // 0: they stay where they are
    uint segment;
    uint shift, mask;
    __global const key_t *from;
    __global key_t *to; // of all segments
} tile_t;

static inline tile_t tile_of(const uint index, const uint all, __global const segment_t *segments,
                             __global const block_t *blocks, __global const key_t *in,
                             __global key_t *out, __global key_t *tmp)
{
    tile_t tile = {0, 0, 0, 0, in, out};
    if (index >= all)
        return tile;
    const block_t block = blocks[index / SUBTILES];
    const segment_t s = segments[block.segment];
    const uint first = block.block * BLOCK + index % SUBTILES * TILE;
    if (s.moves && first < s.count) {
        tile.count = min(s.count - first, (uint)TILE);
        tile.segment = block.segment;
        tile.shift = s.top - s.bits;
        tile.mask = (1u << s.bits) - 1;
        tile.from = place_of(s.place, in, out, tmp) + s.start + first;
        tile.to = place_of(place_after(s.place), in, out, tmp);
    }
    return tile;
}

static inline void load_tile(key_t *key, const tile_t tile)
{
    const uint t = (uint)get_local_id(0);
    if (tile.count == TILE) {
        __global const key_t *from = tile.from + t;
        UNROLL for (uint i = 0; i < ITEMS; i++) key[i] = from[i * GROUP_SIZE];
    } else {
        UNROLL for (uint i = 0; i < ITEMS; i++) key[i] =
            t + i * GROUP_SIZE < tile.count ? tile.from[t + i * GROUP_SIZE] : 0;
    }
}

__kernel GROUP void hybrid_partition(BUFFER(control), INPUT(keys), BUFFER(keys_to),
                                     BUFFER(keys_tmp), BUFFER(segments), BUFFER(blocks),
                                     BUFFER(counters), const key_t flip, const uint round)
{
    __local key_t exchange[TILE];
    __local uint counts[RADIX + 1]; // the last one is of places without a key
    __local uint offset[RADIX];     // from a key's place in the sorted tile to its place among all
    __local uint room[GROUP_SIZE];
    __local uint
        shift_again; // so that digits are worked out again, not kept in registers that there are too few of
    const uint t = (uint)get_local_id(0), groups = (uint)get_num_groups(0);
    const uint all = AT(const control_t, control)->blocks[round] * SUBTILES;
#define TILE_AT(index)                                                                             \
    tile_of(index, all, AT(const segment_t, segments), AT(const block_t, blocks),                  \
            AT(const key_t, keys), AT(key_t, keys_to), AT(key_t, keys_tmp))
    key_t key[ITEMS];
    tile_t next = TILE_AT((uint)get_group_id(0));
    load_tile(key, next);
    for (uint g = (uint)get_group_id(0); g < all; g += groups) {
        if (next.count == 0) {
            next = TILE_AT(g + groups);
            load_tile(key, next);
            continue;
        }
        // Not a struct: NVIDIA's compiler keeps those in memory.
        const uint count = next.count, segment = next.segment;
        const uint shift = next.shift, mask = next.mask;
        __global key_t *to = next.to;
#define DIGIT(key) digit_of(key, flip, shift, mask)
#define DIGIT_OF_ITEM(i) (t + (i)*GROUP_SIZE < count ? DIGIT(key[i]) : RADIX)
        if (t == 0)
            shift_again = shift;
        for (uint d = t; d <= RADIX; d += GROUP_SIZE)
            counts[d] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        uint place[ITEMS];
        if (is_hot(DIGIT_OF_ITEM(0), DIGIT_OF_ITEM(ITEMS / 2), room)) {
            UNROLL for (uint i = 0; i < ITEMS; i++) place[i] =
                take_hot(counts, DIGIT_OF_ITEM(i), room);
        } else {
            UNROLL for (uint i = 0; i < ITEMS; i++) place[i] =
                atomic_inc(&counts[DIGIT_OF_ITEM(i)]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        uint sum = 0;
        for (uint first = 0; first < RADIX; first += GROUP_SIZE) {
            const uint d = first + t, own = d < RADIX ? counts[d] : 0;
            uint start = 0, total;
            if (own > 0)
                start = atomic_add(&AT(uint, counters)[segment * RADIX + d], own);
            const uint before = sum + group_sum(own, room, &total);
            if (d < RADIX) {
                counts[d] = before;
                offset[d] = start - before;
            }
            sum += total;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        UNROLL for (uint i = 0; i < ITEMS; i++) if (t + i * GROUP_SIZE < count)
            exchange[place[i] + counts[digit_of(key[i], flip, shift_again, mask)]] = key[i];
        barrier(CLK_LOCAL_MEM_FENCE);
        // The next keys are on their way while these are written.
        next = TILE_AT(g + groups);
        load_tile(key, next);
        UNROLL for (uint i = 0; i < ITEMS; i++)
        {
            const uint j = t + i * GROUP_SIZE;
            if (j < count)
                to[offset[DIGIT(exchange[j])] + j] = exchange[j];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
