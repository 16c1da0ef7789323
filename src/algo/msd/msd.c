/* msd.c - MSD radix sort by work-groups, whose buckets are sorted in local memory (hybrid.cl) */
#include "algo/common/arguments.h"
#include "algo/common/limits.h"
#include "algo/common/lsd_passes.h"
#include "algo/common/programs.h"
#include "algo/msd/tile_size.h"
#include "device/sub_group.h"

/* As measured best on an H200. */
enum {
    MAX_REGISTERS = 248, /* of a work-item */
    JOB_REGISTERS = 48,
    WIDE_JOB_REGISTERS = 64,  /* of elements of more than 4 bytes */
    UNIT_REGISTERS = 1 << 16, /* that a unit's work-items share */
    LOOK_UNIT_SIZE = 1024,    /* work-items of a unit that count in round 0 */
    MAX_BLOCK_TILES = 16,
    COUNTS_PER_UNIT = 16,
    MAX_PLANS = 256
};

enum { LOOK, BEGIN, COUNT, PLAN, PARTITION, SORT, SETTLE, REST, ALONE, KERNELS };

/* The programs: of a round, of jobs, of the jobs that are left, and of a job alone. */
static const char *const ROUND_NAMES[] = {"hybrid_look", "hybrid_begin",     "hybrid_count",
                                          "hybrid_plan", "hybrid_partition", NULL};
static const char *const SORT_NAMES[] = {"hybrid_sort", NULL};
static const char *const SETTLE_NAMES[] = {"hybrid_settle", "hybrid_rest", NULL};
static const char *const ALONE_NAMES[] = {"hybrid_alone", NULL};

enum { SEGMENTS_OF = CLS_OWN_REGIONS, BLOCKS, TILES, ROWS, JOBS, SETTLES, REGIONS };
enum { CONTROL_BYTES = 1024 };

_Static_assert((int)REGIONS <= (int)CLS_MAX_REGIONS, "too many regions");
_Static_assert((int)KERNELS <= (int)CLS_MAX_KERNELS, "too many kernels");

/* -- how a sort goes ------------------------------------------------------------------------------ */

/* So few that they are one job. What that needs of local memory, some devices do not have. */
static bool can_be_alone(const struct cls_tuning *tuning)
{
    return tuning->msd.settle_size == tuning->msd.job_size;
}

static bool is_alone(const struct cls_tuning *tuning, uint64_t count)
{
    return can_be_alone(tuning) && count <= cls_msd_job_tile(tuning);
}

/* TARGET: so many that hardly any bucket of even keys outgrows its tile. */
static unsigned target_of(const struct cls_tuning *tuning)
{
    return cls_msd_job_tile(tuning) - cls_msd_job_tile(tuning) * 5 / 32;
}

/* Of all digits of even keys together. Where buckets after two rounds are nearly as large as a tile, those that outgrow
 * it, 3 in 100000 of 4352 keys, cost less than a third round of all. */
static unsigned wanted_bits(const struct cls_tuning *tuning, const struct cls_spec *spec,
                            uint64_t count)
{
    const unsigned tile = cls_msd_job_tile(tuning), two = 2 * CLS_MSD_BITS;
    const unsigned width = spec->end_bit - spec->begin_bit;
    unsigned bits = cls_ceil_log2(cls_divide_up(count, target_of(tuning)));
    bits = bits > 0 ? bits : 1;
    if (bits > two && count <= (uint64_t)(tile - tile / 20) << two)
        bits = two;
    return bits < width ? bits : width;
}

static unsigned rounds_of(unsigned bits)
{
    return (unsigned)cls_divide_up(bits, CLS_MSD_BITS);
}

/* Rounds that even keys need. */
static unsigned even_rounds(const struct cls_tuning *tuning, const struct cls_spec *spec,
                            uint64_t count)
{
    return is_alone(tuning, count) ? 0 : rounds_of(wanted_bits(tuning, spec, count));
}

/* Each round does its share, but before a third one no more than there is room for: 8192 segments at least. */
static unsigned first_bits(const struct cls_tuning *tuning, const struct cls_spec *spec,
                           uint64_t segments, uint64_t count)
{
    const unsigned wanted = wanted_bits(tuning, spec, count), rounds = rounds_of(wanted);
    const unsigned most = rounds > 2 ? cls_floor_log2(segments) - CLS_MSD_BITS : CLS_MSD_BITS;
    const unsigned share = (unsigned)cls_divide_up(wanted, rounds);
    return share < most ? share : most;
}

/* Groups of so many work-items on each unit. */
static uint64_t groups_of(const struct cls_tuning *tuning, unsigned unit_size)
{
    return (uint64_t)tuning->msd.units * (unit_size / tuning->group_size);
}

static struct cls_msd_schedule divide(const struct cls_tuning *tuning, const struct cls_spec *spec,
                                      uint64_t count)
{
    const unsigned width = spec->end_bit - spec->begin_bit;
    const uint64_t segments = cls_msd_most_segments(tuning, spec, count);
    const unsigned bits = tuning->msd.first_bits > 0 ? tuning->msd.first_bits
                                                     : first_bits(tuning, spec, segments, count);
    struct cls_msd_schedule s = {.is_alone = is_alone(tuning, count), .first_bits = bits};
    s.rounds = 1 + rounds_of(width - s.first_bits);
    const uint64_t tiles = cls_divide_up(count, cls_msd_round_tile(tuning));
    s.look_tiles = (unsigned)cls_divide_up(tiles, groups_of(tuning, LOOK_UNIT_SIZE));
    s.looks = (unsigned)cls_divide_up(tiles, s.look_tiles);
    s.block_tiles = (unsigned)cls_min(tiles / ((uint64_t)tuning->msd.units * COUNTS_PER_UNIT) + 1,
                                      MAX_BLOCK_TILES);
    s.segments = segments;
    s.tiles = tiles + s.segments;
    s.blocks = tiles / s.block_tiles + s.segments;
    s.jobs = cls_divide_up(CLS_MSD_TILE_JOBS * count, cls_msd_job_tile(tuning) - 1) +
             CLS_MSD_DIGIT_JOBS * (width / CLS_MSD_BITS) * s.segments + 16;
    return s;
}

static void schedule(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_schedule *schedule)
{
    const struct cls_msd_schedule s = divide(tuning, spec, count);
    uint64_t *bytes = schedule->region_bytes;
    schedule->msd = s;
    schedule->regions = REGIONS;
    bytes[CLS_CONTROL] = CONTROL_BYTES;
    bytes[CLS_KEYS] = count * spec->key_bytes;
    bytes[CLS_VALUES] = count * spec->value_bytes;
    bytes[SEGMENTS_OF] = 2 * s.segments * CLS_MSD_SEGMENT_BYTES;
    bytes[BLOCKS] = s.tiles * CLS_MSD_PART_BYTES;
    bytes[TILES] = s.tiles * CLS_MSD_PART_BYTES;
    bytes[ROWS] = s.tiles * CLS_MSD_ROW_BYTES;
    bytes[JOBS] = s.jobs * CLS_MSD_JOB_BYTES;
    bytes[SETTLES] = s.jobs * CLS_MSD_SETTLE_BYTES;
}

/* -- programs ------------------------------------------------------------------------------------- */

/* The group size that a kernel with limited registers is checked for. Such a kernel does not declare its group size,
 * and NVIDIA's driver then reports a limit of 256, but runs it in groups of any size. */
static unsigned checked_size(const struct cls_caps *caps, struct cls_msd_size size)
{
    return caps->sub_group_backend == CLS_SUB_GROUP_NVIDIA ? 1 : size.group_size;
}

/* The options of all programs. */
static void add_options(const struct cls_caps *caps, const struct cls_tuning *tuning,
                        const struct cls_spec *spec, struct cls_msd_size size, unsigned registers,
                        struct cls_text *options)
{
    cls_sub_group_options(caps, options);
    cls_text_add(options, " -DGROUP_SIZE=%u -DITEMS=%u -DBITS=%u -DJOB_TILE=%u -DBEGIN_BIT=%u",
                 size.group_size, size.items, CLS_MSD_BITS, cls_msd_job_tile(tuning),
                 spec->begin_bit);
    if (caps->sub_group_backend == CLS_SUB_GROUP_NVIDIA && registers > 0)
        cls_text_add(options, " -DREGISTERS=%u -cl-nv-maxrregcount=%u", registers, registers);
}

/* Of bin_sort.cl. */
static void add_bin_options(const struct cls_tuning *tuning, struct cls_msd_size size,
                            struct cls_text *options)
{
    cls_text_add(options, " -DBIN_BITS=%u -DPLACE_BITS=%u -DROOM=%u", tuning->msd.bin_bits,
                 cls_ceil_log2(cls_msd_tile(size)), cls_msd_sort_room(size));
}

static void describe_round(const struct cls_caps *caps, const struct cls_tuning *tuning,
                           const struct cls_spec *spec, struct cls_program_spec *program)
{
    const struct cls_msd_size size = {tuning->group_size, tuning->msd.items};
    const unsigned registers = UNIT_REGISTERS / tuning->msd.unit_size;
    cls_program_begin(program, "msd/round.cl", ROUND_NAMES, checked_size(caps, size), spec);
    add_options(caps, tuning, spec, size, registers < MAX_REGISTERS ? registers : MAX_REGISTERS,
                &program->options);
    cls_text_add(&program->options, " -DRANK_STABLE=%d -DTARGET=%u -DVALUES_EXCHANGED=%d",
                 spec->stable, target_of(tuning), cls_msd_round_exchanges(caps, spec, size));
}

static void describe_sort(const struct cls_caps *caps, const struct cls_tuning *tuning,
                          const struct cls_spec *spec, struct cls_program_spec *program)
{
    const struct cls_msd_size size = {tuning->msd.job_size, tuning->msd.job_items};
    cls_program_begin(program, "msd/sort_buckets.cl", SORT_NAMES, checked_size(caps, size), spec);
    add_options(caps, tuning, spec, size,
                spec->key_bytes + spec->value_bytes > 4 ? WIDE_JOB_REGISTERS : JOB_REGISTERS,
                &program->options);
    add_bin_options(tuning, size, &program->options);
}

/* Of the fallback kernels, and of the one for a single tile, which includes them. */
static void add_settle_options(const struct cls_caps *caps, const struct cls_tuning *tuning,
                               const struct cls_spec *spec, struct cls_text *options)
{
    const struct cls_msd_size size = {tuning->msd.settle_size, tuning->msd.job_items};
    add_options(caps, tuning, spec, size, 0, options);
    cls_text_add(options, " -DVALUES_EXCHANGED=%d", cls_msd_rest_exchanges(caps, spec, size));
}

static size_t programs(const struct cls_caps *caps, const struct cls_tuning *tuning,
                       const struct cls_spec *spec, struct cls_program_spec *programs)
{
    const struct cls_msd_size settle = {tuning->msd.settle_size, tuning->msd.job_items};
    describe_round(caps, tuning, spec, &programs[0]);
    describe_sort(caps, tuning, spec, &programs[1]);
    cls_program_begin(&programs[2], "msd/fallback.cl", SETTLE_NAMES, settle.group_size, spec);
    add_settle_options(caps, tuning, spec, &programs[2].options);
    cls_text_add(&programs[2].options, " -DROOM=%u", cls_msd_sort_room(settle));
    if (!can_be_alone(tuning))
        return 3;
    cls_program_begin(&programs[3], "msd/single_tile.cl", ALONE_NAMES, settle.group_size, spec);
    add_settle_options(caps, tuning, spec, &programs[3].options);
    add_bin_options(tuning, settle, &programs[3].options);
    return 4;
}

/* -- commands ------------------------------------------------------------------------------------- */

/* A round's half of the segments: the other one is for the next. */
static clsort_buffer segments(const struct cls_sort *sort, unsigned round)
{
    clsort_buffer buffer = sort->scratch[SEGMENTS_OF];
    buffer.offset += round % 2 * (size_t)sort->schedule->msd.segments * CLS_MSD_SEGMENT_BYTES;
    return buffer;
}

static cl_int look(const struct cls_sort *sort)
{
    const struct cls_spec *spec = sort->spec;
    const struct cls_msd_schedule *s = &sort->schedule->msd;
    const uint32_t count = (uint32_t)sort->arrays->count;
    struct cls_launch launch = cls_launch(sort->kernels[LOOK]);
    cls_arg_buffer(&launch, sort->arrays->keys_in);
    cls_arg_buffer(&launch, sort->scratch[ROWS]);
    cls_arg_uint(&launch, count);
    cls_arg_uint(&launch, s->look_tiles);
    cls_arg_key(&launch, spec, spec->flip);
    cls_arg_uint(&launch, spec->end_bit - s->first_bits);
    cls_arg_uint(&launch, s->first_bits);
    return cls_launch_enqueue(sort->chain, &launch, s->looks, sort->tuning->group_size);
}

/* What both kernels of hybrid_plan.cl begin with. */
static struct cls_launch plan_launch(const struct cls_sort *sort, unsigned kernel, unsigned round)
{
    const struct cls_msd_schedule *s = &sort->schedule->msd;
    struct cls_launch launch = cls_launch(sort->kernels[kernel]);
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    cls_arg_buffer(&launch, segments(sort, round));
    cls_arg_buffer(&launch, segments(sort, round + 1));
    cls_arg_buffer(&launch, sort->scratch[TILES]);
    cls_arg_buffer(&launch, sort->scratch[BLOCKS]);
    cls_arg_buffer(&launch, sort->scratch[ROWS]);
    cls_arg_buffer(&launch, sort->scratch[JOBS]);
    if (kernel == BEGIN)
        cls_arg_uint(&launch, s->look_tiles);
    cls_arg_uint(&launch, s->block_tiles);
    cls_arg_uint(&launch, s->rounds);
    cls_arg_uint(&launch, (uint32_t)s->segments);
    return launch;
}

static cl_int begin(const struct cls_sort *sort)
{
    struct cls_launch launch = plan_launch(sort, BEGIN, 0);
    cls_arg_uint(&launch, (uint32_t)sort->arrays->count);
    cls_arg_uint(&launch, sort->spec->end_bit);
    cls_arg_uint(&launch, sort->schedule->msd.first_bits);
    return cls_launch_enqueue(sort->chain, &launch, 1, sort->tuning->group_size);
}

static cl_int count(const struct cls_sort *sort, unsigned round)
{
    struct cls_launch launch = cls_launch(sort->kernels[COUNT]);
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    cls_arg_key_arrays(&launch, sort);
    cls_arg_buffer(&launch, segments(sort, round));
    cls_arg_buffer(&launch, sort->scratch[BLOCKS]);
    cls_arg_buffer(&launch, sort->scratch[ROWS]);
    cls_arg_key(&launch, sort->spec, sort->spec->flip);
    cls_arg_uint(&launch, round);
    cls_arg_uint(&launch, sort->schedule->msd.block_tiles);
    const uint64_t most = (uint64_t)sort->tuning->msd.units * COUNTS_PER_UNIT;
    return cls_launch_enqueue(sort->chain, &launch,
                              (size_t)cls_min(sort->schedule->msd.blocks, most),
                              sort->tuning->group_size);
}

static cl_int plan(const struct cls_sort *sort, unsigned round)
{
    struct cls_launch launch = plan_launch(sort, PLAN, round);
    cls_arg_uint(&launch, round);
    return cls_launch_enqueue(sort->chain, &launch,
                              (size_t)cls_min(sort->schedule->msd.segments, MAX_PLANS),
                              sort->tuning->group_size);
}

static cl_int partition(const struct cls_sort *sort, unsigned round)
{
    const struct cls_msd_schedule *s = &sort->schedule->msd;
    const struct cls_spec *spec = sort->spec;
    struct cls_launch launch = cls_launch(sort->kernels[PARTITION]);
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    cls_arg_key_arrays(&launch, sort);
    cls_arg_value_arrays(&launch, sort);
    cls_arg_buffer(&launch, segments(sort, round));
    cls_arg_buffer(&launch, sort->scratch[TILES]);
    cls_arg_buffer(&launch, sort->scratch[ROWS]);
    cls_arg_key(&launch, spec, spec->flip);
    cls_arg_key(&launch, spec, spec->pad);
    cls_arg_uint(&launch, round);
    cls_arg_uint(&launch, round > 0 ? s->block_tiles : s->look_tiles);
    const uint64_t most = groups_of(sort->tuning, sort->tuning->msd.unit_size);
    return cls_launch_enqueue(sort->chain, &launch, (size_t)cls_min(s->tiles, most),
                              sort->tuning->group_size);
}

/* Whether there can be jobs of more keys than settles take in local memory. */
static bool may_leave_rest(const struct cls_sort *sort)
{
    const struct cls_tuning *tuning = sort->tuning;
    return tuning->msd.settle_size < tuning->msd.job_size ||
           sort->arrays->count / cls_msd_job_tile(tuning) >= sort->schedule->msd.segments;
}

/* One of the kernels that go through the jobs. */
static cl_int do_jobs(const struct cls_sort *sort, unsigned kernel)
{
    const struct cls_spec *spec = sort->spec;
    struct cls_launch launch = cls_launch(sort->kernels[kernel]);
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    cls_arg_key_arrays(&launch, sort);
    cls_arg_value_arrays(&launch, sort);
    cls_arg_buffer(&launch, sort->scratch[JOBS]);
    cls_arg_buffer(&launch, sort->scratch[SETTLES]);
    cls_arg_key(&launch, spec, spec->flip);
    if (kernel == SORT)
        cls_arg_uint(&launch, sort->arrays->in_place);
    else
        cls_arg_key(&launch, spec, spec->pad);
    const uint64_t most = (uint64_t)sort->tuning->msd.units * CLS_MSD_JOBS_PER_UNIT;
    return cls_launch_enqueue(sort->chain, &launch, (size_t)cls_min(sort->schedule->msd.jobs, most),
                              kernel == SORT ? sort->tuning->msd.job_size
                                             : sort->tuning->msd.settle_size);
}

static cl_int sort_alone(const struct cls_sort *sort)
{
    const struct cls_spec *spec = sort->spec;
    struct cls_launch launch = cls_launch(sort->kernels[ALONE]);
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    cls_arg_buffer(&launch, sort->arrays->keys_in);
    cls_arg_buffer(&launch, sort->arrays->keys_out);
    cls_arg_value_arrays(&launch, sort);
    cls_arg_uint(&launch, (uint32_t)sort->arrays->count);
    cls_arg_key(&launch, spec, spec->flip);
    cls_arg_key(&launch, spec, spec->pad);
    cls_arg_uint(&launch, spec->end_bit);
    return cls_launch_enqueue(sort->chain, &launch, 1, sort->tuning->msd.job_size);
}

static cl_int enqueue(const struct cls_sort *sort)
{
    const struct cls_msd_schedule *s = &sort->schedule->msd;
    if (s->is_alone)
        return sort_alone(sort);
    cl_int status = look(sort);
    for (unsigned round = 0; round < s->rounds && status == CL_SUCCESS; round++) {
        status = round > 0 ? count(sort, round) : begin(sort);
        if (round > 0 && status == CL_SUCCESS)
            status = plan(sort, round);
        if (status == CL_SUCCESS)
            status = partition(sort, round);
    }
    for (unsigned kernel = SORT; kernel <= REST && status == CL_SUCCESS; kernel++)
        if (kernel != REST || may_leave_rest(sort))
            status = do_jobs(sort, kernel);
    return status;
}

/* -- what it is to others ------------------------------------------------------------------------- */

static uint64_t bytes_per_element(const struct cls_tuning *tuning, const struct cls_spec *spec,
                                  uint64_t count)
{
    return even_rounds(tuning, spec, count) * (spec->key_bytes + cls_copy_bytes(spec)) +
           cls_copy_bytes(spec);
}

/* Of the first round's two children one is a segment of the next, and the other has no room to be one. */
static uint64_t self_test_count(struct cls_tuning *tuning)
{
    tuning->msd.units = 1;
    tuning->msd.first_bits = 1;
    tuning->msd.max_segments = 1;
    return 4 * cls_msd_job_tile(tuning) + 1;
}

static void describe(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_text *text)
{
    if (!is_alone(tuning, count))
        cls_text_add(text, "rounds: %u, ", even_rounds(tuning, spec, count));
    cls_text_add(text, "tiles of %u x %u", tuning->msd.job_size, tuning->msd.job_items);
}

const struct cls_algo cls_algo_msd = {
    .name = "hybrid",
    .operations = CLS_OPERATION(CLS_SORT),
    .traits = CLS_STABLE,
    .primitives = CLS_SUB_GROUP_PRIMITIVES,
    .is_for_gpus = true,
    .supports = cls_msd_supports,
    .schedule = schedule,
    .programs = programs,
    .enqueue = enqueue,
    .bytes_per_element = bytes_per_element,
    .self_test_count = self_test_count,
    .describe = describe,
};
