/* tile_size.h - sizes of the work-groups, tiles and tables of MSD radix sort */
#ifndef CLSORT_ALGO_MSD_TILE_SIZE_H
#define CLSORT_ALGO_MSD_TILE_SIZE_H

#include "algo/algo.h"
#include "cl/msd/layout.h"

/* Work-items of a work-group, and elements per work-item of its tile. */
struct cls_msd_size {
    unsigned group_size, items;
};

static inline unsigned cls_msd_tile(struct cls_msd_size size)
{
    return size.group_size * size.items;
}

/* Returns the number of elements in a tile of a round. */
static inline unsigned cls_msd_round_tile(const struct cls_tuning *tuning)
{
    return tuning->group_size * tuning->msd.items;
}

/* Returns the maximum number of elements in a small bucket: SMALL_TILE in round.cl, TILE in
 * sort_buckets.cl. */
static inline unsigned cls_msd_small_tile(const struct cls_tuning *tuning)
{
    return tuning->msd.bucket_group_size * tuning->msd.bucket_items;
}

/* Returns whether local memory holds the counters of LSD passes next to a small bucket (SORTS_SKEWED). */
static inline bool cls_msd_sorts_skewed(const struct cls_tuning *tuning)
{
    return tuning->msd.fallback_group_size == tuning->msd.bucket_group_size;
}

/* Maximum numbers per compute unit: of groups that count tiles, and of work-items that sort buckets. If the driver
 * limits loops, there are more of the latter, since the input may then have more buckets. */
enum {
    CLS_MSD_HISTOGRAM_GROUPS_PER_UNIT = 16,
    CLS_MSD_BUCKET_UNIT_SIZE = 2048,
    CLS_MSD_LIMITED_UNIT_SIZE = 4096
};

/* The sizes of table entries: a row of the table of histograms; a bucket with its entry in the
 * table of deferred buckets. */
#define CLS_MSD_ROW_BYTES (sizeof(cls_u32) << CLS_MSD_BITS)
#define CLS_MSD_BUCKET_BYTES (sizeof(cls_msd_bucket) + sizeof(cls_u32))

/* The number of buckets is bounded by CLS_MSD_BUCKETS_PER_TILE per tile of elements, plus
 * CLS_MSD_BUCKETS_PER_LARGE per large bucket and digit. Consider small children that follow each
 * other without a large one between them. If they have g elements in total, they are combined into
 * fewer than 4 g / (tile - 1) + 2 small buckets. Buckets of equal keys are cut into tiles. */
enum { CLS_MSD_BUCKETS_PER_TILE = 4, CLS_MSD_BUCKETS_PER_LARGE = 3 };

/* Returns the number of groups of a round that fill each compute unit with unit_size work-items. */
static inline uint64_t cls_msd_groups(const struct cls_tuning *tuning, unsigned unit_size)
{
    return (uint64_t)tuning->msd.units * (unit_size / tuning->group_size);
}

/* Returns the maximum number of groups that sort buckets. On an H200, these are at least as many as run at once. More
 * groups would start only after others have ended, and it takes time to start a group even if it has no work. */
static inline uint64_t cls_msd_bucket_groups(const struct cls_tuning *tuning)
{
    const uint64_t unit_size =
        tuning->msd.has_limited_loops ? CLS_MSD_LIMITED_UNIT_SIZE : CLS_MSD_BUCKET_UNIT_SIZE;
    return tuning->msd.units * unit_size / tuning->msd.bucket_group_size;
}

/* Returns the maximum number of blocks of round 0. */
unsigned cls_msd_max_first_blocks(const struct cls_tuning *tuning);

/* Returns the tiles per block of later rounds. */
unsigned cls_msd_block_tiles(const struct cls_tuning *tuning, uint64_t count);

/* Returns the maximum number of rows of the histograms that a round needs for that many tiles, in addition to one per
 * large bucket. It does not decrease with the number of tiles. */
uint64_t cls_msd_max_rows(const struct cls_tuning *tuning, const struct cls_spec *spec,
                          uint64_t tiles);

/* Returns whether round 0 of large sorts may divide scratch by a sample (cl/msd/sampled_round.cl). */
bool cls_msd_may_sample(const struct cls_tuning *tuning, const struct cls_spec *spec);

/* Returns log2 of the size of the sample for a sort of count elements, or 0 if it takes none. */
unsigned cls_msd_sample_bits(const struct cls_tuning *tuning, const struct cls_spec *spec,
                             uint64_t count);

/* Returns the capacity of the table of large buckets, for one round of a sort of count elements. */
uint64_t cls_msd_max_large_buckets(const struct cls_tuning *tuning, const struct cls_spec *spec,
                                   uint64_t count);

/* Return the option VALUES_EXCHANGED of round.cl and of fallback.cl, for groups of this size. */
bool cls_msd_round_exchanges_values(const struct cls_caps *caps, const struct cls_spec *spec,
                                    struct cls_msd_size size);
bool cls_msd_fallback_exchanges_values(const struct cls_caps *caps, const struct cls_spec *spec,
                                       struct cls_msd_size size);

/* Returns the maximum count of a sort that may divide by splitters. */
uint64_t cls_msd_max_split_count(const struct cls_caps *caps, const struct cls_spec *spec,
                                 const struct cls_tuning *tuning);

/* cls_algo.supports of cls_algo_msd. */
bool cls_msd_supports(const struct cls_caps *caps, const struct cls_spec *spec,
                      const struct cls_parameters *parameters, struct cls_tuning *tuning,
                      const char **why);

#endif
