// four_way_split.cl - the 4-way split: a work-group sorts its tile by two bits in a stable way
//
// Ha, Krueger and Silva, "Fast four-way parallel radix sorting on GPUs", Computer Graphics Forum 28(8),
// 2009, pp. 2368-2378, section 3: the four digits' counters of a work-item are packed in one word, so that one scan
// over the group ranks all four at once. Here a word is 64 bits and a counter 16, which allows tiles of
// up to 65535 keys. Cost: one scan (log2(GROUP_SIZE) + 2 barriers) and one exchange through local memory
// for each two bits.
//
// GROUP_SIZE, ITEMS    work-items in a group, and keys of each; a tile is GROUP_SIZE * ITEMS keys
#ifndef CLSORT_COMMON_FOUR_WAY_SPLIT_CL
#define CLSORT_COMMON_FOUR_WAY_SPLIT_CL

#include "common/keys.cl"
#include "common/scan.cl"
#include "common/work_group.cl"

// A tile in registers: work-item t holds the keys ITEMS * t and following, and where in the tile as it
// was read each came from. Values stay where they are until then: they move once.
typedef struct {
    key_t key[ITEMS];
    VALUES(ushort from[ITEMS];)
} split_tile_t;

typedef struct {
    key_t key[TILE];
    VALUES(ushort from[TILE];)
    ulong sums[2 * GROUP_SIZE];
} split_exchange_t;

// Reads `count` keys; the tile is filled up with `pad`, a key that no other sorts behind.
static inline void split_load(split_tile_t *tile, __local split_exchange_t *x,
                              __global const key_t *keys, const uint count, const key_t pad)
{
    const uint t = (uint)get_local_id(0);
    for (uint i = 0; i < ITEMS; i++) {
        const uint j = t + i * GROUP_SIZE;
        x->key[j] = j < count ? keys[j] : pad;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < ITEMS; i++) {
        tile->key[i] = x->key[t * ITEMS + i];
        VALUES(tile->from[i] = (ushort)(t * ITEMS + i);)
    }
}

// Where each key of the tile goes when it is split by the digit (0 .. mask, at most 3) at bit `shift`.
static inline void split_ranks(const split_tile_t *tile, __local split_exchange_t *x,
                               const key_t flip, const uint shift, const uint mask, uint *place)
{
    ulong counts = 0;
    for (uint i = 0; i < ITEMS; i++) {
        const uint at = 16 * digit_of(tile->key[i], flip, shift, mask);
        place[i] = (uint)(counts >> at) & 0xffff;
        counts += (ulong)1 << at;
    }
    ulong total;
    ulong before = group_exclusive_scan(counts, x->sums, &total);
    before += (total << 16) + (total << 32) + (total << 48);
    for (uint i = 0; i < ITEMS; i++)
        place[i] += (uint)(before >> (16 * digit_of(tile->key[i], flip, shift, mask))) & 0xffff;
}

// Moves the keys to their places in local memory.
static inline void split_store(const split_tile_t *tile, __local split_exchange_t *x,
                               const uint *place)
{
    for (uint i = 0; i < ITEMS; i++) {
        x->key[place[i]] = tile->key[i];
        VALUES(x->from[place[i]] = tile->from[i];)
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

// ... and takes them up again in their new order. The next scan's barriers keep split_store away.
static inline void split_reload(split_tile_t *tile, __local const split_exchange_t *x)
{
    const uint t = (uint)get_local_id(0);
    for (uint i = 0; i < ITEMS; i++) {
        tile->key[i] = x->key[t * ITEMS + i];
        VALUES(tile->from[i] = x->from[t * ITEMS + i];)
    }
}

#endif
