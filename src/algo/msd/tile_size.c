/* tile_size.c - sizes of the work-groups, tiles and tables of MSD radix sort */
#include "algo/msd/tile_size.h"

#include "algo/common/hybrid_parameters.h"
#include "algo/common/limits.h"
#include "algo/common/rank.h"

/* The fastest sizes on an H200. */
enum { BUCKET_GROUP_SIZE = 256, BUCKET_ITEMS = 19 };

enum {
    /* The minimum capacity of the table of large buckets for large inputs. The tables for these
     * buckets, apart from those that grow with the number of tiles, take less than 24 MiB. */
    MIN_LARGE_BUCKETS = 8192,
    MAX_SMALL_TILES = 120000,
    HISTOGRAM_UNIT_SIZE = 1024, /* work-items per compute unit of msd_histogram in round 0 */
    MAX_BLOCK_TILES = 16,
    MAX_SHARED_TILES = 8, /* maximum tiles of a block that is as large as all groups can share */
    /* A larger sample takes longer; a smaller one needs larger ranges. */
    MAX_SAMPLE_BITS = 21,
    MIN_SAMPLE_BITS = 12,
    /* What the tables of a sort with a sample may take besides a sixteenth of the size of the data. */
    SAMPLED_TABLES_BYTES = 30 << 20
};

/* The maximum sizes for the kernels of a round. */
struct round_size {
    unsigned group_size, items;
    unsigned item_bytes; /* of a work-item's keys in a tile, or of its values */
    unsigned unit_size;  /* work-items that move tiles at once on a compute unit */
};

/* NVIDIA devices get few work-items with many elements each, because all elements of a work-item
 * are loaded at once. In stable sorts of elements of more than 4 bytes, only one group per compute unit
 * moves tiles: groups that run at the same time write to the same cache lines, and fewer of them are
 * faster. Devices with emulated sub-groups get small groups, because PoCL 3.1 miscompiles larger
 * ones. */
static struct round_size max_round_size(const struct cls_caps *caps, const struct cls_spec *spec)
{
    static const struct round_size narrow = {256, 32, 128, 512}, wide = {256, 32, 160, 512},
                                   wide_stable = {256, 40, 160, 256},
                                   emulated = {256, 16, 72, 1024}, other = {512, 16, 72, 1024};
    if (caps->sub_group_backend == CLS_SUB_GROUP_NVIDIA && spec->key_bytes + spec->value_bytes <= 4)
        return narrow;
    if (caps->sub_group_backend == CLS_SUB_GROUP_NVIDIA)
        return spec->stable ? wide_stable : wide;
    return caps->sub_group_backend == CLS_SUB_GROUP_LOCAL ? emulated : other;
}

/* -- local memory ------------------------------------------------------------------------------ */

/* Returns the size of local_bucket_t in permute_values.cl. */
static uint64_t local_bucket_bytes(const struct cls_spec *spec, struct cls_msd_size size)
{
    const uint64_t capacity = cls_msd_tile(size) + size.items;
    const uint64_t keys =
        capacity * (spec->key_bytes + (spec->value_bytes > 0 ? sizeof(cl_ushort) : 0));
    const uint64_t values = spec->value_bytes <= 8 ? capacity * spec->value_bytes : 0;
    return cls_max(keys, values) + 8;
}

/* Returns whether bin_sort_t in bin_sort.cl fits in local memory. */
static bool fits_bin_sort(const struct cls_caps *caps, const struct cls_spec *spec,
                          struct cls_msd_size size, unsigned bin_bits)
{
    const uint64_t bytes = local_bucket_bytes(spec, size) + (sizeof(cl_uint) << bin_bits) +
                           (size.group_size + 16) * sizeof(cl_uint);
    return bytes <= caps->local_bytes;
}

/* Returns whether values are exchanged through local memory: if they need no more of it than keys,
 * or if they leave other_bytes of it free. */
static bool exchanges_values(const struct cls_caps *caps, const struct cls_spec *spec,
                             struct cls_msd_size size, uint64_t other_bytes)
{
    const uint64_t values = (uint64_t)cls_msd_tile(size) * spec->value_bytes;
    return spec->value_bytes <= spec->key_bytes || values + other_bytes <= caps->local_bytes;
}

/* Assumes 8 KiB for the ranks. If these need more, fit_round makes tiles smaller. */
bool cls_msd_round_exchanges_values(const struct cls_caps *caps, const struct cls_spec *spec,
                                    struct cls_msd_size size)
{
    return exchanges_values(caps, spec, size, 8 << 10);
}

/* Returns the local memory that msd_sort_oversized needs in addition to exchange_t. */
static uint64_t oversized_bytes(const struct cls_caps *caps, struct cls_msd_size size)
{
    return cls_rank_bytes(caps, size.group_size, CLS_MSD_BITS) +
           ((2 << CLS_MSD_BITS) + size.group_size + 16) * sizeof(cl_uint);
}

bool cls_msd_fallback_exchanges_values(const struct cls_caps *caps, const struct cls_spec *spec,
                                       struct cls_msd_size size)
{
    return exchanges_values(caps, spec, size, oversized_bytes(caps, size));
}

/* Returns the size of exchange_t in exchange.cl. */
static uint64_t exchange_bytes(const struct cls_spec *spec, struct cls_msd_size size,
                               bool with_values)
{
    const uint64_t keys = (uint64_t)cls_msd_tile(size) * spec->key_bytes;
    const uint64_t values = (uint64_t)cls_msd_tile(size) * spec->value_bytes;
    return with_values ? cls_max(keys, values) : keys;
}

/* Returns whether the kernel of fallback.cl, and in sort_buckets.cl the passes of LSD, fit in local memory. */
static bool fits_fallback(const struct cls_caps *caps, const struct cls_spec *spec,
                          struct cls_msd_size size)
{
    const uint64_t ranks = cls_rank_bytes(caps, size.group_size, CLS_MSD_BITS);
    const uint64_t skewed = local_bucket_bytes(spec, size) + ranks + 32;
    const bool with_values = cls_msd_fallback_exchanges_values(caps, spec, size);
    const uint64_t oversized =
        exchange_bytes(spec, size, with_values) + oversized_bytes(caps, size);
    return skewed <= caps->local_bytes && oversized <= caps->local_bytes;
}

/* Returns whether the kernels of round.cl fit in local memory. */
static bool fits_round(const struct cls_caps *caps, const struct cls_spec *spec,
                       struct cls_msd_size size)
{
    const uint64_t radix = 1 << CLS_MSD_BITS, group = size.group_size, word = sizeof(cl_uint);
    const uint64_t ranks = spec->stable ? cls_rank_bytes(caps, size.group_size, CLS_MSD_BITS)
                                        : ((radix + 1) * CLS_RANK_COPIES + group) * word;
    const bool with_values = cls_msd_round_exchanges_values(caps, spec, size);
    /* The variant `msd` has no splitters, but the same sizes. */
    const uint64_t splitters =
        spec->key_bytes == CLS_HYBRID_SPLIT_BYTES ? radix * spec->key_bytes : 0;
    /* In msd_sampled_round */
    const uint64_t ranges = spec->stable || spec->value_bytes > 0 ? 0 : radix + 4;
    const uint64_t partition =
        exchange_bytes(spec, size, with_values) + ranks + splitters + (radix + ranges + 16) * word;
    const uint64_t columns = cls_max(radix, 4 * group); /* part[] in plan.cl */
    const uint64_t plan =
        (5 * radix + columns + 16) * word + 2 * group * sizeof(cl_ulong) + splitters;
    return partition <= caps->local_bytes && plan <= caps->local_bytes;
}

/* -- sizes ------------------------------------------------------------------------------------- */

/* Returns the option BIN_BITS: one bin for 2 keys, or for 4 keys if local memory is scarce, and at
 * least one bin per work-item. Returns -1 if neither fits. */
static int fit_bins(const struct cls_caps *caps, const struct cls_spec *spec,
                    struct cls_msd_size size)
{
    const unsigned bits = cls_floor_log2(cls_msd_tile(size)),
                   min_bits = cls_floor_log2(size.group_size);
    for (unsigned less = 1; less <= 2; less++) {
        const unsigned bin_bits = bits > min_bits + less ? bits - less : min_bits;
        if (fits_bin_sort(caps, spec, size, bin_bits))
            return (int)bin_bits;
    }
    return -1;
}

/* Chooses the sizes for small buckets and for the fallback. Returns false if the device has too
 * little local memory. */
static bool fit_buckets(const struct cls_caps *caps, const struct cls_spec *spec,
                        struct cls_tuning *tuning)
{
    struct cls_msd_size size = {BUCKET_GROUP_SIZE, BUCKET_ITEMS};
    while (size.group_size > tuning->group_size)
        size.group_size /= 2;
    while (size.items > 3 && fit_bins(caps, spec, size) < 0)
        size.items -= 2;
    while (size.group_size > 1 && fit_bins(caps, spec, size) < 0)
        size.group_size /= 2;
    tuning->msd.bucket_group_size = size.group_size;
    tuning->msd.bucket_items = size.items;
    const int bin_bits = fit_bins(caps, spec, size);
    if (bin_bits < 0)
        return false;
    tuning->msd.bin_bits = (unsigned)bin_bits;
    while (!fits_fallback(caps, spec, size) && size.group_size > 1)
        size.group_size /= 2;
    tuning->msd.fallback_group_size = size.group_size;
    return fits_fallback(caps, spec, size);
}

/* Chooses the sizes of rounds. Returns false if the device has too little local memory. */
static bool fit_round(const struct cls_caps *caps, const struct cls_spec *spec,
                      struct cls_tuning *tuning)
{
    const size_t widest = spec->key_bytes > spec->value_bytes ? spec->key_bytes : spec->value_bytes;
    const struct round_size max = max_round_size(caps, spec);
    const unsigned items = (unsigned)(max.item_bytes / widest);
    struct cls_msd_size size = {cls_fit_group_size(caps, max.group_size),
                                items < max.items ? items : max.items};
    while (!fits_round(caps, spec, size) && size.group_size > 1) {
        if (size.items > 4)
            size.items /= 2;
        else
            size.group_size /= 2;
    }
    *tuning = (struct cls_tuning){.group_size = size.group_size,
                                  .msd.items = size.items,
                                  .msd.units = caps->units,
                                  .msd.unit_size = max.unit_size};
    return fits_round(caps, spec, size);
}

/* -- tables ------------------------------------------------------------------------------------ */

/* msd_rounds has one block per work-group: the plan of a stable sort reads and writes a row for each block, and more
 * blocks would not balance the load better. */
unsigned cls_msd_max_first_blocks(const struct cls_tuning *tuning)
{
    return (unsigned)cls_msd_groups(
        tuning, tuning->msd.launches_rounds_together ? tuning->msd.unit_size : HISTOGRAM_UNIT_SIZE);
}

/* A work-group loads the next tile of a block while it counts the present one. msd_rounds has fewer groups, so
 * that larger blocks suffice for all of them. Where few buckets are large, small blocks divide them better. */
unsigned cls_msd_block_tiles(const struct cls_tuning *tuning, uint64_t count)
{
    const uint64_t tiles = cls_divide_up(count, cls_msd_round_tile(tuning));
    const uint64_t histogram_groups =
        (uint64_t)tuning->msd.units * CLS_MSD_HISTOGRAM_GROUPS_PER_UNIT;
    uint64_t block_tiles = tiles / histogram_groups + 1;
    if (tuning->msd.launches_rounds_together) {
        const uint64_t groups = cls_msd_groups(tuning, tuning->msd.unit_size);
        block_tiles = cls_max(block_tiles, cls_min(cls_divide_up(tiles, groups), MAX_SHARED_TILES));
    }
    return (unsigned)cls_min(block_tiles, MAX_BLOCK_TILES);
}

/* The maximum number of rows for `count` tiles is count / tiles, or max if that is more. */
struct row_bound {
    uint64_t tiles, max;
};

/* Blocks have fewer than `tiles` tiles only if there are at most `max` of them (cls_msd_block_tiles). */
static struct row_bound row_bound(const struct cls_tuning *tuning, const struct cls_spec *spec)
{
    if (spec->stable)
        return (struct row_bound){.tiles = 1};
    if (tuning->msd.launches_rounds_together)
        return (struct row_bound){.tiles = MAX_SHARED_TILES,
                                  .max = cls_msd_max_first_blocks(tuning)};
    return (struct row_bound){
        .tiles = MAX_BLOCK_TILES,
        .max = cls_max(cls_msd_max_first_blocks(tuning),
                       (uint64_t)tuning->msd.units * CLS_MSD_HISTOGRAM_GROUPS_PER_UNIT)};
}

uint64_t cls_msd_max_rows(const struct cls_tuning *tuning, const struct cls_spec *spec,
                          uint64_t tiles)
{
    const struct row_bound bound = row_bound(tuning, spec);
    return cls_min(tiles, cls_max(bound.max, tiles / bound.tiles));
}

bool cls_msd_may_sample(const struct cls_tuning *tuning, const struct cls_spec *spec)
{
    return tuning->msd.launches_rounds_together && tuning->msd.max_tiny_segment == 0 &&
           !spec->stable && spec->value_bytes == 0 && spec->key_bytes >= 4;
}

unsigned cls_msd_sample_bits(const struct cls_tuning *tuning, const struct cls_spec *spec,
                             uint64_t count)
{
    const unsigned bits = tuning->msd.max_sample_bits;
    const bool samples = cls_msd_may_sample(tuning, spec) && bits >= MIN_SAMPLE_BITS &&
                         cls_msd_takes_sample(count, spec->key_bytes, bits);
    return samples ? bits : 0;
}

/* The bytes that a tile takes in the lists of blocks and tiles. */
enum { TILE_LISTS_BYTES = 2 * sizeof(cls_msd_part) };

/* All tables together, and the slack of a sample, may take a sixteenth of the size of the data. The tables of tiles
 * and of buckets come first. What they leave is used for more large buckets. A large bucket needs a partly filled
 * tile, a row, entries in the tables of two rounds, and entries in the table of buckets. */
uint64_t cls_msd_max_large_buckets(const struct cls_tuning *tuning, const struct cls_spec *spec,
                                   uint64_t count)
{
    if (tuning->msd.max_large_buckets > 0)
        return tuning->msd.max_large_buckets;
    const uint64_t tile = cls_msd_round_tile(tuning), small_tile = cls_msd_small_tile(tuning);
    const uint64_t tiles = count / tile;
    const struct row_bound rows = row_bound(tuning, spec);
    const uint64_t tile_tables =
        CLS_MSD_ROW_BYTES / rows.tiles + TILE_LISTS_BYTES +
        cls_divide_up(CLS_MSD_BUCKETS_PER_TILE * CLS_MSD_BUCKET_BYTES * tile, small_tile - 1);
    const uint64_t large_bucket =
        CLS_MSD_ROW_BYTES + TILE_LISTS_BYTES + 2 * sizeof(cls_msd_large_bucket) +
        CLS_MSD_BUCKETS_PER_LARGE * CLS_MSD_BUCKET_BYTES * spec->key_bytes;
    const unsigned sample_bits = cls_msd_sample_bits(tuning, spec, count);
    const uint64_t slack = sample_bits > 0 ? cls_msd_slack(tiles * tile, sample_bits) : 0;
    const uint64_t taken =
        rows.max * CLS_MSD_ROW_BYTES + tiles * tile_tables + slack * spec->key_bytes;
    const uint64_t given = tiles * (tile * (spec->key_bytes + spec->value_bytes) / 16);
    const uint64_t all = given + (sample_bits > 0 ? SAMPLED_TABLES_BYTES : 0);
    const uint64_t more = (all > taken ? all - taken : 0) / large_bucket;
    const uint64_t max = sample_bits > 0 ? more : MIN_LARGE_BUCKETS + more;
    return cls_min(count / small_tile + 1, max);
}

/* -- the maximum count ------------------------------------------------------------------------- */

/* Returns the maximum count for which the tables of tiles take at most a sixteenth of the size of
 * the data plus 4 MiB. Only small groups have such a limit. */
static uint64_t table_limited_count(const struct cls_spec *spec, const struct cls_tuning *tuning)
{
    const uint64_t fixed_bytes = 4 << 20, tile = cls_msd_round_tile(tuning);
    const uint64_t data = tile * (spec->key_bytes + spec->value_bytes) / 16;
    const uint64_t tables = CLS_MSD_ROW_BYTES + TILE_LISTS_BYTES;
    return tables <= data ? UINT64_MAX : fixed_bytes / (tables - data) * tile;
}

/* Returns the maximum iterations of a work-item per tile. `more` is added to those per element. */
static uint64_t tile_iterations(const struct cls_caps *caps, const struct cls_spec *spec,
                                struct cls_msd_size size, unsigned more)
{
    const uint64_t lane_iterations = (4u << CLS_MSD_BITS) / cls_sub_group_in(caps, size.group_size);
    const uint64_t units =
        spec->value_bytes > 0 ? spec->value_bytes / cls_alignment(spec->value_bytes) : 1;
    return 192 + (23 + units + more) * size.items + lane_iterations +
           (8u << CLS_MSD_BITS) / size.group_size;
}

/* Returns the maximum count for which no work-item exceeds max_iterations if each group sorts its
 * share of the small buckets, with CLS_MSD_MAX_SWEEPS sweeps, and all passes of LSD in the same kernel. */
static uint64_t bucket_limited_count(const struct cls_caps *caps, const struct cls_spec *spec,
                                     const struct cls_tuning *tuning)
{
    const struct cls_msd_size size = {tuning->msd.bucket_group_size, tuning->msd.bucket_items};
    const uint64_t lsd_iterations =
        cls_msd_sorts_skewed(tuning) ? spec->key_bytes * tile_iterations(caps, spec, size, 0) : 0;
    const uint64_t bucket_iterations = CLS_MSD_MAX_SWEEPS * 28 * size.items + lsd_iterations;
    const uint64_t groups = cls_msd_bucket_groups(tuning);
    return caps->max_iterations == UINT64_MAX
               ? UINT64_MAX
               : groups * (caps->max_iterations / bucket_iterations) * cls_msd_tile(size) /
                     CLS_MSD_BUCKETS_PER_TILE;
}

/* Returns the maximum count for which no work-item exceeds max_iterations if one group processes
 * all tiles `times` times. `more`: as for tile_iterations. */
static uint64_t loop_limited_count(const struct cls_caps *caps, const struct cls_spec *spec,
                                   struct cls_msd_size size, unsigned times, unsigned more)
{
    return caps->max_iterations == UINT64_MAX
               ? UINT64_MAX
               : caps->max_iterations / (tile_iterations(caps, spec, size, more) * times) *
                     cls_msd_tile(size);
}

static uint64_t max_count(const struct cls_caps *caps, const struct cls_spec *spec,
                          const struct cls_tuning *tuning)
{
    const struct cls_msd_size round = {tuning->group_size, tuning->msd.items};
    const struct cls_msd_size fallback = {tuning->msd.fallback_group_size,
                                          tuning->msd.bucket_items};
    /* msd_sort_oversized processes a bucket once for each digit. */
    if (loop_limited_count(caps, spec, fallback, spec->key_bytes, 0) < cls_msd_small_tile(tuning))
        return 0;
    uint64_t count = cls_min((uint64_t)cls_msd_small_tile(tuning) * MAX_SMALL_TILES,
                             cls_max_countable(caps, spec));
    count = cls_min(count, table_limited_count(spec, tuning));
    count = cls_min(count, bucket_limited_count(caps, spec, tuning));
    count = cls_min(count, loop_limited_count(caps, spec, round, 1, 0));
    return cls_min(count, loop_limited_count(caps, spec, fallback, 1, 0));
}

uint64_t cls_msd_max_split_count(const struct cls_caps *caps, const struct cls_spec *spec,
                                 const struct cls_tuning *tuning)
{
    /* A key is searched for the histogram, for its rank and for its write. */
    const unsigned searches = 3 * (CLS_MSD_BITS + 1);
    const struct cls_msd_size round = {tuning->group_size, tuning->msd.items};
    return cls_min(tuning->max_count, loop_limited_count(caps, spec, round, 1, searches));
}

bool cls_msd_supports(const struct cls_caps *caps, const struct cls_spec *spec,
                      const struct cls_parameters *parameters, struct cls_tuning *tuning,
                      const char **why)
{
    if (parameters->value[CLS_HYBRID_PATH] > CLS_HYBRID_MSD) {
        *why = parameters->value[CLS_HYBRID_PATH] == CLS_HYBRID_SPLITTERS &&
                       spec->key_bytes != CLS_HYBRID_SPLIT_BYTES
                   ? CLS_HYBRID_NO_SPLITTERS
                   : "the device supports the path msd only";
        return false;
    }
    if (caps->miscompiles_barriers) {
        *why = "this driver miscompiles the kernels of the algorithm";
        return false;
    }
    if (cls_equal_keys_may_differ(spec)) {
        *why = "keys must be compared in all bits, and those that compare equal must be identical";
        return false;
    }
    if (spec->index_bits != 32) {
        *why = "the algorithm does not support counts of 64 bits";
        return false;
    }
    if (parameters->value[CLS_HYBRID_ITEMS] > 0) {
        *why = "the parameter items is for the path lsd, which is not available for this sort";
        return false;
    }
    if (!fit_round(caps, spec, tuning) || !fit_buckets(caps, spec, tuning)) {
        *why = "the device has too little local memory";
        return false;
    }
    tuning->msd.launches_rounds_together = cls_started_groups_progress(caps, tuning->group_size);
    tuning->msd.max_sample_bits = (unsigned)cls_min(MAX_SAMPLE_BITS, caps->max_sample_bits);
    tuning->msd.has_limited_loops = caps->max_iterations < UINT64_MAX;
    tuning->max_count = max_count(caps, spec, tuning);
    if (tuning->max_count == 0)
        *why = "this driver allows too few loop iterations per launch";
    return tuning->max_count > 0;
}
