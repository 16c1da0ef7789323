// lsd_in_tile.cl - sorts a small bucket by LSD radix sort in local memory, by the digits
// that vary
//
// It sorts the buckets whose keys are too unevenly distributed for bin_sort.cl, and inputs of one tile with keys of one
// or two bytes (single_tile.cl). Its time depends only on the number of digits that vary; digits that are the same in
// all keys are skipped.
//
// Cost: one read and one write per element, or more for values of more than 8 bytes
// (permute_values.cl); for each key and digit the accesses to local memory of
// common/rank_stable.cl, and a write at a random position.
#ifndef CLSORT_MSD_LSD_IN_TILE_CL
#define CLSORT_MSD_LSD_IN_TILE_CL

#include "msd/buckets.cl"

#include "common/load_tile.cl"
#include "msd/group_or.cl"
#include "msd/permute_values.cl"
#include "msd/varying_digits.cl"

typedef struct {
    local_bucket_t elements; // the bucket's keys while they are reordered, then its values
    ranks_t ranks;           // local memory of rank_tile
    uint words[2];           // local memory of group_or
} lsd_sort_t;

// Moves the elements, in registers, to the order of their ranks.
static inline void reorder(__local local_bucket_t *local_bucket, key_t *key, uint *from,
                           const uint *rank)
{
    UNROLL
    for (uint i = 0; i < ITEMS; i++) {
        local_bucket->sorted.key[RANK_IN(rank[i])] = key[i];
        VALUES(local_bucket->sorted.from[RANK_IN(rank[i])] = (ushort)from[i];)
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLL
    for (uint i = 0; i < ITEMS; i++) {
        key[i] = local_bucket->sorted.key[tile_index(i)];
        VALUES(from[i] = local_bucket->sorted.from[tile_index(i)];)
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

// Reads the keys of a bucket of at most TILE elements. Returns the bits in which they differ.
static inline ulong lsd_load(key_t *key, __global const key_t *keys, const uint count,
                             const key_t flip, const key_t pad, __local uint *words)
{
    load_tile(key, keys, count, pad);
    const key_t some = ordered(keys[0], flip);
    key_t differing = 0;
    UNROLL
    for (uint i = 0; i < ITEMS; i++) {
        differing |= tile_index(i) < count ? ordered(key[i], flip) ^ some : 0;
    }
    return group_or(differing, words);
}

// Sorts a bucket whose keys lsd_load has read.
static inline void lsd_sort_keys(__local lsd_sort_t *lsd, const cls_msd_bucket bucket, key_t *key,
                                 const ulong varying, const bucket_arrays_t arrays,
                                 const key_t flip)
{
    const uint count = bucket.count;
    uint from[ITEMS], rank[ITEMS], total[BINS_PER_ITEM];
    UNROLL
    for (uint i = 0; i < ITEMS; i++) {
        from[i] = tile_index(i);
    }
    for (uint shift = next_varying_digit(varying, 0, bucket.top); shift < bucket.top;
         shift = next_varying_digit(varying, shift + BITS, bucket.top)) {
        const digit_t digit = {flip, shift, digit_mask(shift, bucket.top)};
        find_digits(rank, key, digit);
        rank_tile(&lsd->ranks, count, digit.mask, rank, total);
        reorder(&lsd->elements, key, from, rank);
    }
    UNROLL
    for (uint i = 0; i < ITEMS; i++) {
        if (tile_index(i) < count) {
            arrays.keys_out[tile_index(i)] = key[i];
        }
    }
    VALUES(
        permute_values(&lsd->elements, from, tile_index(0), SUB_GROUP_SIZE, count, arrays, bucket);)
    barrier(CLK_LOCAL_MEM_FENCE);
}

// Reads and sorts a bucket of at most TILE elements.
static inline void lsd_sort(__local lsd_sort_t *lsd, const cls_msd_bucket bucket,
                            const bucket_arrays_t arrays, const key_t flip, const key_t pad)
{
    key_t key[ITEMS];
    const ulong varying = lsd_load(key, arrays.keys, bucket.count, flip, pad, lsd->words);
    lsd_sort_keys(lsd, bucket, key, varying, arrays, flip);
}

#endif
