// vector_quicksort.cl - one work-item sorts keys, or numbers that stand for items (pack.cl): quicksort of vectors, inside its
// core's cache from where they fit it, small parts by a network
//
// Keys that are equal in all their bits or not at all, on x86 with AVX-512, whose compress instruction moves the keys
// of a vector that are below a pivot, and then the others, to the next free places. Vectorised quicksort: Bramas, "A
// novel hybrid quicksort algorithm vectorized using AVX-512 on Intel Skylake", IJACSA 8(10), 2017, section III;
// Wassenberg et al., "Vectorized and performance-portable quicksort", Software: Practice and Experience 52(12), 2022,
// section 2. As theirs it is in place, but not within L1: there the keys have room for a copy, and nothing that is read
// waits for what was written.
//
// Cost: a partition is one read and one write of its keys; n keys have log2(n / FEW) of them, and the network's work of
// FEW keys.
// Measured (one core of a Xeon with AVX-512, ns a u32 key): a partition with room 0.09 in L1, where its two
// compressions allow 0.08, and 0.2 in L2; in place 0.18 and 0.2, beyond L2 0.35. 4096 keys take 2.8 in all (PoCL 5.0;
// vqsort 3.5).
#ifndef CLSORT_COMMON_VECTOR_QUICKSORT_CL
#define CLSORT_COMMON_VECTOR_QUICKSORT_CL

#include "common/compress.cl"
#include "common/keys.cl"
#include "common/streaming_store.cl"
#include "common/vector_network.cl"

// The room, in keys, that so many of them need.
#define ROOM_OF(count) (2 * ((ulong)(count) + VECTOR_LANES))

#if KEY_BYTES == 4
#define PACK 16 // keys of a register
#define MAX_ROWS 16
typedef uint16 pack_t;
typedef ushort mask_t;
#define AS_SIGNED as_int16
#define AS_PACK as_uint16
#define COMPRESS __builtin_ia32_compresssi512_mask
#define COMPARE __builtin_ia32_ucmpd512_mask
#define LOAD __builtin_ia32_loaddqusi512_mask
#define STORE __builtin_ia32_storedqusi512_mask
typedef int signed_t;
#else
#define PACK 8
#define MAX_ROWS 8
typedef ulong8 pack_t;
typedef uchar mask_t;
#define AS_SIGNED as_long8
#define AS_PACK as_ulong8
#define COMPRESS __builtin_ia32_compressdi512_mask
#define COMPARE __builtin_ia32_ucmpq512_mask
#define LOAD __builtin_ia32_loaddqudi512_mask
#define STORE __builtin_ia32_storedqudi512_mask
typedef long signed_t;
#endif

#define FEW (MAX_ROWS * VECTOR_LANES) // keys that are sorted in registers
#define ALL ((mask_t) ~(mask_t)0)
#define LESS_THAN 1 // of the predicates of the comparison

// What ordered numbers are written as: keys, or themselves where they stand for items (pack.cl).
#if VALUE_BYTES == 0
ORDERED(ordered_pack, pack_t)
UNORDERED(written_pack, pack_t)
#define WRITTEN(number, flip) unordered(number, flip)
#else
#define written_pack(numbers, flip) (numbers)
#define WRITTEN(number, flip) (number)
#endif

// The first `count` lanes.
static inline mask_t mask_below(const uint count)
{
    return (mask_t)((1u << min(count, (uint)PACK)) - 1);
}

// The keys of a mask; the others are not read.
static inline pack_t load(__global const key_t *from, const mask_t mask)
{
    return AS_PACK(LOAD((__global const signed_t *)from, AS_SIGNED((pack_t)LARGEST_KEY), mask));
}

static inline void store(const pack_t keys, __global key_t *to, const mask_t mask)
{
    STORE((__global signed_t *)to, AS_SIGNED(keys), mask);
}

// -- few keys --------------------------------------------------------------------------------------

// Sorts ordered numbers, at most 16 * rows of them, to keys.
INLINED void sort_rows_of(__global const key_t *from, const uint count, __global key_t *to,
                          const key_t flip, const uint rows)
{
    key_vector_t x[MAX_ROWS];
#pragma unroll
    for (uint r = 0; r < rows; r++) {
        const uint at = r * VECTOR_LANES, here = sub_sat(count, at);
#if PACK == VECTOR_LANES
        x[r] = load(from + at, mask_below(here));
#else
        x[r].lo = load(from + at, mask_below(here));
        x[r].hi = load(from + at + PACK, mask_below(sub_sat(here, (uint)PACK)));
#endif
    }
    sort_matrix(x, rows);
#pragma unroll
    for (uint r = 0; r < rows; r++) {
        const uint at = r * VECTOR_LANES, here = sub_sat(count, at);
#if PACK == VECTOR_LANES
        store(written_pack(x[r], flip), to + at, mask_below(here));
#else
        store(written_pack(x[r].lo, flip), to + at, mask_below(here));
        store(written_pack(x[r].hi, flip), to + at + PACK, mask_below(sub_sat(here, (uint)PACK)));
#endif
    }
}

// Not inlined: it is most of what there is to compile.
static __attribute__((noinline)) void sort_few(__global const key_t *from, const uint count,
                                               __global key_t *to, const key_t flip)
{
    if (count > FEW / 2)
        sort_rows_of(from, count, to, flip, MAX_ROWS);
    else
        sort_rows_of(from, count, to, flip, MAX_ROWS / 2);
}

// -- parts -----------------------------------------------------------------------------------------

// Ordered numbers, and as much room of their own. What is stored behind their ends does no harm: there it is the other
// part's room, or what the whole that both were made of had behind its ends.
typedef struct {
    __global key_t *keys, *room;
    uint count;
    uint place;      // of the first one in the output
    key_t low, high; // no key is outside
    bool uneven;     // the last pivot was a bad one
} part_t;

#define MEDIAN(a, b, c) max(min(a, b), min(max(a, b), c))

// About the median: of nine samples in each lane, and of six lanes.
static inline key_t sample(__global const key_t *keys, const ulong count)
{
    const ulong apart = (count - PACK) / 8;
    pack_t x[9];
#pragma unroll
    for (uint i = 0; i < 9; i++)
        x[i] = load(keys + i * apart, ALL);
    const pack_t a = MEDIAN(x[0], x[1], x[2]), b = MEDIAN(x[3], x[4], x[5]),
                 c = MEDIAN(x[6], x[7], x[8]), m = MEDIAN(a, b, c);
    const key_t one = MEDIAN(m.s0, m.s1, m.s2), other = MEDIAN(m.s3, m.s4, m.s5);
    return min(one, other) + (max(one, other) - min(one, other)) / 2;
}

// No data makes it quadratic: a bad pivot is followed by the middle of what the keys can be.
static inline key_t pivot_of(__global const key_t *keys, const ulong count, const key_t low,
                             const key_t high, const bool uneven)
{
    return uneven ? low + (high - low) / 2 + 1 : max(low + 1, sample(keys, count));
}

// Where nothing is below a pivot from samples, it is there again and again: it is set apart next.
static inline bool is_uneven(const ulong less, const ulong rest)
{
    return less > 0 && min(less, rest) < (less + rest) / 8;
}

// Moves the keys of a pack that are below the pivot, and then the others. Returns how many are below.
static inline uint move_pack(const pack_t keys, const mask_t here, const pack_t pivot,
                             __global key_t *below, __global key_t *rest)
{
    const mask_t less = here & COMPARE(AS_SIGNED(keys), AS_SIGNED(pivot), LESS_THAN, ALL);
    store(AS_PACK(COMPRESS(AS_SIGNED(keys), AS_SIGNED(keys), less)), below, ALL);
    store(AS_PACK(COMPRESS(AS_SIGNED(keys), AS_SIGNED(keys), here & ~less)), rest, ALL);
    return popcount((uint)less);
}

// Moves the keys below the pivot to its room, and the others together. Returns how many are below.
static inline uint partition(const part_t part, const key_t pivot)
{
    __global key_t *keys = part.keys, *room = part.room;
    uint less = 0, i = 0;
    for (; i + PACK <= part.count; i += PACK)
        less += move_pack(load(keys + i, ALL), ALL, pivot, room + less, keys + i - less);
    if (i < part.count) {
        const mask_t here = mask_below(part.count - i);
        less += move_pack(load(keys + i, here), here, pivot, room + less, keys + i - less);
    }
    return less;
}

// The larger part of two waits while the smaller one is sorted.
#define MAX_WAITING 32

static __attribute__((noinline)) void sort_parts(const part_t *all, __global key_t *to,
                                                 const key_t flip)
{
    part_t part = *all;
    part_t waiting[MAX_WAITING];
    for (uint waits = 0;;) {
        if (part.count > FEW && part.low < part.high) {
            const key_t pivot = pivot_of(part.keys, part.count, part.low, part.high, part.uneven);
            const uint less = partition(part, pivot), rest = part.count - less;
            const bool uneven = is_uneven(less, rest);
            const part_t lower = {part.room, part.keys + rest, less,  part.place,
                                  part.low,  pivot - 1,        uneven};
            const part_t upper = {part.keys, part.room + less, rest,  part.place + less,
                                  pivot,     part.high,        uneven};
            waiting[waits++] = less > rest ? lower : upper;
            part = less > rest ? upper : lower;
            continue;
        }
        if (part.low == part.high) {
            const key_t key = WRITTEN(part.low, flip);
            for (uint i = 0; i < part.count; i++)
                to[part.place + i] = key;
        } else if (part.count > 0) {
            sort_few(part.keys, part.count, to + part.place, flip);
        }
        if (waits == 0)
            return;
        part = waiting[--waits];
    }
}

// Sorts ordered numbers to keys, by way of the room whose begin they are in.
static inline void sort_room(__global key_t *room, const uint count, const key_t low,
                             const key_t high, __global key_t *to, const key_t flip)
{
    const part_t all = {room, room + count + VECTOR_LANES, count, 0, low, high, false};
    sort_parts(&all, to, flip);
}

// -- parts beyond L1 ---------------------------------------------------------------------------------

#define STEP_PACKS 8
#define STEP (STEP_PACKS * PACK) // keys that are read at a time
#define HELD (3 * STEP)          // room that a partition in place needs

// The places of a part that can be written: what they held is held elsewhere.
typedef struct {
    ulong first, last;
} free_t;

// Moves the keys of a pack that are below the pivot to the first free places, and the others to the last ones.
INLINED free_t place_pack(const pack_t keys, const mask_t here, const pack_t pivot,
                          __global key_t *to, const free_t places)
{
    const mask_t less = here & COMPARE(AS_SIGNED(keys), AS_SIGNED(pivot), LESS_THAN, ALL);
    const uint below = popcount((uint)less), rest = popcount((uint)here) - below;
    const free_t left = {places.first + below, places.last - rest};
    store(AS_PACK(COMPRESS(AS_SIGNED(keys), AS_SIGNED(keys), less)), to + places.first, here);
    store(AS_PACK(COMPRESS(AS_SIGNED(keys), AS_SIGNED(keys), here & ~less)), to + left.last,
          mask_below(rest));
    return left;
}

// Moves the ordered numbers below the pivot before the others, in place. Returns how many are below. Two steps of keys,
// and what is no whole step, are held: so when one is read, from the side that has fewer free places, both sides have
// as many as a step can need.
static inline ulong partition_in_place(__global key_t *keys, const ulong count, const key_t pivot,
                                       __global key_t *held)
{
    const bool is_long = count > HELD;
    ulong begin = is_long ? STEP : count, end = is_long ? count / STEP * STEP - STEP : count;
    const uint before = (uint)begin, holds = before + (uint)(count - end);
    for (uint i = 0; i < before; i += PACK)
        store(load(keys + i, mask_below(before - i)), held + i, ALL);
    for (uint i = before; i < holds; i += PACK)
        store(load(keys + end + (i - before), mask_below(holds - i)), held + i, ALL);
    const pack_t pivots = pivot;
    free_t places = {0, count};
    while (begin < end) {
        ulong from = begin;
        if (begin - places.first < places.last - end) {
            begin += STEP;
            // Keeps it a branch: a choice without one would wait for all the counting before.
            __asm__ volatile("");
        } else {
            from = end -= STEP;
        }
        pack_t packs[STEP_PACKS];
#pragma unroll
        for (uint i = 0; i < STEP_PACKS; i++)
            packs[i] = load(keys + from + i * PACK, ALL);
#pragma unroll
        for (uint i = 0; i < STEP_PACKS; i++)
            places = place_pack(packs[i], ALL, pivots, keys, places);
    }
    for (uint i = 0; i < holds; i += PACK)
        places = place_pack(load(held + i, ALL), mask_below(holds - i), pivots, keys, places);
    return places.first;
}

// Ordered numbers at their place.
typedef struct {
    ulong place, count;
    key_t low, high;
    bool uneven;
} large_t;

#define MAX_IN_ROOM (16384 / KEY_BYTES)
// That sort_large needs.
#define LARGE_ROOM (ROOM_OF(MAX_IN_ROOM) + MAX_IN_ROOM)

// Sorts ordered numbers to keys, past the cache. `from` is overwritten; it may be `to`.
static inline void sort_large(__global key_t *from, const ulong count, const key_t low,
                              const key_t high, __global key_t *room, __global key_t *to,
                              const key_t flip)
{
    __global key_t *sorted = room + ROOM_OF(MAX_IN_ROOM);
    large_t waiting[MAX_WAITING];
    large_t part = {0, count, low, high, false};
    for (uint waits = 0;;) {
        if (part.low == part.high) {
            stream_key(to + part.place, 0, part.count, WRITTEN(part.low, flip));
        } else if (part.count > MAX_IN_ROOM) {
            __global key_t *keys = from + part.place;
            const key_t pivot = pivot_of(keys, part.count, part.low, part.high, part.uneven);
            const ulong less = partition_in_place(keys, part.count, pivot, room);
            const ulong rest = part.count - less;
            const bool uneven = is_uneven(less, rest);
            const large_t lower = {part.place, less, part.low, pivot - 1, uneven};
            const large_t upper = {part.place + less, rest, pivot, part.high, uneven};
            waiting[waits++] = less > rest ? lower : upper;
            part = less > rest ? upper : lower;
            continue;
        } else if (part.count > 0) {
            const uint few = (uint)part.count;
            for (uint i = 0; i < few; i += PACK)
                store(load(from + part.place + i, mask_below(few - i)), room + i, ALL);
            sort_room(room, few, part.low, part.high, sorted, flip);
            stream_keys(sorted, to + part.place, part.count);
        }
        if (waits == 0)
            return;
        part = waiting[--waits];
    }
}

#endif
