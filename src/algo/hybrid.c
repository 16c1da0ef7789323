/* hybrid.c - MSD radix sort by work-groups, whose buckets are sorted in local memory (hybrid.cl) */
#include "algo/exchange.h"
#include "algo/passes.h"
#include "algo/rank.h"

/* Sizes and registers as measured best on an H200. */
enum {
    BITS = 8,
    GROUP_SIZE = 512,        /* of a round's kernels, ... */
    STABLE_GROUP_SIZE = 256, /* ... where they rank by matches, ... */
    LANELESS_GROUP_SIZE =
        256, /* ... and where lanes meet in local memory: PoCL 3.1 compiles 512 wrong */
    WORK_ITEMS_PER_UNIT = 1024,
    ITEM_BYTES = 72, /* of a work-item's keys in a tile */
    MOST_ITEMS = 16,
    REGISTERS = 64,
    BLOCK_KEYS = 1 << 16,
    JOB_SIZE = 256,
    JOB_ITEMS = 19,
    JOB_REGISTERS = 48,
    MOST_LOOKS = 1024, /* blocks of round 0 */
    COUNTS_PER_UNIT = 16,
    JOBS_PER_UNIT = 64,
    MOST_PLANS = 256,
    /* What tables hold, so that they take no more than 32 MiB: of a round's segments and blocks, 18 MiB with their rows,
     * and jobs for so many tiles of keys, 12 MiB. */
    MOST_SEGMENTS = 8192,
    MOST_JOB_TILES = 120000
};

/* The structs of segment.cl. */
enum { SEGMENT_BYTES = 28, BLOCK_BYTES = 8, JOB_BYTES = 16, SETTLE_BYTES = 4 };

enum { LOOK, BEGIN, COUNT, PLAN, PARTITION, SORT, SETTLE, REST, KERNELS };

/* The programs: of a round, of jobs, and of the jobs that are left. */
static const char *const ROUND_NAMES[] = {"hybrid_look", "hybrid_begin",     "hybrid_count",
                                          "hybrid_plan", "hybrid_partition", NULL};
static const char *const ROUND_FILES[] = {
    "types.cl",   "keys.cl",     "head.cl",      "control.cl",       "scan.cl",
    "lanes.cl",   "group.cl",    "group_sum.cl", "rank_unstable.cl", "places.cl",
    "segment.cl", "exchange.cl", "hybrid.cl",    "hybrid_plan.cl",   NULL};
static const char *const STABLE_ROUND_FILES[] = {
    "types.cl",    "keys.cl",      "head.cl",        "control.cl",
    "scan.cl",     "lanes.cl",     "group.cl",       "group_sum.cl",
    "rank.cl",     "rank_keys.cl", "places.cl",      "segment.cl",
    "exchange.cl", "hybrid.cl",    "hybrid_plan.cl", NULL};
static const char *const SORT_NAMES[] = {"hybrid_sort", NULL};
static const char *const SORT_FILES[] = {"types.cl", "keys.cl",        "head.cl",   "lanes.cl",
                                         "group.cl", "group_sum.cl",   "places.cl", "segment.cl",
                                         "job.cl",   "hybrid_sort.cl", NULL};
static const char *const SETTLE_NAMES[] = {"hybrid_settle", "hybrid_rest", NULL};
static const char *const SETTLE_FILES[] = {
    "types.cl",     "keys.cl",     "head.cl",          "lanes.cl",  "group.cl",
    "group_sum.cl", "rank.cl",     "rank_keys.cl",     "places.cl", "segment.cl",
    "job.cl",       "exchange.cl", "hybrid_settle.cl", NULL};

enum { SEGMENTS_OF = CLS_OWN_REGIONS, BLOCKS, ROWS, JOBS, SETTLES, REGIONS };
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

/* ROOM of hybrid_sort: the last window may reach beyond the tile. */
static unsigned sort_room(struct job_size size)
{
    return tile_of(size) + size.items;
}

/* job_room_t of job.cl, of so many elements. */
static uint64_t room_bytes(const struct cls_shape *shape, uint64_t elements)
{
    const uint64_t keys = elements * (shape->key_bytes + (shape->value_bytes > 0 ? 2 : 0));
    const uint64_t values = elements * shape->value_bytes;
    return (keys > values ? keys : values) + 8;
}

static bool fits_sort(const struct cls_caps *caps, const struct cls_shape *shape,
                      struct job_size size)
{
    const uint64_t bytes = room_bytes(shape, sort_room(size)) +
                           (sizeof(cl_uint) << bin_bits(size)) +
                           (size.group_size + 16) * sizeof(cl_uint);
    return bytes <= caps->local_bytes;
}

static bool fits_settle(const struct cls_caps *caps, const struct cls_shape *shape,
                        struct job_size size)
{
    const uint64_t bytes = room_bytes(shape, tile_of(size)) +
                           cls_rank_bytes(caps, size.group_size, BITS) +
                           ((2 << BITS) + size.group_size + 16) * sizeof(cl_uint);
    return bytes <= caps->local_bytes;
}

/* False when the device has too little. */
static bool fit_jobs(const struct cls_caps *caps, const struct cls_shape *shape,
                     struct cls_tuning *tuning)
{
    struct job_size size = {JOB_SIZE, JOB_ITEMS};
    while (size.group_size > tuning->group_size)
        size.group_size /= 2;
    while (size.items > 3 && !fits_sort(caps, shape, size))
        size.items = size.items / 2 | 1;
    while (size.group_size > 1 && !fits_sort(caps, shape, size))
        size.group_size /= 2;
    tuning->job_size = size.group_size;
    tuning->job_items = size.items;
    if (!fits_sort(caps, shape, size))
        return false;
    while (!fits_settle(caps, shape, size) && size.group_size > 1)
        size.group_size /= 2;
    tuning->settle_size = size.group_size;
    return fits_settle(caps, shape, size);
}

static unsigned round_tile(const struct cls_tuning *tuning)
{
    return tuning->group_size * tuning->items;
}

/* VALUES_AT_ONCE of a round. */
static uint64_t values_at_once(const struct cls_caps *caps, const struct cls_shape *shape,
                               const struct cls_tuning *tuning)
{
    const uint64_t tile = round_tile(tuning);
    return cls_values_at_once(caps, shape, tile, tile * shape->key_bytes);
}

static bool fits_round(const struct cls_caps *caps, const struct cls_shape *shape,
                       const struct cls_tuning *tuning)
{
    const uint64_t radix = 1 << BITS, group = tuning->group_size, word = sizeof(cl_uint);
    const uint64_t keys = (uint64_t)round_tile(tuning) * shape->key_bytes;
    const uint64_t values = values_at_once(caps, shape, tuning) * shape->value_bytes;
    const uint64_t ranks =
        shape->stable ? cls_rank_bytes(caps, tuning->group_size, BITS) : (radix + group + 2) * word;
    const uint64_t partition = (keys > values ? keys : values) + ranks + (radix + 16) * word;
    const uint64_t plan = (5 * radix + 16) * word + 2 * group * sizeof(cl_ulong);
    return partition <= caps->local_bytes && plan <= caps->local_bytes;
}

static unsigned job_tile(const struct cls_tuning *tuning)
{
    return tuning->job_size * tuning->job_items;
}

/* Keys of which one group can go through all tiles. */
static uint64_t turned_keys(const struct cls_caps *caps, struct job_size size)
{
    const uint64_t of_lanes = (4u << BITS) / cls_lanes_in(caps, size.group_size);
    const uint64_t turns = 64 + 16 * size.items + of_lanes + (8u << BITS) / size.group_size;
    return caps->most_turns == UINT64_MAX ? UINT64_MAX : caps->most_turns / turns * tile_of(size);
}

static bool supports(const struct cls_caps *caps, const struct cls_shape *shape,
                     const struct cls_parameters *parameters, struct cls_tuning *tuning,
                     const char **why)
{
    (void)parameters;
    if (shape->operation != CLS_SORT || cls_hides_bits(shape)) {
        *why = "it sorts by whole keys, that are equal in all their bits or not at all";
        return false;
    }
    if (shape->index_bits != 32) {
        *why = "more elements than it can hold";
        return false;
    }
    const unsigned items = ITEM_BYTES / shape->key_bytes;
    *tuning =
        (struct cls_tuning){.group_size = caps->lanes_body == CLS_LANES_LOCAL ? LANELESS_GROUP_SIZE
                                          : shape->stable                     ? STABLE_GROUP_SIZE
                                                                              : GROUP_SIZE,
                            .items = items < MOST_ITEMS ? items : MOST_ITEMS,
                            .bits = BITS,
                            .units = caps->units};
    while (tuning->group_size > caps->group_size)
        tuning->group_size /= 2;
    while (!fits_round(caps, shape, tuning) && tuning->group_size > 1) {
        if (tuning->items > 4)
            tuning->items /= 2;
        else
            tuning->group_size /= 2;
    }
    if (!fits_round(caps, shape, tuning) || !fit_jobs(caps, shape, tuning)) {
        *why = "the device has too little local memory";
        return false;
    }
    const uint64_t held =
        least_of((uint64_t)job_tile(tuning) * MOST_JOB_TILES, cls_countable(caps, shape));
    const struct job_size round = {tuning->group_size, tuning->items};
    const struct job_size settle = {tuning->settle_size, tuning->job_items};
    tuning->most_items =
        least_of(held, least_of(turned_keys(caps, round), turned_keys(caps, settle)));
    if (tuning->most_items == 0)
        *why = "this driver ends loops too early";
    return tuning->most_items > 0;
}

/* -- how a sort goes ------------------------------------------------------------------------------ */

struct schedule {
    unsigned first_bits;                  /* of round 0's digit */
    unsigned rounds;                      /* that the worst keys need */
    unsigned looks, most_looks;           /* blocks of round 0; of fewer keys there are no more */
    uint64_t look_keys;                   /* of each */
    uint64_t blocks;                      /* of one later round's segments, where one has all */
    uint64_t segments, most_blocks, jobs; /* that there is room for */
};

/* TARGET: so many that hardly any bucket of even keys outgrows its tile. */
static unsigned target_of(const struct cls_tuning *tuning)
{
    return job_tile(tuning) - job_tile(tuning) * 5 / 32;
}

/* SUBTILES */
static unsigned subtiles_of(const struct cls_tuning *tuning)
{
    return BLOCK_KEYS / round_tile(tuning) > 0 ? BLOCK_KEYS / round_tile(tuning) : 1;
}

static uint64_t block_keys(const struct cls_tuning *tuning)
{
    return (uint64_t)round_tile(tuning) * subtiles_of(tuning);
}

/* Groups that run at once. */
static uint64_t groups_at_once(const struct cls_tuning *tuning)
{
    return (uint64_t)tuning->units * (WORK_ITEMS_PER_UNIT / tuning->group_size);
}

static struct schedule schedule_for(const struct cls_tuning *tuning, const struct cls_shape *shape,
                                    uint64_t count)
{
    const unsigned width = shape->end_bit - shape->begin_bit;
    const unsigned wanted = ceil_log2(cls_divide_up(count, target_of(tuning)));
    const uint64_t tile = round_tile(tuning);
    /* Where two rounds are enough, each does half. */
    unsigned bits = wanted <= BITS ? wanted : wanted <= 2 * BITS ? (wanted + 1) / 2 : BITS;
    if (tuning->first_bits > 0)
        bits = tuning->first_bits;
    bits = bits > 0 ? bits : 1;
    struct schedule s = {.first_bits = bits < width ? bits : width};
    s.rounds = 1 + (unsigned)cls_divide_up(width - s.first_bits, BITS);
    s.most_looks = (unsigned)least_of(least_of(groups_at_once(tuning), MOST_LOOKS),
                                      cls_divide_up(count, tile));
    s.look_keys = cls_divide_up(cls_divide_up(count, s.most_looks), tile) * tile;
    s.looks = (unsigned)cls_divide_up(count, s.look_keys);
    s.blocks = cls_divide_up(count, block_keys(tuning));
    const uint64_t larges = count / job_tile(tuning) + 1;
    s.segments = least_of(larges, MOST_SEGMENTS);
    s.most_blocks = s.blocks + s.segments;
    /* Of small children one job begins in each window of half a tile, and in one more of each segment; the others fill
     * more than a window; and what is equal is cut into tiles. */
    s.jobs = 5 * larges + (width / BITS + 2) * s.segments + 16;
    return s;
}

/* Room for a round's blocks: round 0 may have more than the others. */
static uint64_t held_blocks(const struct schedule *s)
{
    return s->most_blocks > s->most_looks ? s->most_blocks : s->most_looks;
}

static size_t scratch(const struct cls_tuning *tuning, const struct cls_shape *shape,
                      uint64_t count, uint64_t *bytes)
{
    const struct schedule s = schedule_for(tuning, shape, count);
    bytes[CLS_CONTROL] = CLS_CONTROL_BYTES;
    bytes[CLS_KEYS] = count * shape->key_bytes;
    bytes[CLS_VALUES] = count * shape->value_bytes;
    bytes[SEGMENTS_OF] = 2 * s.segments * SEGMENT_BYTES;
    bytes[BLOCKS] = 2 * held_blocks(&s) * BLOCK_BYTES;
    bytes[ROWS] = held_blocks(&s) * sizeof(cl_uint) << BITS;
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
    cls_text_add(options, " -DGROUP_SIZE=%u -DITEMS=%u -DBITS=%u -DJOB_TILE=%u -DBEGIN_BIT=%u",
                 size.group_size, size.items, BITS, job_tile(tuning), shape->begin_bit);
    if (device->caps.lanes_body == CLS_LANES_PTX && registers > 0)
        cls_text_add(options, " -DREGISTERS=%u -cl-nv-maxrregcount=%u", registers, registers);
}

static cl_int prepare(struct cls_device *device, const struct cls_tuning *tuning,
                      const struct cls_shape *shape, cl_kernel *kernels)
{
    char line[512];
    struct cls_text options = CLS_TEXT(line);
    for (size_t i = 0; i < CLS_MOST_KERNELS; i++)
        kernels[i] = NULL;

    struct job_size size = {tuning->group_size, tuning->items};
    add_options(device, tuning, shape, size, shape->stable ? 0 : REGISTERS, &options);
    cls_text_add(&options, " -DSUBTILES=%u -DTARGET=%u -DVALUES_AT_ONCE=%u", subtiles_of(tuning),
                 target_of(tuning), (unsigned)values_at_once(&device->caps, shape, tuning));
    struct cls_code code = {shape->stable ? STABLE_ROUND_FILES : ROUND_FILES, line, NULL};
    cl_int status = add_kernels(device, &code, ROUND_NAMES, size.group_size, kernels);
    if (status != CL_SUCCESS)
        return status;

    size = (struct job_size){tuning->job_size, tuning->job_items};
    options = (struct cls_text)CLS_TEXT(line);
    add_options(device, tuning, shape, size, shape->value_bytes > 0 ? 0 : JOB_REGISTERS, &options);
    cls_text_add(&options, " -DBIN_BITS=%u -DROOM=%u", bin_bits(size), sort_room(size));
    code.files = SORT_FILES;
    status = add_kernels(device, &code, SORT_NAMES, size.group_size, kernels);
    if (status != CL_SUCCESS)
        return status;

    size.group_size = tuning->settle_size;
    options = (struct cls_text)CLS_TEXT(line);
    add_options(device, tuning, shape, size, 0, &options);
    cls_text_add(&options, " -DROOM=%u -DVALUES_AT_ONCE=%u", tile_of(size), tile_of(size));
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
    const uint64_t bytes =
        region == SEGMENTS_OF ? s->segments * SEGMENT_BYTES : held_blocks(s) * BLOCK_BYTES;
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
    cls_arg_buffer(&launch, run->job->scratch[ROWS]);
    cls_arg_uint(&launch, count);
    cls_arg_uint(&launch, (uint32_t)s->look_keys);
    cls_arg_key(&launch, shape, shape->flip);
    cls_arg_uint(&launch, shape->end_bit - s->first_bits);
    cls_arg_uint(&launch, s->first_bits);
    return cls_run(run->chain, &launch, s->looks, run->tuning->group_size);
}

/* What both kernels of hybrid_plan.cl begin with. */
static struct cls_launch plan_launch(const struct run *run, unsigned kernel, unsigned round)
{
    struct cls_launch launch = cls_launch(run->kernels[kernel]);
    cls_arg_buffer(&launch, run->job->scratch[CLS_CONTROL]);
    cls_arg_buffer(&launch, half(run, SEGMENTS_OF, round));
    cls_arg_buffer(&launch, half(run, SEGMENTS_OF, round + 1));
    if (kernel == BEGIN)
        cls_arg_buffer(&launch, half(run, BLOCKS, round));
    cls_arg_buffer(&launch, half(run, BLOCKS, round + 1));
    cls_arg_buffer(&launch, run->job->scratch[ROWS]);
    cls_arg_buffer(&launch, run->job->scratch[JOBS]);
    return launch;
}

static cl_int begin(const struct run *run)
{
    const struct schedule *s = &run->schedule;
    struct cls_launch launch = plan_launch(run, BEGIN, 0);
    cls_arg_uint(&launch, (uint32_t)run->job->places.count);
    cls_arg_uint(&launch, s->looks);
    cls_arg_uint(&launch, run->shape->end_bit);
    cls_arg_uint(&launch, s->first_bits);
    cls_arg_uint(&launch, s->rounds);
    cls_arg_uint(&launch, (uint32_t)s->segments);
    return cls_run(run->chain, &launch, 1, run->tuning->group_size);
}

static cl_int count(const struct run *run, unsigned round)
{
    struct cls_launch launch = cls_launch(run->kernels[COUNT]);
    cls_arg_buffer(&launch, run->job->scratch[CLS_CONTROL]);
    cls_arg_key_places(&launch, run->job);
    cls_arg_buffer(&launch, half(run, SEGMENTS_OF, round));
    cls_arg_buffer(&launch, half(run, BLOCKS, round));
    cls_arg_buffer(&launch, run->job->scratch[ROWS]);
    cls_arg_key(&launch, run->shape, run->shape->flip);
    cls_arg_uint(&launch, round);
    const uint64_t most = (uint64_t)run->tuning->units * COUNTS_PER_UNIT;
    return cls_run(run->chain, &launch, (size_t)least_of(run->schedule.most_blocks, most),
                   run->tuning->group_size);
}

static cl_int plan(const struct run *run, unsigned round)
{
    const struct schedule *s = &run->schedule;
    struct cls_launch launch = plan_launch(run, PLAN, round);
    cls_arg_uint(&launch, round);
    cls_arg_uint(&launch, s->rounds);
    cls_arg_uint(&launch, (uint32_t)s->segments);
    return cls_run(run->chain, &launch, (size_t)least_of(s->segments, MOST_PLANS),
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
    cls_arg_buffer(&launch, half(run, SEGMENTS_OF, round));
    cls_arg_buffer(&launch, half(run, BLOCKS, round));
    cls_arg_buffer(&launch, run->job->scratch[ROWS]);
    cls_arg_key(&launch, shape, shape->flip);
    cls_arg_key(&launch, shape, shape->pad);
    cls_arg_uint(&launch, round);
    cls_arg_uint(&launch, (uint32_t)(round > 0 ? block_keys(run->tuning) : s->look_keys));
    const uint64_t blocks = round > 0 ? s->most_blocks : s->looks;
    return cls_run(run->chain, &launch, (size_t)least_of(blocks, groups_at_once(run->tuning)),
                   run->tuning->group_size);
}

/* Whether there can be jobs of more keys than settles take in local memory. */
static bool may_leave_rest(const struct run *run)
{
    const struct cls_tuning *tuning = run->tuning;
    return tuning->settle_size < tuning->job_size ||
           run->job->places.count / job_tile(tuning) >= run->schedule.segments;
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
    const uint64_t most = (uint64_t)run->tuning->units * JOBS_PER_UNIT;
    return cls_run(run->chain, &launch, (size_t)least_of(run->schedule.jobs, most),
                   kernel == SORT ? run->tuning->job_size : run->tuning->settle_size);
}

static cl_int enqueue(const cl_kernel *kernels, const struct cls_tuning *tuning,
                      const struct cls_shape *shape, const struct cls_job *job,
                      struct cls_chain *chain)
{
    const struct run run = {kernels, tuning, shape,
                            job,     chain,  schedule_for(tuning, shape, job->places.count)};
    cl_int status = look(&run);
    if (status == CL_SUCCESS)
        status = begin(&run);
    for (unsigned round = 0; round < run.schedule.rounds && status == CL_SUCCESS; round++) {
        if (round > 0)
            status = count(&run, round);
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
    .traits = CLS_STABLE,
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
