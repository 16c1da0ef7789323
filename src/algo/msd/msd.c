/* msd.c - MSD radix sort by work-groups, whose buckets are sorted in local memory ("hybrid";
 * cl/msd/round.cl) */
#include "algo/msd/msd.h"
#include "algo/common/arguments.h"
#include "algo/common/hybrid_parameters.h"
#include "algo/common/limits.h"
#include "algo/common/programs.h"
#include "algo/msd/tile_size.h"
#include "device/sub_group.h"

/* The fastest sizes on an H200. */
enum {
    MAX_REGISTERS = 248, /* per work-item */
    BUCKET_REGISTERS = 48,
    WIDE_BUCKET_REGISTERS = 64,   /* for elements of more than 4 bytes */
    UNIT_REGISTERS = 1 << 16,     /* that the work-items of a compute unit share */
    FALLBACK_GROUPS_PER_UNIT = 4, /* more are not resident; those without work take time, too */
    MAX_PLAN_GROUPS = 256,
    /* Elements per work-item in the tile of a short input, for keys of at most 4 and of 8 bytes. They are odd (ITEMS
     * in cl/msd/layout.h). */
    SHORT_ITEMS = 13,
    SHORT_ITEMS_8_BYTES = 9
};

/* The kernels of the programs, in their order. The first program has all steps of a round in one
 * kernel (rounds.cl), or in several ones (round.cl). */
enum { PREPARE, ROUNDS, ROUNDS_KERNELS, SAMPLED_ROUND = ROUNDS_KERNELS, SAMPLED_ROUNDS_KERNELS };
enum { HISTOGRAM = 1, PLAN_BUCKETS, PARTITION, ROUND_KERNELS };
enum { SORT_BUCKETS, SORT_OVERSIZED, SORT_SINGLE_TILE, SORT_SHORT_TILE, SORT_KERNELS };

static const char *const ROUNDS_NAMES[] = {"msd_prepare", "msd_rounds", NULL};
static const char *const SAMPLED_ROUNDS_NAMES[] = {"msd_prepare", "msd_rounds", "msd_sampled_round",
                                                   NULL};
static const char *const ROUND_NAMES[] = {"msd_prepare", "msd_histogram", "msd_plan_buckets",
                                          "msd_partition", NULL};
static const char *const SORT_BUCKETS_NAMES[] = {"msd_sort_buckets", NULL};
static const char *const FALLBACK_NAMES[] = {"msd_sort_oversized", NULL};
static const char *const SINGLE_TILE_NAMES[] = {"msd_sort_single_tile", NULL};

_Static_assert((int)CLS_MSD_REGIONS <= (int)CLS_MAX_REGIONS, "too many regions");
_Static_assert((int)ROUND_KERNELS + (int)SORT_KERNELS <= (int)CLS_MAX_KERNELS, "too many kernels");

/* -- schedule ---------------------------------------------------------------------------------- */

/* Returns whether the sort is one of a whole input, and an input of one tile can be sorted in one launch. */
static bool has_single_tile(const struct cls_tuning *tuning)
{
    return cls_msd_sorts_skewed(tuning) && tuning->msd.max_tiny_segment == 0;
}

/* Returns the elements per work-item in the tile of a short input. */
static unsigned short_items(const struct cls_tuning *tuning, const struct cls_spec *spec)
{
    const unsigned items = spec->key_bytes > 4 ? SHORT_ITEMS_8_BYTES : SHORT_ITEMS;
    return tuning->msd.bucket_items < items ? tuning->msd.bucket_items : items;
}

static bool is_single_tile(const struct cls_tuning *tuning, uint64_t count)
{
    return has_single_tile(tuning) && count <= cls_msd_small_tile(tuning);
}

/* Returns whether the input is so short that it has a tile of short_items. */
static bool is_short_tile(const struct cls_tuning *tuning, const struct cls_spec *spec,
                          uint64_t count)
{
    return is_single_tile(tuning, count) &&
           count <= tuning->msd.bucket_group_size * short_items(tuning, spec);
}

/* Returns the number of bits by which uniformly distributed keys must be partitioned, in all rounds
 * together. If the mean bucket after two rounds is nearly as large as a tile, a third round is
 * omitted: the buckets that exceed a tile, 3 in 100000 for a mean of 4352 keys, cost less. */
static unsigned partition_bits(const struct cls_tuning *tuning, const struct cls_spec *spec,
                               uint64_t count)
{
    const unsigned tile = cls_msd_small_tile(tuning), two_rounds = 2 * CLS_MSD_BITS;
    const unsigned width = spec->end_bit - spec->begin_bit;
    unsigned bits = cls_ceil_log2(cls_divide_up(count, CLS_MSD_TARGET_COUNT(tile)));
    bits = bits > 0 ? bits : 1;
    if (bits > two_rounds && count <= (uint64_t)(tile - tile / 20) << two_rounds)
        bits = two_rounds;
    return bits < width ? bits : width;
}

static unsigned rounds_for(unsigned bits)
{
    return (unsigned)cls_divide_up(bits, CLS_MSD_BITS);
}

/* Returns the number of rounds that uniformly distributed keys need. */
static unsigned uniform_rounds(const struct cls_tuning *tuning, const struct cls_spec *spec,
                               uint64_t count)
{
    return is_single_tile(tuning, count) ? 0 : rounds_for(partition_bits(tuning, spec, count));
}

/* Returns the number of bits of the first digit, unless hybrid_choose widens it to the maximum: an equal share of the
 * bits of all rounds. If there are more than two rounds, the first two make at most as many buckets as the table of
 * large buckets has entries, which is at least 8192. */
static unsigned first_bits(const struct cls_tuning *tuning, const struct cls_spec *spec,
                           uint64_t max_large_buckets, uint64_t count)
{
    const unsigned bits = partition_bits(tuning, spec, count), rounds = rounds_for(bits);
    const unsigned max_bits =
        rounds > 2 ? cls_floor_log2(max_large_buckets) - CLS_MSD_BITS : CLS_MSD_BITS;
    const unsigned share = (unsigned)cls_divide_up(bits, rounds);
    return share < max_bits ? share : max_bits;
}

static struct cls_msd_schedule divide(const struct cls_tuning *tuning, const struct cls_spec *spec,
                                      uint64_t count)
{
    const unsigned width = spec->end_bit - spec->begin_bit;
    const uint64_t large_buckets = cls_msd_max_large_buckets(tuning, spec, count);
    const uint64_t tiles = cls_divide_up(count, cls_msd_round_tile(tuning));
    struct cls_msd_schedule s = {.is_single_tile = is_single_tile(tuning, count)};
    s.first_bits = tuning->msd.first_bits > 0 ? tuning->msd.first_bits
                                              : first_bits(tuning, spec, large_buckets, count);
    s.first_round = tuning->msd.max_tiny_segment > 0;
    /* The keys of a child by splitters may differ in all bits. */
    const bool is_by_bits = s.first_round == 0 && !tuning->msd.may_split;
    s.rounds = 1 + rounds_for(is_by_bits ? width - s.first_bits : width);
    s.uniform_rounds = uniform_rounds(tuning, spec, count);
    s.uniform_bits = partition_bits(tuning, spec, count);
    s.first_tile = (unsigned)cls_msd_round_tile(tuning);
    s.max_first_blocks = cls_msd_max_first_blocks(tuning);
    s.block_tiles = cls_msd_block_tiles(tuning, count);
    s.row_tiles = spec->stable ? 1 : s.block_tiles;
    s.max_large_buckets = large_buckets;
    /* The children of round 0 must be large buckets of round 1. */
    if (s.rounds > 1 && large_buckets >= 1 << CLS_MSD_BITS)
        s.sample_bits = cls_msd_sample_bits(tuning, spec, count);
    s.max_tiles = tiles + large_buckets;
    s.max_blocks = tiles / s.block_tiles + large_buckets;
    s.max_rows = cls_msd_max_rows(tuning, spec, tiles) + large_buckets;
    s.max_buckets =
        cls_divide_up(CLS_MSD_BUCKETS_PER_TILE * count, cls_msd_small_tile(tuning) - 1) +
        CLS_MSD_BUCKETS_PER_LARGE * (width / CLS_MSD_BITS) * large_buckets + 16;
    if (tuning->msd.may_split)
        s.max_buckets += 1 << CLS_MSD_BITS; /* children by splitters are not combined */
    if (s.first_round > 0)
        s.max_buckets += count / tuning->msd.max_tiny_segment;
    return s;
}

static void schedule(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_schedule *schedule)
{
    const struct cls_msd_schedule s = divide(tuning, spec, count);
    uint64_t *bytes = schedule->region_bytes;
    schedule->msd = s;
    schedule->regions = CLS_MSD_REGIONS;
    bytes[CLS_CONTROL] = sizeof(cls_msd_control);
    const uint64_t slack = s.sample_bits > 0 ? cls_msd_slack(count, s.sample_bits) : 0;
    bytes[CLS_KEYS] = (count + slack) * spec->key_bytes;
    bytes[CLS_VALUES] = count * spec->value_bytes;
    bytes[CLS_MSD_LARGE_BUCKETS] = 2 * s.max_large_buckets * sizeof(cls_msd_large_bucket);
    bytes[CLS_MSD_BLOCKS] = s.max_tiles * sizeof(cls_msd_part);
    bytes[CLS_MSD_TILES] = s.max_tiles * sizeof(cls_msd_part);
    bytes[CLS_MSD_HISTOGRAMS] = s.max_rows * CLS_MSD_ROW_BYTES;
    bytes[CLS_MSD_BUCKETS] = s.max_buckets * sizeof(cls_msd_bucket);
    bytes[CLS_MSD_DEFERRED] = s.max_buckets * sizeof(cls_u32);
}

/* -- programs ---------------------------------------------------------------------------------- */

/* Returns the group size that a compiled kernel with limited registers must support. Such a kernel
 * does not declare its group size. NVIDIA's driver then reports a limit of 256, but runs the kernel
 * in groups of any size, so that the limit is not checked there. */
static unsigned checked_size(const struct cls_caps *caps, struct cls_msd_size size)
{
    return caps->sub_group_backend == CLS_SUB_GROUP_NVIDIA ? 1 : size.group_size;
}

/* Adds the options that all programs have. registers: the limit per work-item; 0: no limit. */
static void add_options(const struct cls_caps *caps, struct cls_msd_size size, unsigned registers,
                        struct cls_text *options)
{
    cls_sub_group_options(caps, options);
    cls_text_add(options, " -DGROUP_SIZE=%u -DITEMS=%u", size.group_size, size.items);
    if (caps->sub_group_backend == CLS_SUB_GROUP_NVIDIA && registers > 0)
        cls_text_add(options, " -DREGISTERS=%u -cl-nv-maxrregcount=%u", registers, registers);
}

static void add_round_program(const struct cls_caps *caps, const struct cls_tuning *tuning,
                              const struct cls_spec *spec, struct cls_program_spec *program)
{
    const struct cls_msd_size size = {tuning->group_size, tuning->msd.items};
    const unsigned registers = UNIT_REGISTERS / tuning->msd.unit_size;
    const bool together = tuning->msd.launches_rounds_together;
    const bool samples = cls_msd_may_sample(tuning, spec);
    cls_program_begin(program, together ? "msd/rounds.cl" : "msd/round.cl",
                      samples    ? SAMPLED_ROUNDS_NAMES
                      : together ? ROUNDS_NAMES
                                 : ROUND_NAMES,
                      checked_size(caps, size), spec);
    add_options(caps, size, registers < MAX_REGISTERS ? registers : MAX_REGISTERS,
                &program->options);
    cls_text_add(&program->options, " -DSMALL_TILE=%u -DRANK_STABLE=%d -DVALUES_EXCHANGED=%d",
                 cls_msd_small_tile(tuning), spec->stable,
                 cls_msd_round_exchanges_values(caps, spec, size));
    if (tuning->msd.may_split)
        cls_text_add(&program->options, " -DSPLITS=1");
    if (samples)
        cls_text_add(&program->options, " -DSAMPLES=1");
}

static void add_sort_buckets_program(const struct cls_caps *caps, const struct cls_tuning *tuning,
                                     const struct cls_spec *spec, struct cls_program_spec *program)
{
    const struct cls_msd_size size = {tuning->msd.bucket_group_size, tuning->msd.bucket_items};
    const bool is_wide = spec->key_bytes + spec->value_bytes > 4;
    cls_program_begin(program, "msd/sort_buckets.cl", SORT_BUCKETS_NAMES, checked_size(caps, size),
                      spec);
    add_options(caps, size, is_wide ? WIDE_BUCKET_REGISTERS : BUCKET_REGISTERS, &program->options);
    cls_text_add(&program->options, " -DBIN_BITS=%u -DWHOLE_BUCKETS=%d -DSORTS_SKEWED=%d",
                 tuning->msd.bin_bits, tuning->msd.max_tiny_segment > 0,
                 cls_msd_sorts_skewed(tuning));
}

static void add_fallback_program(const struct cls_caps *caps, const struct cls_tuning *tuning,
                                 const struct cls_spec *spec, struct cls_program_spec *program)
{
    const struct cls_msd_size size = {tuning->msd.fallback_group_size, tuning->msd.bucket_items};
    cls_program_begin(program, "msd/fallback.cl", FALLBACK_NAMES, size.group_size, spec);
    add_options(caps, size, 0, &program->options);
    cls_text_add(&program->options, " -DVALUES_EXCHANGED=%d",
                 cls_msd_fallback_exchanges_values(caps, spec, size));
}

/* items: elements per work-item of the tile. */
static void add_single_tile_program(const struct cls_caps *caps, const struct cls_tuning *tuning,
                                    const struct cls_spec *spec, unsigned items,
                                    struct cls_program_spec *program)
{
    const struct cls_msd_size size = {tuning->msd.bucket_group_size, items};
    cls_program_begin(program, "msd/single_tile.cl", SINGLE_TILE_NAMES, size.group_size, spec);
    add_options(caps, size, 0, &program->options);
    cls_text_add(&program->options, " -DBIN_BITS=%u", tuning->msd.bin_bits);
}

static size_t programs(const struct cls_caps *caps, const struct cls_tuning *tuning,
                       const struct cls_spec *spec, struct cls_program_spec *programs)
{
    add_round_program(caps, tuning, spec, &programs[0]);
    add_sort_buckets_program(caps, tuning, spec, &programs[1]);
    add_fallback_program(caps, tuning, spec, &programs[2]);
    if (!has_single_tile(tuning))
        return 3;
    add_single_tile_program(caps, tuning, spec, tuning->msd.bucket_items, &programs[3]);
    add_single_tile_program(caps, tuning, spec, short_items(tuning, spec), &programs[4]);
    return 5;
}

/* -- launches ---------------------------------------------------------------------------------- */

static cls_msd_input input_of(const struct cls_sort *sort)
{
    return cls_msd_input_of(sort->spec, sort->arrays->count, &sort->schedule->msd);
}

cl_int cls_msd_prepare(const struct cls_sort *sort)
{
    const cls_msd_input input = input_of(sort);
    struct cls_launch launch = cls_launch(sort->kernels[PREPARE]);
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    cls_arg_buffer(&launch, sort->scratch[CLS_MSD_LARGE_BUCKETS]);
    cls_arg_count(&launch, sort);
    cls_arg_struct(&launch, &input, sizeof input);
    return cls_launch_enqueue(sort->chain, &launch, 1, sort->tuning->group_size);
}

static cls_msd_args args_of(const struct cls_sort *sort, unsigned round)
{
    const struct cls_msd_schedule *s = &sort->schedule->msd;
    return (cls_msd_args){.round = round,
                          .rounds = s->rounds,
                          .max_large_buckets = (cls_u32)s->max_large_buckets,
                          .first_block_tiles = input_of(sort).first_block_tiles,
                          .block_tiles = s->block_tiles,
                          .next_path = sort->tuning->msd.next_path};
}

static cl_int histogram(const struct cls_sort *sort, const cls_msd_args *args)
{
    const struct cls_msd_schedule *s = &sort->schedule->msd;
    struct cls_launch launch = cls_launch(sort->kernels[HISTOGRAM]);
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    cls_arg_key_arrays(&launch, sort);
    cls_arg_buffer(&launch, sort->scratch[CLS_MSD_LARGE_BUCKETS]);
    cls_arg_buffer(&launch, sort->scratch[CLS_MSD_BLOCKS]);
    cls_arg_buffer(&launch, sort->scratch[CLS_MSD_HISTOGRAMS]);
    cls_arg_key(&launch, sort->spec, sort->spec->flip);
    cls_arg_struct(&launch, args, sizeof *args);
    const uint64_t max_groups =
        (uint64_t)sort->tuning->msd.units * CLS_MSD_HISTOGRAM_GROUPS_PER_UNIT;
    const cls_msd_input input = input_of(sort);
    const uint64_t blocks = args->round > 0 ? s->max_blocks : cls_msd_first_blocks(&input);
    return cls_launch_enqueue(sort->chain, &launch, (size_t)cls_min(blocks, max_groups),
                              sort->tuning->group_size);
}

static cl_int plan_buckets(const struct cls_sort *sort, const cls_msd_args *args)
{
    const uint64_t buckets = args->round > 0 ? sort->schedule->msd.max_large_buckets : 1;
    struct cls_launch launch = cls_launch(sort->kernels[PLAN_BUCKETS]);
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    cls_arg_buffer(&launch, sort->scratch[CLS_MSD_LARGE_BUCKETS]);
    cls_arg_buffer(&launch, sort->scratch[CLS_MSD_TILES]);
    cls_arg_buffer(&launch, sort->scratch[CLS_MSD_BLOCKS]);
    cls_arg_buffer(&launch, sort->scratch[CLS_MSD_HISTOGRAMS]);
    cls_arg_buffer(&launch, sort->scratch[CLS_MSD_BUCKETS]);
    cls_arg_struct(&launch, args, sizeof *args);
    return cls_launch_enqueue(sort->chain, &launch, (size_t)cls_min(buckets, MAX_PLAN_GROUPS),
                              sort->tuning->group_size);
}

static cl_int sampled_round(const struct cls_sort *sort)
{
    struct cls_launch launch = cls_launch(sort->kernels[SAMPLED_ROUND]);
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    cls_arg_key_arrays(&launch, sort);
    cls_arg_buffer(&launch, sort->scratch[CLS_MSD_LARGE_BUCKETS]);
    cls_arg_key(&launch, sort->spec, sort->spec->flip);
    cls_arg_key(&launch, sort->spec, sort->spec->pad);
    return cls_launch_enqueue(sort->chain, &launch,
                              (size_t)cls_msd_groups(sort->tuning, sort->tuning->msd.unit_size),
                              sort->tuning->group_size);
}

/* Runs PARTITION, or all rounds together. */
static cl_int run_on_arrays(const struct cls_sort *sort, bool together, const cls_msd_args *args)
{
    struct cls_launch launch = cls_launch(sort->kernels[together ? ROUNDS : PARTITION]);
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    cls_arg_key_arrays(&launch, sort);
    cls_arg_value_arrays(&launch, sort);
    cls_arg_buffer(&launch, sort->scratch[CLS_MSD_LARGE_BUCKETS]);
    cls_arg_buffer(&launch, sort->scratch[CLS_MSD_TILES]);
    if (together)
        cls_arg_buffer(&launch, sort->scratch[CLS_MSD_BLOCKS]);
    cls_arg_buffer(&launch, sort->scratch[CLS_MSD_HISTOGRAMS]);
    if (together)
        cls_arg_buffer(&launch, sort->scratch[CLS_MSD_BUCKETS]);
    cls_arg_key(&launch, sort->spec, sort->spec->flip);
    cls_arg_key(&launch, sort->spec, sort->spec->pad);
    cls_arg_struct(&launch, args, sizeof *args);
    const uint64_t max_groups = cls_msd_groups(sort->tuning, sort->tuning->msd.unit_size);
    return cls_launch_enqueue(sort->chain, &launch,
                              (size_t)cls_min(sort->schedule->msd.max_tiles, max_groups),
                              sort->tuning->group_size);
}

/* Returns a kernel of those that sort buckets, which follow those of rounds. */
static cl_kernel sort_kernel(const struct cls_sort *sort, unsigned kernel)
{
    const bool together = sort->tuning->msd.launches_rounds_together;
    const unsigned round_kernels = cls_msd_may_sample(sort->tuning, sort->spec)
                                       ? SAMPLED_ROUNDS_KERNELS
                                   : together ? ROUNDS_KERNELS
                                              : ROUND_KERNELS;
    return sort->kernels[round_kernels + kernel];
}

/* Runs SORT_BUCKETS or SORT_OVERSIZED. */
static cl_int sort_buckets(const struct cls_sort *sort, unsigned kernel)
{
    const struct cls_spec *spec = sort->spec;
    const struct cls_msd_tuning *tuning = &sort->tuning->msd;
    struct cls_launch launch = cls_launch(sort_kernel(sort, kernel));
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    cls_arg_key_arrays(&launch, sort);
    cls_arg_value_arrays(&launch, sort);
    cls_arg_buffer(&launch, sort->scratch[CLS_MSD_BUCKETS]);
    cls_arg_buffer(&launch, sort->scratch[CLS_MSD_DEFERRED]);
    cls_arg_key(&launch, spec, spec->flip);
    cls_arg_key(&launch, spec, spec->pad);
    if (kernel == SORT_BUCKETS) {
        cls_arg_uint(&launch, sort->arrays->in_place);
        cls_arg_uint(&launch, tuning->has_limited_loops);
    }
    const uint64_t max_groups = kernel == SORT_BUCKETS
                                    ? cls_msd_bucket_groups(sort->tuning)
                                    : (uint64_t)tuning->units * FALLBACK_GROUPS_PER_UNIT;
    return cls_launch_enqueue(
        sort->chain, &launch, (size_t)cls_min(sort->schedule->msd.max_buckets, max_groups),
        kernel == SORT_BUCKETS ? tuning->bucket_group_size : tuning->fallback_group_size);
}

/* Returns whether buckets may be deferred: skewed ones if msd_sort_buckets does not sort them, and oversized ones
 * if the table of large buckets may have too few entries. */
static bool may_defer(const struct cls_sort *sort)
{
    const struct cls_tuning *tuning = sort->tuning;
    return !cls_msd_sorts_skewed(tuning) || sort->arrays->count / cls_msd_small_tile(tuning) >=
                                                sort->schedule->msd.max_large_buckets;
}

static cl_int sort_single_tile(const struct cls_sort *sort)
{
    const struct cls_spec *spec = sort->spec;
    const bool is_short = is_short_tile(sort->tuning, spec, sort->arrays->count);
    struct cls_launch launch =
        cls_launch(sort_kernel(sort, is_short ? SORT_SHORT_TILE : SORT_SINGLE_TILE));
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    cls_arg_key_arrays(&launch, sort);
    cls_arg_value_arrays(&launch, sort);
    cls_arg_count(&launch, sort);
    cls_arg_uint(&launch, (uint32_t)sort->arrays->count);
    cls_arg_key(&launch, spec, spec->flip);
    cls_arg_key(&launch, spec, spec->pad);
    cls_arg_uint(&launch, spec->end_bit);
    return cls_launch_enqueue(sort->chain, &launch, 1, sort->tuning->msd.bucket_group_size);
}

cl_int cls_msd_enqueue_rounds(const struct cls_sort *sort)
{
    const struct cls_msd_schedule *s = &sort->schedule->msd;
    const bool together = sort->tuning->msd.launches_rounds_together;
    cls_msd_args args = args_of(sort, s->first_round);
    cl_int status = sort->tuning->msd.is_part ? CL_SUCCESS : cls_msd_prepare(sort);
    if (status == CL_SUCCESS && s->sample_bits > 0)
        status = sampled_round(sort);
    if (status == CL_SUCCESS && together)
        status = run_on_arrays(sort, true, &args);
    for (unsigned rounds = together ? 0 : s->rounds; args.round < rounds; args.round++) {
        if (status == CL_SUCCESS)
            status = histogram(sort, &args);
        if (status == CL_SUCCESS)
            status = plan_buckets(sort, &args);
        if (status == CL_SUCCESS)
            status = run_on_arrays(sort, false, &args);
    }
    return status;
}

cl_int cls_msd_enqueue_buckets(const struct cls_sort *sort)
{
    cl_int status = sort_buckets(sort, SORT_BUCKETS);
    if (status == CL_SUCCESS && may_defer(sort))
        status = sort_buckets(sort, SORT_OVERSIZED);
    return status;
}

static cl_int enqueue(const struct cls_sort *sort)
{
    if (sort->schedule->msd.is_single_tile)
        return sort_single_tile(sort);
    const cl_int status = cls_msd_enqueue_rounds(sort);
    return status == CL_SUCCESS ? cls_msd_enqueue_buckets(sort) : status;
}

cls_msd_input cls_msd_input_of(const struct cls_spec *spec, uint64_t count,
                               const struct cls_msd_schedule *schedule)
{
    cls_msd_input input = {.count = (cls_u32)count,
                           .top = spec->end_bit,
                           .bits = schedule->first_bits,
                           .tile = schedule->first_tile,
                           .max_blocks = schedule->max_first_blocks,
                           .sample_bits = schedule->sample_bits};
    cls_msd_divide_input(&input);
    return input;
}

/* -- description ------------------------------------------------------------------------------- */

static uint64_t bytes_per_element(const struct cls_tuning *tuning, const struct cls_spec *spec,
                                  uint64_t count)
{
    const unsigned counted_rounds =
        uniform_rounds(tuning, spec, count) - (cls_msd_sample_bits(tuning, spec, count) > 0);
    return counted_rounds * spec->key_bytes +
           (uniform_rounds(tuning, spec, count) + 1) * cls_copy_bytes(spec);
}

/* The first round makes two buckets. The table holds one large bucket, so the other becomes
 * oversized. */
static uint64_t self_test_count(struct cls_tuning *tuning)
{
    tuning->msd.units = 1;
    tuning->msd.first_bits = 1;
    tuning->msd.max_large_buckets = 1;
    return 4 * cls_msd_small_tile(tuning) + 1;
}

static uint64_t one_tile_count(const struct cls_tuning *tuning)
{
    return has_single_tile(tuning) ? cls_msd_small_tile(tuning) : 0;
}

static void describe(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_text *text)
{
    const bool is_short = is_short_tile(tuning, spec, count);
    if (!is_single_tile(tuning, count))
        cls_text_add(text, "rounds: %u, ", uniform_rounds(tuning, spec, count));
    cls_text_add(text, "tiles of %u x %u", tuning->msd.bucket_group_size,
                 is_short ? short_items(tuning, spec) : tuning->msd.bucket_items);
}

/* The variant of hybrid for devices that do not support all of its paths. */
const struct cls_algo cls_algo_msd = {
    .name = "hybrid",
    .operations = CLS_SORTS,
    .traits = CLS_STABLE | CLS_COUNTS,
    .primitives = CLS_SUB_GROUP_PRIMITIVES,
    .is_for_gpus = true,
    .parameters = CLS_HYBRID_PARAMETERS,
    .supports = cls_msd_supports,
    .schedule = schedule,
    .programs = programs,
    .enqueue = enqueue,
    .bytes_per_element = bytes_per_element,
    .self_test_count = self_test_count,
    .one_tile_count = one_tile_count,
    .describe = describe,
};
