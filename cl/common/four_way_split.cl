// four_way_split.cl - the 4-way split: a work-group sorts its tile stably by two bits
//
// Ha, Krueger and Silva, "Fast four-way parallel radix sorting on GPUs", Computer Graphics Forum
// 28(8), 2009, pp. 2368-2378, section 3: each work-item packs the counters of its four digits into
// one word, so that one scan over the group ranks all four at once. Here the word that is scanned has 64 bits and a
// counter 16, which allows tiles of up to 65535 keys. A work-item counts its own keys, at most 255, in 32 bits.
//
// A tile is sorted by a wider digit by a sequence of split_ranks, split_store and split_reload,
// from the lowest two bits to the highest. Values are not moved: each key carries the index in the
// tile that it was loaded from, and the caller moves the values once, at the end.
//
// Cost: for each two bits one scan (3 barriers) and one exchange through local memory (1 barrier). The work-items read
// their consecutive keys without bank conflicts if ITEMS is odd. An even number shares a factor with the number of
// banks, a power of two, so that several work-items read the same bank.
//
// The options GROUP_SIZE and ITEMS are described in work_group.cl.
#ifndef CLSORT_COMMON_FOUR_WAY_SPLIT_CL
#define CLSORT_COMMON_FOUR_WAY_SPLIT_CL

#include "common/keys.cl"
#include "common/scan.cl"
#include "common/work_group.cl"

#if ITEMS > 255
#error "four_way_split.cl: ITEMS must be at most 255"
#endif

// A work-item's part of the tile, in registers: it has ITEMS consecutive keys, from index
// ITEMS * get_local_id(0) on. from[i] is the index in the tile that key[i] was loaded from.
typedef struct {
    key_t key[ITEMS];
    VALUES(ushort from[ITEMS];)
} split_tile_t;

// The whole tile in local memory, and the memory of the scan.
typedef struct {
    key_t key[TILE];
    VALUES(ushort from[TILE];)
    ulong sums[2 * GROUP_SIZE];
} split_exchange_t;

// Loads `count` keys, at least one, and fills the rest of the tile with `pad`, which must not sort before any key. The
// reads have no conditions: compilers would make a branch of each, and the reads would wait for each other.
static inline void split_load(split_tile_t *tile, __local split_exchange_t *x,
                              __global const key_t *keys, const uint count, const key_t pad)
{
    const uint t = (uint)get_local_id(0);
    for (uint i = 0; i < ITEMS; i++) {
        tile->key[i] = keys[min(t + i * GROUP_SIZE, count - 1)];
    }
    __local key_t *striped = x->key + t;
    for (uint i = 0; i < ITEMS; i++) {
        striped[i * GROUP_SIZE] = t + i * GROUP_SIZE < count ? tile->key[i] : pad;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    __local const key_t *own = x->key + t * ITEMS;
    for (uint i = 0; i < ITEMS; i++) {
        tile->key[i] = own[i];
        VALUES(tile->from[i] = (ushort)(t * ITEMS + i);)
    }
}

// Returns the digit of a key. flip_digit is that of `flip`, so that keys need not be flipped: compilers
// then take one instruction less per key.
static inline uint split_digit(const key_t key, const key_t flip, const uint flip_digit,
                               const uint shift, const uint mask)
{
#if KEY_ORDER < 2
    return digit_of(key, 0, shift, mask) ^ flip_digit;
#else
    return digit_of(key, flip, shift, mask);
#endif
}

// Sets rank[i] to the rank of key[i] in the tile when it is split by the digit at bit `shift`,
// whose values are 0 .. mask (at most 3).
static inline void split_ranks(const split_tile_t *tile, __local split_exchange_t *x,
                               const key_t flip, const uint shift, const uint mask, uint *rank)
{
    const uint flip_digit = (uint)(flip >> shift) & mask;
    uint counts = 0;
    for (uint i = 0; i < ITEMS; i++) {
        counts += 1u << (8 * split_digit(tile->key[i], flip, flip_digit, shift, mask));
    }
    // The counters are widened from 8 to 16 bits.
    const ulong widened = (counts & 0xff) | (ulong)(counts & 0xff00) << 8 |
                          (ulong)(counts & 0xff0000) << 16 | (ulong)(counts & 0xff000000) << 24;
    ulong total;
    ulong next = group_exclusive_scan(widened, x->sums, &total);
    // A digit starts where all lower digits end.
    next += (total << 16) + (total << 32) + (total << 48);
    for (uint i = 0; i < ITEMS; i++) {
        const uint field = 16 * split_digit(tile->key[i], flip, flip_digit, shift, mask);
        rank[i] = (uint)(next >> field) & 0xffff;
        next += (ulong)1 << field;
    }
}

// Writes the keys to their ranks in local memory.
static inline void split_store(const split_tile_t *tile, __local split_exchange_t *x,
                               const uint *rank)
{
    for (uint i = 0; i < ITEMS; i++) {
        x->key[rank[i]] = tile->key[i];
        VALUES(x->from[rank[i]] = tile->from[i];)
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

// Reads the keys back in their new order. The next split_store may follow without a barrier of its
// own, because the scan in split_ranks has barriers.
static inline void split_reload(split_tile_t *tile, __local const split_exchange_t *x)
{
    const uint first = (uint)get_local_id(0) * ITEMS;
    __local const key_t *own = x->key + first;
    VALUES(__local const ushort *own_from = x->from + first;)
    for (uint i = 0; i < ITEMS; i++) {
        tile->key[i] = own[i];
        VALUES(tile->from[i] = own_from[i];)
    }
}

#endif
