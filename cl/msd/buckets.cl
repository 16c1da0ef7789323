// buckets.cl - small functions on the entries of the tables that layout.h describes
#ifndef CLSORT_MSD_BUCKETS_CL
#define CLSORT_MSD_BUCKETS_CL

#include "common/arrays.cl"
#include "msd/layout.h"

#ifndef SAMPLES
#define SAMPLES 0
#endif
#ifndef BITS
#define BITS CLS_MSD_BITS // the option of common/rank.cl
#endif

// The array to which a partition moves elements: never the input, and scratch first.
static inline uint array_after(const uint array)
{
    return array == SCRATCH_ARRAY ? OUTPUT_ARRAY : SCRATCH_ARRAY;
}

// A round's half of the table of large buckets; the other half is for the next round.
#define LARGE_BUCKETS_OF(round)                                                                    \
    (AT(cls_msd_large_bucket, large_buckets) + (round) % 2 * args.max_large_buckets)

static inline uint block_tiles_of(__global const cls_msd_control *control, const cls_msd_args args,
                                  const uint round)
{
#if COUNT_BYTES > 0
    return round > 0 ? args.block_tiles : control->first_block_tiles;
#else
    return round > 0 ? args.block_tiles : args.first_block_tiles;
#endif
}

// The tiles that share a row of the histograms.
#define ROW_TILES(block_tiles) (RANK_STABLE ? 1 : (block_tiles))

// Whether the blocks of a round add their counts to children[] (layout.h). If msd_sampled_round has failed, it has
// left its counts there, so that the blocks write rows instead.
#define ADDS_UP_BLOCKS(control, round) (!RANK_STABLE && (round) == 0 && !(control)->exceeds_range)

// Whether msd_sampled_round has moved the elements.
#define HAS_MOVED_BY_SAMPLE(control, round)                                                        \
    (SAMPLES && (round) == 0 && (control)->sample_bits > 0 && !(control)->exceeds_range)

// Whether all keys of the bucket are known to be equal.
static inline bool has_equal_keys(const cls_msd_bucket bucket)
{
    return bucket.shift == 0 && bucket.digits == 1;
}

// Whether the sorted keys belong in this array.
static inline bool is_output(const uint array, const uint in_place)
{
    return array == OUTPUT_ARRAY || (array == INPUT_ARRAY && in_place);
}

// The same for values: those that are indexes are in no array before the first round.
static inline bool is_values_output(const uint array, const uint in_place)
{
    return VALUE_INDEX ? array == OUTPUT_ARRAY : is_output(array, in_place);
}

// The exponent of the smallest power of two that is at least x, or 0 for x = 0.
static inline uint ceil_log2(const uint x)
{
    return x > 1 ? 32u - (uint)clz(x - 1) : 0; // some drivers return a wrong clz(0)
}

// The number of tiles, or blocks of tiles, of a large bucket; tiles have `tile` elements.
static inline uint tiles_of(const uint count, const uint tile)
{
    return (count - 1) / tile + 1;
}

static inline uint blocks_of(const uint count, const uint tile, const uint block_tiles)
{
    return (tiles_of(count, tile) - 1) / block_tiles + 1;
}

// The width of a large bucket's digit: enough bits for children of `target` elements on average, and so
// many that this round and later ones, together `rounds`, reach the lowest of the `width` remaining bits;
// at most BITS.
static inline uint digit_bits(const uint count, const uint width, const uint rounds,
                              const uint target)
{
    const uint min_bits = (uint)max((int)width - (int)((rounds - 1) * BITS), 0);
    const uint wanted = ceil_log2((count + target - 1) / target);
    return min(min(max(wanted, min_bits), (uint)BITS), width);
}

#endif
