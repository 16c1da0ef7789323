/* hybrid.c - MSD radix sort by work-groups, whose buckets are sorted in local memory (hybrid.cl) */
#include "algo/hybrid_tile.h"
#include "algo/passes.h"
#include "device/lanes.h"

/* As measured best on an H200. */
enum {
    MOST_REGISTERS = 248, /* of a work-item */
    JOB_REGISTERS = 48,
    WIDE_JOB_REGISTERS = 64,  /* of elements of more than 4 bytes */
    UNIT_REGISTERS = 1 << 16, /* that a unit's work-items share */
    LOOK_UNIT_SIZE = 1024,    /* work-items of a unit that count in round 0 */
    MOST_BLOCK_TILES = 16,
    COUNTS_PER_UNIT = 16,
    MOST_PLANS = 256
};

enum { LOOK, BEGIN, COUNT, PLAN, PARTITION, SORT, SETTLE, REST, ALONE, KERNELS };

/* The programs: of a round, of jobs, of the jobs that are left, and of a job alone. */
static const char *const ROUND_NAMES[] = {"hybrid_look", "hybrid_begin",     "hybrid_count",
                                          "hybrid_plan", "hybrid_partition", NULL};
static const char *const ROUND_FILES[] = {
    "types.cl", "keys.cl",      "head.cl",          "control.cl", "scan.cl",    "lanes.cl",
    "group.cl", "group_sum.cl", "rank_unstable.cl", "places.cl",  "segment.cl", "exchange.cl",
    "tile.cl",  "hybrid.cl",    "hybrid_plan.cl",   NULL};
static const char *const STABLE_ROUND_FILES[] = {
    "types.cl", "keys.cl",   "head.cl",        "control.cl", "scan.cl",    "lanes.cl",
    "group.cl", "rank.cl",   "rank_keys.cl",   "places.cl",  "segment.cl", "exchange.cl",
    "tile.cl",  "hybrid.cl", "hybrid_plan.cl", NULL};
static const char *const SORT_NAMES[] = {"hybrid_sort", NULL};
static const char *const SORT_FILES[] = {"types.cl", "keys.cl",      "head.cl",        "lanes.cl",
                                         "group.cl", "group_sum.cl", "places.cl",      "segment.cl",
                                         "job.cl",   "sort_job.cl",  "hybrid_sort.cl", NULL};
static const char *const SETTLE_NAMES[] = {"hybrid_settle", "hybrid_rest", NULL};
static const char *const SETTLE_FILES[] = {
    "types.cl", "keys.cl",       "head.cl",          "lanes.cl",   "group.cl", "group_sum.cl",
    "rank.cl",  "rank_keys.cl",  "places.cl",        "segment.cl", "job.cl",   "exchange.cl",
    "tile.cl",  "settle_job.cl", "hybrid_settle.cl", NULL};
static const char *const ALONE_NAMES[] = {"hybrid_alone", NULL};
static const char *const ALONE_FILES[] = {
    "types.cl", "keys.cl",      "head.cl",       "lanes.cl",        "group.cl", "group_sum.cl",
    "rank.cl",  "rank_keys.cl", "places.cl",     "segment.cl",      "job.cl",   "exchange.cl",
    "tile.cl",  "sort_job.cl",  "settle_job.cl", "hybrid_alone.cl", NULL};

enum { SEGMENTS_OF = CLS_OWN_REGIONS, BLOCKS, TILES, ROWS, JOBS, SETTLES, REGIONS };
_Static_assert((int)REGIONS <= (int)CLS_MOST_REGIONS, "too many regions");
_Static_assert((int)KERNELS <= (int)CLS_MOST_KERNELS, "too many kernels");

/* -- how a sort goes ------------------------------------------------------------------------------ */

/* So few that they are one job. What that needs of local memory, some devices do not have. */
static bool can_be_alone(const struct cls_tuning *tuning)
{
    return tuning->settle_size == tuning->job_size;
}

static bool is_alone(const struct cls_tuning *tuning, uint64_t count)
{
    return can_be_alone(tuning) && count <= cls_hybrid_job_tile(tuning);
}

struct schedule {
    unsigned first_bits;        /* of round 0's digit */
    unsigned rounds;            /* that the worst keys need */
    unsigned looks, look_tiles; /* blocks of round 0, and tiles of each */
    unsigned block_tiles;       /* of each block of later rounds */
    uint64_t blocks;            /* that such a round can have */
    uint64_t tiles;             /* the same; never less for more, as blocks can be */
    uint64_t segments, jobs;    /* that there is room for */
};

/* TARGET: so many that hardly any bucket of even keys outgrows its tile. */
static unsigned target_of(const struct cls_tuning *tuning)
{
    return cls_hybrid_job_tile(tuning) - cls_hybrid_job_tile(tuning) * 5 / 32;
}

/* Of all digits of even keys together. Where buckets after two rounds are nearly as large as a tile, those that outgrow
 * it, 3 in 100000 of 4352 keys, cost less than a third round of all. */
static unsigned wanted_bits(const struct cls_tuning *tuning, const struct cls_shape *shape,
                            uint64_t count)
{
    const unsigned tile = cls_hybrid_job_tile(tuning), two = 2 * CLS_HYBRID_BITS;
    const unsigned width = shape->end_bit - shape->begin_bit;
    unsigned bits = cls_ceil_log2(cls_divide_up(count, target_of(tuning)));
    bits = bits > 0 ? bits : 1;
    if (bits > two && count <= (uint64_t)(tile - tile / 20) << two)
        bits = two;
    return bits < width ? bits : width;
}

static unsigned rounds_of(unsigned bits)
{
    return (unsigned)cls_divide_up(bits, CLS_HYBRID_BITS);
}

/* Rounds that even keys need. */
static unsigned even_rounds(const struct cls_tuning *tuning, const struct cls_shape *shape,
                            uint64_t count)
{
    return is_alone(tuning, count) ? 0 : rounds_of(wanted_bits(tuning, shape, count));
}

/* Each round does its share, but before a third one no more than there is room for: 8192 segments at least. */
static unsigned first_bits(const struct cls_tuning *tuning, const struct cls_shape *shape,
                           uint64_t segments, uint64_t count)
{
    const unsigned wanted = wanted_bits(tuning, shape, count), rounds = rounds_of(wanted);
    const unsigned most = rounds > 2 ? cls_floor_log2(segments) - CLS_HYBRID_BITS : CLS_HYBRID_BITS;
    const unsigned share = (unsigned)cls_divide_up(wanted, rounds);
    return share < most ? share : most;
}

/* Groups of so many work-items on each unit. */
static uint64_t groups_of(const struct cls_tuning *tuning, unsigned unit_size)
{
    return (uint64_t)tuning->units * (unit_size / tuning->group_size);
}

static struct schedule schedule_for(const struct cls_tuning *tuning, const struct cls_shape *shape,
                                    uint64_t count)
{
    const unsigned width = shape->end_bit - shape->begin_bit;
    const uint64_t segments = cls_hybrid_most_segments(tuning, shape, count);
    const unsigned bits =
        tuning->first_bits > 0 ? tuning->first_bits : first_bits(tuning, shape, segments, count);
    struct schedule s = {.first_bits = bits};
    s.rounds = 1 + rounds_of(width - s.first_bits);
    const uint64_t tiles = cls_divide_up(count, cls_hybrid_round_tile(tuning));
    s.look_tiles = (unsigned)cls_divide_up(tiles, groups_of(tuning, LOOK_UNIT_SIZE));
    s.looks = (unsigned)cls_divide_up(tiles, s.look_tiles);
    s.block_tiles = (unsigned)cls_least_of(tiles / ((uint64_t)tuning->units * COUNTS_PER_UNIT) + 1,
                                           MOST_BLOCK_TILES);
    s.segments = segments;
    s.tiles = tiles + s.segments;
    s.blocks = tiles / s.block_tiles + s.segments;
    s.jobs = cls_divide_up(CLS_HYBRID_TILE_JOBS * count, cls_hybrid_job_tile(tuning) - 1) +
             CLS_HYBRID_DIGIT_JOBS * (width / CLS_HYBRID_BITS) * s.segments + 16;
    return s;
}

static size_t scratch(const struct cls_tuning *tuning, const struct cls_shape *shape,
                      uint64_t count, uint64_t *bytes)
{
    const struct schedule s = schedule_for(tuning, shape, count);
    bytes[CLS_CONTROL] = CLS_CONTROL_BYTES;
    bytes[CLS_KEYS] = count * shape->key_bytes;
    bytes[CLS_VALUES] = count * shape->value_bytes;
    bytes[SEGMENTS_OF] = 2 * s.segments * CLS_HYBRID_SEGMENT_BYTES;
    bytes[BLOCKS] = s.tiles * CLS_HYBRID_PART_BYTES;
    bytes[TILES] = s.tiles * CLS_HYBRID_PART_BYTES;
    bytes[ROWS] = s.tiles * CLS_HYBRID_ROW_BYTES;
    bytes[JOBS] = s.jobs * CLS_HYBRID_JOB_BYTES;
    bytes[SETTLES] = s.jobs * CLS_HYBRID_SETTLE_BYTES;
    return REGIONS;
}

/* -- programs ------------------------------------------------------------------------------------- */

/* Adds the kernels of one program to those that there are. */
static cl_int add_kernels(struct cls_device *device, const struct cls_code *code,
                          const char *const *names, unsigned group_size, cl_kernel *kernels)
{
    cl_kernel added[CLS_MOST_KERNELS];
    const cl_int status = cls_kernels_create(device, code, names, group_size, added);
    if (status != CL_SUCCESS) {
        cls_kernels_release(kernels);
        return status;
    }
    while (*kernels)
        kernels++;
    for (size_t i = 0; names[i]; i++)
        kernels[i] = added[i];
    return CL_SUCCESS;
}

/* Of kernels whose registers are limited: they run in groups of any size, and NVIDIA's driver, which is not told it,
 * says 256. */
static unsigned checked_size(const struct cls_device *device, struct cls_hybrid_size size)
{
    return device->caps.lanes_body == CLS_LANES_PTX ? 1 : size.group_size;
}

/* What all programs are told. */
static void add_options(const struct cls_device *device, const struct cls_tuning *tuning,
                        const struct cls_shape *shape, struct cls_hybrid_size size,
                        unsigned registers, struct cls_text *options)
{
    cls_shape_options(shape, options);
    cls_lanes_options(&device->caps, options);
    cls_text_add(options, " -DGROUP_SIZE=%u -DITEMS=%u -DBITS=%u -DJOB_TILE=%u -DBEGIN_BIT=%u",
                 size.group_size, size.items, CLS_HYBRID_BITS, cls_hybrid_job_tile(tuning),
                 shape->begin_bit);
    if (device->caps.lanes_body == CLS_LANES_PTX && registers > 0)
        cls_text_add(options, " -DREGISTERS=%u -cl-nv-maxrregcount=%u", registers, registers);
}

/* What sort_job.cl is told, ... */
static void add_sort_options(const struct cls_tuning *tuning, struct cls_hybrid_size size,
                             struct cls_text *options)
{
    cls_text_add(options, " -DBIN_BITS=%u -DPLACE_BITS=%u", tuning->bin_bits,
                 cls_ceil_log2(cls_hybrid_tile(size)));
}

/* ... job.cl, ... */
static void add_room(struct cls_hybrid_size size, struct cls_text *options)
{
    cls_text_add(options, " -DROOM=%u", cls_hybrid_sort_room(size));
}

/* ... and exchange.cl. */
static void add_exchange(bool exchanges, struct cls_text *options)
{
    cls_text_add(options, " -DVALUES_EXCHANGED=%d", exchanges);
}

static cl_int prepare(struct cls_device *device, const struct cls_tuning *tuning,
                      const struct cls_shape *shape, cl_kernel *kernels)
{
    char line[512];
    struct cls_text options = CLS_TEXT(line);
    for (size_t i = 0; i < CLS_MOST_KERNELS; i++)
        kernels[i] = NULL;

    struct cls_hybrid_size size = {tuning->group_size, tuning->items};
    const unsigned registers = UNIT_REGISTERS / tuning->unit_size;
    add_options(device, tuning, shape, size,
                registers < MOST_REGISTERS ? registers : MOST_REGISTERS, &options);
    cls_text_add(&options, " -DTARGET=%u", target_of(tuning));
    add_exchange(cls_hybrid_round_exchanges(&device->caps, shape, size), &options);
    struct cls_code code = {shape->stable ? STABLE_ROUND_FILES : ROUND_FILES, line, NULL};
    cl_int status = add_kernels(device, &code, ROUND_NAMES, checked_size(device, size), kernels);
    if (status != CL_SUCCESS)
        return status;

    size = (struct cls_hybrid_size){tuning->job_size, tuning->job_items};
    options = (struct cls_text)CLS_TEXT(line);
    add_options(device, tuning, shape, size,
                shape->key_bytes + shape->value_bytes > 4 ? WIDE_JOB_REGISTERS : JOB_REGISTERS,
                &options);
    add_sort_options(tuning, size, &options);
    add_room(size, &options);
    code.files = SORT_FILES;
    status = add_kernels(device, &code, SORT_NAMES, checked_size(device, size), kernels);
    if (status != CL_SUCCESS)
        return status;

    const struct cls_hybrid_size settle = {tuning->settle_size, tuning->job_items};
    options = (struct cls_text)CLS_TEXT(line);
    add_options(device, tuning, shape, settle, 0, &options);
    add_exchange(cls_hybrid_rest_exchanges(&device->caps, shape, settle), &options);
    add_room(settle, &options);
    code.files = SETTLE_FILES;
    status = add_kernels(device, &code, SETTLE_NAMES, settle.group_size, kernels);
    if (status != CL_SUCCESS || !can_be_alone(tuning))
        return status;
    add_sort_options(tuning, size, &options);
    code.files = ALONE_FILES;
    return add_kernels(device, &code, ALONE_NAMES, size.group_size, kernels);
}

/* -- commands ------------------------------------------------------------------------------------- */

/* What the rounds share. */
struct run {
    const cl_kernel *kernels;
    const struct cls_tuning *tuning;
    const struct cls_shape *shape;
    const struct cls_job *job;
    struct cls_chain *chain;
    struct schedule schedule;
};

/* A round's half of the segments: the other one is for the next. */
static clsort_buffer segments(const struct run *run, unsigned round)
{
    clsort_buffer buffer = run->job->scratch[SEGMENTS_OF];
    buffer.offset += round % 2 * (size_t)run->schedule.segments * CLS_HYBRID_SEGMENT_BYTES;
    return buffer;
}

static cl_int look(const struct run *run)
{
    const struct cls_shape *shape = run->shape;
    const struct schedule *s = &run->schedule;
    const uint32_t count = (uint32_t)run->job->places.count;
    struct cls_launch launch = cls_launch(run->kernels[LOOK]);
    cls_arg_buffer(&launch, run->job->places.keys_in);
    cls_arg_buffer(&launch, run->job->scratch[ROWS]);
    cls_arg_uint(&launch, count);
    cls_arg_uint(&launch, s->look_tiles);
    cls_arg_key(&launch, shape, shape->flip);
    cls_arg_uint(&launch, shape->end_bit - s->first_bits);
    cls_arg_uint(&launch, s->first_bits);
    return cls_run(run->chain, &launch, s->looks, run->tuning->group_size);
}

/* What both kernels of hybrid_plan.cl begin with. */
static struct cls_launch plan_launch(const struct run *run, unsigned kernel, unsigned round)
{
    const struct schedule *s = &run->schedule;
    struct cls_launch launch = cls_launch(run->kernels[kernel]);
    cls_arg_buffer(&launch, run->job->scratch[CLS_CONTROL]);
    cls_arg_buffer(&launch, segments(run, round));
    cls_arg_buffer(&launch, segments(run, round + 1));
    cls_arg_buffer(&launch, run->job->scratch[TILES]);
    cls_arg_buffer(&launch, run->job->scratch[BLOCKS]);
    cls_arg_buffer(&launch, run->job->scratch[ROWS]);
    cls_arg_buffer(&launch, run->job->scratch[JOBS]);
    if (kernel == BEGIN)
        cls_arg_uint(&launch, s->look_tiles);
    cls_arg_uint(&launch, s->block_tiles);
    cls_arg_uint(&launch, s->rounds);
    cls_arg_uint(&launch, (uint32_t)s->segments);
    return launch;
}

static cl_int begin(const struct run *run)
{
    struct cls_launch launch = plan_launch(run, BEGIN, 0);
    cls_arg_uint(&launch, (uint32_t)run->job->places.count);
    cls_arg_uint(&launch, run->shape->end_bit);
    cls_arg_uint(&launch, run->schedule.first_bits);
    return cls_run(run->chain, &launch, 1, run->tuning->group_size);
}

static cl_int count(const struct run *run, unsigned round)
{
    struct cls_launch launch = cls_launch(run->kernels[COUNT]);
    cls_arg_buffer(&launch, run->job->scratch[CLS_CONTROL]);
    cls_arg_key_places(&launch, run->job);
    cls_arg_buffer(&launch, segments(run, round));
    cls_arg_buffer(&launch, run->job->scratch[BLOCKS]);
    cls_arg_buffer(&launch, run->job->scratch[ROWS]);
    cls_arg_key(&launch, run->shape, run->shape->flip);
    cls_arg_uint(&launch, round);
    cls_arg_uint(&launch, run->schedule.block_tiles);
    const uint64_t most = (uint64_t)run->tuning->units * COUNTS_PER_UNIT;
    return cls_run(run->chain, &launch, (size_t)cls_least_of(run->schedule.blocks, most),
                   run->tuning->group_size);
}

static cl_int plan(const struct run *run, unsigned round)
{
    struct cls_launch launch = plan_launch(run, PLAN, round);
    cls_arg_uint(&launch, round);
    return cls_run(run->chain, &launch, (size_t)cls_least_of(run->schedule.segments, MOST_PLANS),
                   run->tuning->group_size);
}

static cl_int partition(const struct run *run, unsigned round)
{
    const struct schedule *s = &run->schedule;
    const struct cls_shape *shape = run->shape;
    struct cls_launch launch = cls_launch(run->kernels[PARTITION]);
    cls_arg_buffer(&launch, run->job->scratch[CLS_CONTROL]);
    cls_arg_key_places(&launch, run->job);
    cls_arg_value_places(&launch, shape, run->job);
    cls_arg_buffer(&launch, segments(run, round));
    cls_arg_buffer(&launch, run->job->scratch[TILES]);
    cls_arg_buffer(&launch, run->job->scratch[ROWS]);
    cls_arg_key(&launch, shape, shape->flip);
    cls_arg_key(&launch, shape, shape->pad);
    cls_arg_uint(&launch, round);
    cls_arg_uint(&launch, round > 0 ? s->block_tiles : s->look_tiles);
    const uint64_t most = groups_of(run->tuning, run->tuning->unit_size);
    return cls_run(run->chain, &launch, (size_t)cls_least_of(s->tiles, most),
                   run->tuning->group_size);
}

/* Whether there can be jobs of more keys than settles take in local memory. */
static bool may_leave_rest(const struct run *run)
{
    const struct cls_tuning *tuning = run->tuning;
    return tuning->settle_size < tuning->job_size ||
           run->job->places.count / cls_hybrid_job_tile(tuning) >= run->schedule.segments;
}

/* One of the kernels that go through the jobs. */
static cl_int do_jobs(const struct run *run, unsigned kernel)
{
    const struct cls_shape *shape = run->shape;
    struct cls_launch launch = cls_launch(run->kernels[kernel]);
    cls_arg_buffer(&launch, run->job->scratch[CLS_CONTROL]);
    cls_arg_key_places(&launch, run->job);
    cls_arg_value_places(&launch, shape, run->job);
    cls_arg_buffer(&launch, run->job->scratch[JOBS]);
    cls_arg_buffer(&launch, run->job->scratch[SETTLES]);
    cls_arg_key(&launch, shape, shape->flip);
    if (kernel == SORT)
        cls_arg_uint(&launch, run->job->places.in_place);
    else
        cls_arg_key(&launch, shape, shape->pad);
    const uint64_t most = (uint64_t)run->tuning->units * CLS_HYBRID_JOBS_PER_UNIT;
    return cls_run(run->chain, &launch, (size_t)cls_least_of(run->schedule.jobs, most),
                   kernel == SORT ? run->tuning->job_size : run->tuning->settle_size);
}

static cl_int sort_alone(const struct run *run)
{
    const struct cls_shape *shape = run->shape;
    struct cls_launch launch = cls_launch(run->kernels[ALONE]);
    cls_arg_buffer(&launch, run->job->scratch[CLS_CONTROL]);
    cls_arg_buffer(&launch, run->job->places.keys_in);
    cls_arg_buffer(&launch, run->job->places.keys_out);
    cls_arg_value_places(&launch, shape, run->job);
    cls_arg_uint(&launch, (uint32_t)run->job->places.count);
    cls_arg_key(&launch, shape, shape->flip);
    cls_arg_key(&launch, shape, shape->pad);
    cls_arg_uint(&launch, shape->end_bit);
    return cls_run(run->chain, &launch, 1, run->tuning->job_size);
}

static cl_int enqueue(const cl_kernel *kernels, const struct cls_tuning *tuning,
                      const struct cls_shape *shape, const struct cls_job *job,
                      struct cls_chain *chain)
{
    const struct run run = {kernels, tuning, shape,
                            job,     chain,  schedule_for(tuning, shape, job->places.count)};
    if (is_alone(tuning, job->places.count))
        return sort_alone(&run);
    cl_int status = look(&run);
    for (unsigned round = 0; round < run.schedule.rounds && status == CL_SUCCESS; round++) {
        status = round > 0 ? count(&run, round) : begin(&run);
        if (round > 0 && status == CL_SUCCESS)
            status = plan(&run, round);
        if (status == CL_SUCCESS)
            status = partition(&run, round);
    }
    for (unsigned kernel = SORT; kernel <= REST && status == CL_SUCCESS; kernel++)
        if (kernel != REST || may_leave_rest(&run))
            status = do_jobs(&run, kernel);
    return status;
}

/* -- what it is to others ------------------------------------------------------------------------- */

static uint64_t traffic(const struct cls_tuning *tuning, const struct cls_shape *shape,
                        uint64_t count)
{
    return even_rounds(tuning, shape, count) * (shape->key_bytes + cls_copy_bytes(shape)) +
           cls_copy_bytes(shape);
}

/* Of the first round's two children one is a segment of the next, and the other has no room to be one. */
static uint64_t trial(struct cls_tuning *tuning)
{
    tuning->units = 1;
    tuning->first_bits = 1;
    tuning->most_segments = 1;
    return 4 * cls_hybrid_job_tile(tuning) + 1;
}

static void describe(const struct cls_tuning *tuning, const struct cls_shape *shape, uint64_t count,
                     struct cls_text *text)
{
    if (!is_alone(tuning, count))
        cls_text_add(text, "rounds: %u, ", even_rounds(tuning, shape, count));
    cls_text_add(text, "tiles of %u x %u", tuning->job_size, tuning->job_items);
}

const struct cls_algo cls_algo_hybrid = {
    .name = "hybrid",
    .traits = CLS_STABLE,
    .is_made_of_lanes = true,
    .is_for_gpus = true,
    .supports = cls_hybrid_supports,
    .scratch = scratch,
    .prepare = prepare,
    .enqueue = enqueue,
    .traffic = traffic,
    .trial = trial,
    .describe = describe,
};
