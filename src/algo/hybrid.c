/* hybrid.c - MSD radix sort by work-groups, whose buckets are sorted in local memory (hybrid.cl) */
#include "algo/passes.h"
#include "algo/rank.h"

/* Sizes and registers as measured best on an H200. */
enum {
    BITS = 8,
    GROUP_SIZE = 512, /* of a round's kernels ... */
    LANELESS_GROUP_SIZE =
        256, /* ... and where lanes meet in local memory, since PoCL 3.1 compiles 512 wrong */
    ITEM_BYTES = 72, /* of a work-item's keys in a tile */
    MOST_ITEMS = 16,
    REGISTERS = 64,
    SUBTILES = 4, /* tiles of a block */
    JOB_SIZE = 256,
    JOB_ITEMS = 19,
    JOB_REGISTERS = 48,
    LOOKS_PER_UNIT = 2,
    MOST_LOOKS = 1024,
    CHUNK = 1024,       /* keys that a group looks at, or a multiple */
    TILES_PER_UNIT = 2, /* groups that go through tiles, and load the next while they write one */
    BLOCKS_PER_UNIT = 16,
    JOBS_PER_UNIT = 64,
    MOST_PLANS = 256,
    /* What tables hold, so that they take no more than 32 MiB: of a round's segments, 16 MiB with their counters, and
     * jobs for so many tiles of keys, 12 MiB. */
    MOST_SEGMENTS = 8192,
    MOST_JOB_TILES = 120000
};

/* The structs of segment.cl. */
enum { SEGMENT_BYTES = 24, BLOCK_BYTES = 8, JOB_BYTES = 16, SETTLE_BYTES = 4 };

enum { LOOK, BEGIN, COUNT, PLAN, PARTITION, SORT, SETTLE, REST, KERNELS };

/* The programs: of a round, of jobs, and of the jobs that are left. */
static const char *const ROUND_NAMES[] = {"hybrid_look", "hybrid_begin",     "hybrid_count",
                                          "hybrid_plan", "hybrid_partition", NULL};
static const char *const ROUND_FILES[] = {"types.cl",  "keys.cl",    "head.cl",   "control.cl",
                                          "scan.cl",   "lanes.cl",   "group.cl",  "group_sum.cl",
                                          "places.cl", "segment.cl", "hybrid.cl", "hybrid_plan.cl",
                                          NULL};
static const char *const SORT_NAMES[] = {"hybrid_sort", NULL};
static const char *const SORT_FILES[] = {
    "types.cl",     "keys.cl",   "head.cl",    "lanes.cl",       "group.cl",
    "group_sum.cl", "places.cl", "segment.cl", "hybrid_sort.cl", NULL};
static const char *const SETTLE_NAMES[] = {"hybrid_settle", "hybrid_rest", NULL};
static const char *const SETTLE_FILES[] = {
    "types.cl",     "keys.cl",   "head.cl",    "lanes.cl",         "rank.cl",
    "group_sum.cl", "places.cl", "segment.cl", "hybrid_settle.cl", NULL};

enum { TABLE = CLS_OWN_REGIONS, SEGMENTS_OF, BLOCKS, COUNTERS, JOBS, SETTLES, REGIONS };
_Static_assert((int)REGIONS <= (int)CLS_MOST_REGIONS, "too many regions");
_Static_assert((int)KERNELS <= (int)CLS_MOST_KERNELS, "too many kernels");

static uint64_t least_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* -- what groups take of local memory ------------------------------------------------------------- */

static unsigned floor_log2(uint64_t n)
{
    unsigned bits = 0;
    while (n >>= 1)
        bits++;
    return bits;
}

static unsigned ceil_log2(uint64_t n)
{
    return n > 1 ? floor_log2(n - 1) + 1 : 0;
}

/* Work-items of a job's group, and keys of each. */
struct job_size {
    unsigned group_size, items;
};

static unsigned tile_of(struct job_size size)
{
    return size.group_size * size.items;
}

/* BIN_BITS */
static unsigned bin_bits(struct job_size size)
{
    const unsigned bits = floor_log2(tile_of(size)) - 1, least = floor_log2(size.group_size);
    return bits > least ? bits : least;
}

static bool fits_sort(const struct cls_caps *caps, unsigned key_bytes, struct job_size size)
{
    const uint64_t bytes = (uint64_t)(tile_of(size) + size.items) * key_bytes +
                           (sizeof(cl_uint) << bin_bits(size)) +
                           (size.group_size + 16) * sizeof(cl_uint);
    return bytes <= caps->local_bytes;
}

static bool fits_settle(const struct cls_caps *caps, unsigned key_bytes, struct job_size size)
{
    const uint64_t bytes = (uint64_t)tile_of(size) * key_bytes +
                           cls_rank_bytes(caps, size.group_size, BITS) +
                           ((1 << BITS) + size.group_size + 16) * sizeof(cl_uint);
    return bytes <= caps->local_bytes;
}

/* False when the device has too little. */
static bool fit_jobs(const struct cls_caps *caps, unsigned key_bytes, struct cls_tuning *tuning)
{
    struct job_size size = {JOB_SIZE, JOB_ITEMS};
    while (size.group_size > tuning->group_size)
        size.group_size /= 2;
    while (size.items > 3 && !fits_sort(caps, key_bytes, size))
        size.items = size.items / 2 | 1;
    tuning->job_size = size.group_size;
    tuning->job_items = size.items;
    if (!fits_sort(caps, key_bytes, size))
        return false;
    while (!fits_settle(caps, key_bytes, size) && size.group_size > 1)
        size.group_size /= 2;
    tuning->settle_size = size.group_size;
    return fits_settle(caps, key_bytes, size);
}

static bool fits_round(const struct cls_caps *caps, unsigned key_bytes,
                       const struct cls_tuning *tuning)
{
    const uint64_t radix = 1 << BITS, group = tuning->group_size, word = sizeof(cl_uint);
    const uint64_t partition = group * tuning->items * key_bytes + (2 * radix + group + 16) * word;
    const uint64_t plan = (5 * radix + 16) * word + 2 * group * sizeof(cl_ulong);
    return partition <= caps->local_bytes && plan <= caps->local_bytes;
}

static unsigned job_tile(const struct cls_tuning *tuning)
{
    return tuning->job_size * tuning->job_items;
}

static bool supports(const struct cls_caps *caps, const struct cls_shape *shape,
                     const struct cls_parameters *parameters, struct cls_tuning *tuning,
                     const char **why)
{
    (void)parameters;
    const unsigned key_bytes = shape->key_bytes;
    if (shape->value_bytes > 0 || shape->operation != CLS_SORT || cls_hides_bits(shape)) {
        *why = "it sorts keys alone, that are equal in all their bits or not at all";
        return false;
    }
    if (shape->index_bits != 32) {
        *why = "more elements than it can hold";
        return false;
    }
    const unsigned items = ITEM_BYTES / key_bytes;
    *tuning = (struct cls_tuning){
        .group_size = caps->lanes_body == CLS_LANES_LOCAL ? LANELESS_GROUP_SIZE : GROUP_SIZE,
        .items = items < MOST_ITEMS ? items : MOST_ITEMS,
        .bits = BITS,
        .units = caps->units};
    while (tuning->group_size > caps->group_size)
        tuning->group_size /= 2;
    while (!fits_round(caps, key_bytes, tuning) && tuning->group_size > 1) {
        if (tuning->items > 4)
            tuning->items /= 2;
        else
            tuning->group_size /= 2;
    }
    if (!fits_round(caps, key_bytes, tuning) || !fit_jobs(caps, key_bytes, tuning)) {
        *why = "the device has too little local memory";
        return false;
    }
    /* Where turns are limited: as if one group went through all tiles. */
    const uint64_t tile_turns = 64 + 16 * (uint64_t)tuning->items;
    const uint64_t held = (uint64_t)job_tile(tuning) * MOST_JOB_TILES;
    const uint64_t most = least_of(held, cls_countable(caps, shape));
    const uint64_t turned = caps->most_turns / tile_turns * job_tile(tuning);
    tuning->most_items = caps->most_turns == UINT64_MAX || turned > most ? most : turned;
    return true;
}

/* -- how a sort goes ------------------------------------------------------------------------------ */

struct schedule {
    unsigned first_bits;        /* of round 0's digit */
    unsigned rounds;            /* that the worst keys need */
    unsigned looks, most_looks; /* groups that share round 0's histogram; of fewer keys no more */
    uint64_t chunk;             /* keys of each */
    uint64_t blocks;            /* of one round's segments, where one has all */
    uint64_t segments, most_blocks, jobs; /* that there is room for */
};

static uint64_t tile_keys(const struct cls_tuning *tuning)
{
    return (uint64_t)tuning->group_size * tuning->items;
}

/* TARGET: so many that hardly any bucket of even keys outgrows its tile. */
static unsigned target_of(const struct cls_tuning *tuning)
{
    return job_tile(tuning) - job_tile(tuning) * 5 / 32;
}

static struct schedule schedule_for(const struct cls_tuning *tuning, const struct cls_shape *shape,
                                    uint64_t count)
{
    const unsigned width = shape->end_bit - shape->begin_bit;
    const unsigned wanted = ceil_log2(cls_divide_up(count, target_of(tuning)));
    /* Where two rounds are enough, each does half. */
    unsigned bits = wanted <= BITS ? wanted : wanted <= 2 * BITS ? (wanted + 1) / 2 : BITS;
    if (tuning->first_bits > 0)
        bits = tuning->first_bits;
    bits = bits > 0 ? bits : 1;
    struct schedule s = {.first_bits = bits < width ? bits : width};
    s.rounds = 1 + (unsigned)cls_divide_up(width - s.first_bits, BITS);
    s.most_looks =
        (unsigned)least_of(least_of((uint64_t)tuning->units * LOOKS_PER_UNIT, MOST_LOOKS),
                           cls_divide_up(count, CHUNK));
    s.chunk = cls_divide_up(cls_divide_up(count, s.most_looks), CHUNK) * CHUNK;
    s.looks = (unsigned)cls_divide_up(count, s.chunk);
    s.blocks = cls_divide_up(count, tile_keys(tuning) * SUBTILES);
    const uint64_t larges = count / job_tile(tuning) + 1;
    s.segments = least_of(larges, MOST_SEGMENTS);
    s.most_blocks = s.blocks + s.segments;
    /* Of small children one job begins in each window of half a tile, and in one more of each segment; the others fill
     * more than a window; and what is equal is cut into tiles. */
    s.jobs = 5 * larges + (width / BITS + 2) * s.segments + 16;
    return s;
}

static size_t scratch(const struct cls_tuning *tuning, const struct cls_shape *shape,
                      uint64_t count, uint64_t *bytes)
{
    const struct schedule s = schedule_for(tuning, shape, count);
    bytes[CLS_CONTROL] = CLS_CONTROL_BYTES;
    bytes[CLS_KEYS] = count * shape->key_bytes;
    bytes[CLS_VALUES] = 0;
    bytes[TABLE] = (uint64_t)s.most_looks * sizeof(cl_uint) << BITS;
    bytes[SEGMENTS_OF] = 2 * s.segments * SEGMENT_BYTES;
    bytes[BLOCKS] = 2 * s.most_blocks * BLOCK_BYTES;
    bytes[COUNTERS] = 2 * s.segments * sizeof(cl_uint) << BITS;
    bytes[JOBS] = s.jobs * JOB_BYTES;
    bytes[SETTLES] = s.jobs * SETTLE_BYTES;
    return REGIONS;
}

/* -- programs ------------------------------------------------------------------------------------- */

/* Adds the kernels of one program to those that there are. */
static cl_int add_kernels(struct cls_device *device, const struct cls_code *code,
                          const char *const *names, unsigned group_size, cl_kernel *kernels)
{
    cl_kernel added[CLS_MOST_KERNELS];
    /* With their registers limited, kernels run in groups of any size; NVIDIA's driver, which is not told it, says 256. */
    if (device->caps.lanes_body == CLS_LANES_PTX)
        group_size = 1;
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

/* What all programs are told. */
static void add_options(const struct cls_device *device, const struct cls_tuning *tuning,
                        const struct cls_shape *shape, struct job_size size, unsigned registers,
                        struct cls_text *options)
{
    cls_shape_options(shape, options);
    cls_lanes_options(&device->caps, options);
    cls_text_add(options, " -DGROUP_SIZE=%u -DITEMS=%u -DJOB_TILE=%u -DBEGIN_BIT=%u",
                 size.group_size, size.items, job_tile(tuning), shape->begin_bit);
    if (device->caps.lanes_body == CLS_LANES_PTX && registers > 0)
        cls_text_add(options, " -cl-nv-maxrregcount=%u", registers);
}

static cl_int prepare(struct cls_device *device, const struct cls_tuning *tuning,
                      const struct cls_shape *shape, cl_kernel *kernels)
{
    char line[512];
    struct cls_text options = CLS_TEXT(line);
    for (size_t i = 0; i < CLS_MOST_KERNELS; i++)
        kernels[i] = NULL;

    struct job_size size = {tuning->group_size, tuning->items};
    add_options(device, tuning, shape, size, REGISTERS, &options);
    cls_text_add(&options, " -DBITS=%u -DSUBTILES=%u -DTARGET=%u", BITS, SUBTILES,
                 target_of(tuning));
    struct cls_code code = {ROUND_FILES, line, NULL};
    cl_int status = add_kernels(device, &code, ROUND_NAMES, size.group_size, kernels);
    if (status != CL_SUCCESS)
        return status;

    size = (struct job_size){tuning->job_size, tuning->job_items};
    options = (struct cls_text)CLS_TEXT(line);
    add_options(device, tuning, shape, size, JOB_REGISTERS, &options);
    cls_text_add(&options, " -DBIN_BITS=%u", bin_bits(size));
    code.files = SORT_FILES;
    status = add_kernels(device, &code, SORT_NAMES, size.group_size, kernels);
    if (status != CL_SUCCESS)
        return status;

    size.group_size = tuning->settle_size;
    options = (struct cls_text)CLS_TEXT(line);
    add_options(device, tuning, shape, size, 0, &options);
    cls_text_add(&options, " -DBITS=%u", BITS);
    code.files = SETTLE_FILES;
    return add_kernels(device, &code, SETTLE_NAMES, size.group_size, kernels);
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

/* A round's half of a region: the other one is for the next. */
static clsort_buffer half(const struct run *run, unsigned region, unsigned round)
{
    const struct schedule *s = &run->schedule;
    const uint64_t bytes = region == SEGMENTS_OF ? s->segments * SEGMENT_BYTES
                           : region == BLOCKS    ? s->most_blocks * BLOCK_BYTES
                                                 : s->segments * sizeof(cl_uint) << BITS;
    clsort_buffer buffer = run->job->scratch[region];
    buffer.offset += round % 2 * (size_t)bytes;
    return buffer;
}

static cl_int look(const struct run *run)
{
    const struct cls_shape *shape = run->shape;
    const struct schedule *s = &run->schedule;
    const uint32_t count = (uint32_t)run->job->places.count;
    struct cls_launch launch = cls_launch(run->kernels[LOOK]);
    cls_arg_buffer(&launch, run->job->places.keys_in);
    cls_arg_buffer(&launch, run->job->scratch[TABLE]);
    cls_arg_uint(&launch, count);
    cls_arg_uint(&launch, (uint32_t)s->chunk);
    cls_arg_key(&launch, shape, shape->flip);
    cls_arg_uint(&launch, shape->end_bit - s->first_bits);
    cls_arg_uint(&launch, s->first_bits);
    const cl_int status = cls_run(run->chain, &launch, s->looks, run->tuning->group_size);
    if (status != CL_SUCCESS)
        return status;

    launch = cls_launch(run->kernels[BEGIN]);
    cls_arg_buffer(&launch, run->job->scratch[CLS_CONTROL]);
    cls_arg_buffer(&launch, run->job->scratch[TABLE]);
    for (unsigned region = SEGMENTS_OF; region <= COUNTERS; region++)
        for (unsigned round = 0; round < 2; round++)
            cls_arg_buffer(&launch, half(run, region, round));
    cls_arg_buffer(&launch, run->job->scratch[JOBS]);
    cls_arg_uint(&launch, count);
    cls_arg_uint(&launch, s->looks);
    cls_arg_uint(&launch, shape->end_bit);
    cls_arg_uint(&launch, s->first_bits);
    cls_arg_uint(&launch, s->rounds);
    cls_arg_uint(&launch, (uint32_t)s->segments);
    return cls_run(run->chain, &launch, 1, run->tuning->group_size);
}

/* Groups for so much work, where that is not too many of them. */
static size_t groups_for(const struct run *run, uint64_t work, uint64_t groups_per_unit)
{
    return (size_t)least_of(work, run->tuning->units * groups_per_unit);
}

static void arg_round(const struct run *run, unsigned round, struct cls_launch *launch)
{
    cls_arg_buffer(launch, run->job->scratch[CLS_CONTROL]);
    cls_arg_key_places(launch, run->job);
    cls_arg_buffer(launch, half(run, SEGMENTS_OF, round));
    cls_arg_buffer(launch, half(run, BLOCKS, round));
    cls_arg_buffer(launch, half(run, COUNTERS, round));
    cls_arg_key(launch, run->shape, run->shape->flip);
    cls_arg_uint(launch, round);
}

static cl_int plan(const struct run *run, unsigned round)
{
    const struct schedule *s = &run->schedule;
    struct cls_launch launch = cls_launch(run->kernels[COUNT]);
    arg_round(run, round, &launch);
    const size_t groups = groups_for(run, s->most_blocks, BLOCKS_PER_UNIT);
    const cl_int status = cls_run(run->chain, &launch, groups, run->tuning->group_size);
    if (status != CL_SUCCESS)
        return status;

    launch = cls_launch(run->kernels[PLAN]);
    cls_arg_buffer(&launch, run->job->scratch[CLS_CONTROL]);
    cls_arg_buffer(&launch, half(run, SEGMENTS_OF, round));
    cls_arg_buffer(&launch, half(run, SEGMENTS_OF, round + 1));
    cls_arg_buffer(&launch, half(run, BLOCKS, round + 1));
    cls_arg_buffer(&launch, half(run, COUNTERS, round));
    cls_arg_buffer(&launch, half(run, COUNTERS, round + 1));
    cls_arg_buffer(&launch, run->job->scratch[JOBS]);
    cls_arg_uint(&launch, round);
    cls_arg_uint(&launch, s->rounds);
    cls_arg_uint(&launch, (uint32_t)s->segments);
    return cls_run(run->chain, &launch, (size_t)least_of(s->segments, MOST_PLANS),
                   run->tuning->group_size);
}

static cl_int partition(const struct run *run, unsigned round)
{
    const struct schedule *s = &run->schedule;
    struct cls_launch launch = cls_launch(run->kernels[PARTITION]);
    arg_round(run, round, &launch);
    const uint64_t blocks = round > 0 ? s->most_blocks : s->blocks;
    return cls_run(run->chain, &launch, groups_for(run, blocks * SUBTILES, TILES_PER_UNIT),
                   run->tuning->group_size);
}

static void arg_jobs(const struct run *run, struct cls_launch *launch)
{
    cls_arg_buffer(launch, run->job->scratch[CLS_CONTROL]);
    cls_arg_key_places(launch, run->job);
    cls_arg_buffer(launch, run->job->scratch[JOBS]);
    cls_arg_buffer(launch, run->job->scratch[SETTLES]);
    cls_arg_key(launch, run->shape, run->shape->flip);
}

/* Whether there can be jobs of more keys than settles take in local memory. */
static bool may_leave_rest(const struct run *run)
{
    const struct cls_tuning *tuning = run->tuning;
    return tuning->settle_size < tuning->job_size ||
           run->job->places.count / job_tile(tuning) >= run->schedule.segments;
}

static cl_int do_jobs(const struct run *run)
{
    const struct cls_tuning *tuning = run->tuning;
    const size_t groups = groups_for(run, run->schedule.jobs, JOBS_PER_UNIT);
    struct cls_launch launch = cls_launch(run->kernels[SORT]);
    arg_jobs(run, &launch);
    cls_arg_uint(&launch, run->job->places.in_place);
    cl_int status = cls_run(run->chain, &launch, groups, tuning->job_size);
    if (status == CL_SUCCESS) {
        launch = cls_launch(run->kernels[SETTLE]);
        arg_jobs(run, &launch);
        status = cls_run(run->chain, &launch, groups, tuning->settle_size);
    }
    if (status == CL_SUCCESS && may_leave_rest(run)) {
        launch = cls_launch(run->kernels[REST]);
        arg_jobs(run, &launch);
        cls_arg_uint(&launch, run->job->places.in_place);
        status = cls_run(run->chain, &launch, groups, tuning->settle_size);
    }
    return status;
}

static cl_int enqueue(const cl_kernel *kernels, const struct cls_tuning *tuning,
                      const struct cls_shape *shape, const struct cls_job *job,
                      struct cls_chain *chain)
{
    const struct run run = {kernels, tuning, shape,
                            job,     chain,  schedule_for(tuning, shape, job->places.count)};
    cl_int status = look(&run);
    for (unsigned round = 0; round < run.schedule.rounds && status == CL_SUCCESS; round++) {
        if (round > 0)
            status = plan(&run, round);
        if (status == CL_SUCCESS)
            status = partition(&run, round);
    }
    return status == CL_SUCCESS ? do_jobs(&run) : status;
}

/* -- what it is to others ------------------------------------------------------------------------- */

/* Rounds that even keys need. */
static unsigned even_rounds(const struct cls_tuning *tuning, uint64_t count)
{
    const unsigned bits = ceil_log2(cls_divide_up(count, target_of(tuning)));
    return bits > BITS ? (bits + BITS - 1) / BITS : 1;
}

static uint64_t traffic(const struct cls_tuning *tuning, const struct cls_shape *shape,
                        uint64_t count)
{
    return even_rounds(tuning, count) * (shape->key_bytes + cls_copy_bytes(shape)) +
           cls_copy_bytes(shape);
}

/* Children of the first round that are segments of the next. */
static uint64_t trial(struct cls_tuning *tuning)
{
    tuning->units = 1;
    tuning->first_bits = 1;
    return 4 * job_tile(tuning) + 1;
}

static void describe(const struct cls_tuning *tuning, const struct cls_shape *shape, uint64_t count,
                     struct cls_text *text)
{
    (void)shape;
    cls_text_add(text, "%u x %u bits, then tiles of %u x %u", even_rounds(tuning, count), BITS,
                 tuning->job_size, tuning->job_items);
}

const struct cls_algo cls_algo_hybrid = {
    .name = "hybrid",
    .is_made_of_lanes = true,
    .is_for_gpus = true,
    .supports = supports,
    .scratch = scratch,
    .prepare = prepare,
    .enqueue = enqueue,
    .traffic = traffic,
    .trial = trial,
    .describe = describe,
};
