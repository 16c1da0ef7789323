/* count_groups.c - counting sort of keys of 8 or 16 bits alone, for work-groups (count_groups.cl) */
#include "algo/algo.h"

enum {
    GROUP_SIZE_8 = 1024, /* whose counters fill 32 KiB: few groups, whose tables the fill sums up */
    GROUP_SIZE_16 = 256, /* whose counters fill 32 KiB: as many groups as an H200's unit has room */
    GROUPS_PER_UNIT_8 = 2,
    GROUPS_PER_UNIT_16 = 6,
    FILLERS_PER_UNIT = 1024, /* work-items */
    COPIES = 32,             /* banks of local memory */
    PACK_BYTES = 16,
    LEAST_TILES_8 = 4,         /* of a chunk: less is not worth the counters' clearing */
    LEAST_CHUNK_16 = 16 << 10, /* keys */
    MOST_CHUNK_16 = 400000,    /* 6 keys a counter, if even: hardly one of them overflows */
    ALONE_TILES = 4,           /* that one group is done with before another launch begins */
    MOST_TILES = 1 << 16,      /* of a chunk of 8-bit keys: its counters have 32 bits */
    TURNS_OF_PACK = 320, /* where they are limited: that 16 bytes take, counted or written, ... */
    TURNS_OF_ROW = 8,    /* that a chunk's counters take to be summed up, ... */
    LEAST_LIMITED = 64   /* and work-items in a group for that */
};

/* As in count_groups.cl. */
enum {
    FIELD_MOST = 15,
    WORDS = 8192,
    BLOCK = 64,
    BLOCKS_8 = 256,
    BLOCKS_16 = 1024,
    LEVELS = 5, /* log 15 of MOST_CHUNK_16, rounded up */
    LEVEL_BYTES = 4 * WORDS,
    ROW_BYTES = LEVELS * LEVEL_BYTES /* of a chunk of 16-bit keys */
};

/* Chunks' tables take so many bytes, and one for each key, at most. */
static const uint64_t SOME_BYTES = 24 << 20;

enum { COUNT, FILL, ALONE, SUM = ALONE };
static const char *const NAMES_8[CLS_MOST_KERNELS + 1] = {"groups_count", "groups_fill",
                                                          "groups_alone", NULL};
static const char *const NAMES_16[CLS_MOST_KERNELS + 1] = {"groups_count", "groups_fill",
                                                           "groups_sum", NULL};
static const char *const FILES[] = {"types.cl", "keys.cl",         "head.cl", "control.cl",
                                    "scan.cl",  "count_groups.cl", NULL};

/* TABLE: of 8 bits the chunks' counters; of 16 bits what the blocks hold, and OFFSETS where runs begin in them. */
enum { TABLE = CLS_OWN_REGIONS, OFFSETS, ROWS, HAS_LEVELS, LOGS, REGIONS };
_Static_assert((int)REGIONS <= (int)CLS_MOST_REGIONS, "too many regions");

/* -- tuning ---------------------------------------------------------------------------------------- */

static bool has_bytes(const struct cls_tuning *tuning)
{
    return tuning->bits == 8;
}

/* Local memory of the largest kernel. */
static uint64_t local_bytes(const struct cls_tuning *tuning, const struct cls_shape *shape)
{
    const uint64_t index_bytes = shape->index_bits / 8, group = tuning->group_size;
    const uint64_t blocks = has_bytes(tuning) ? BLOCKS_8 : BLOCKS_16;
    const uint64_t counters =
        has_bytes(tuning) ? (uint64_t)BLOCKS_8 * 4 * tuning->items : LEVEL_BYTES / tuning->items;
    const uint64_t starts = (blocks + 2) * index_bytes + 2 * 8 * group;
    const uint64_t sums = has_bytes(tuning) ? 0 : (group + BLOCK * 8) * index_bytes;
    const uint64_t least = counters > starts ? counters : starts;
    return (least > sums ? least : sums) + 64;
}

/* Fewer copies of counters, more parts of them, or a smaller group. */
static bool make_less(struct cls_tuning *tuning, const struct cls_shape *shape, uint64_t room)
{
    while (local_bytes(tuning, shape) > room) {
        struct cls_tuning less = *tuning;
        less.items = has_bytes(tuning) ? tuning->items / 2 : tuning->items * 2;
        if (less.items > 0 && less.items <= WORDS / BLOCK &&
            local_bytes(&less, shape) < local_bytes(tuning, shape))
            *tuning = less;
        else if (tuning->group_size > 1)
            tuning->group_size /= 2;
        else
            return false;
    }
    return true;
}

static uint64_t tile_of(const struct cls_tuning *tuning)
{
    return (uint64_t)tuning->group_size * (PACK_BYTES * 8 / tuning->bits);
}

/* Of a chunk's table. */
static uint64_t table_bytes(const struct cls_tuning *tuning, const struct cls_shape *shape)
{
    return has_bytes(tuning) ? (uint64_t)BLOCKS_8 * shape->index_bits / 8 : ROW_BYTES;
}

/* Smaller chunks, and not too many of them, where turns are limited. False when there are too few. */
static bool limit_turns(uint64_t most_turns, const struct cls_shape *shape,
                        struct cls_tuning *tuning)
{
    const uint64_t clearing = 2048 + 2 * LEVELS * WORDS / tuning->group_size;
    const uint64_t turns = most_turns > clearing ? (most_turns - clearing) / 2 : 0;
    const uint64_t rows = turns / TURNS_OF_ROW;
    const unsigned parts = has_bytes(tuning) ? 1 : tuning->items;
    const uint64_t of_pack = parts > 4 ? TURNS_OF_PACK / 4 * parts : TURNS_OF_PACK;
    tuning->most_tiles = (unsigned)cls_least_of(turns / of_pack, MOST_TILES);
    if (tuning->most_tiles == 0 || rows < GROUPS_PER_UNIT_16 || tuning->group_size < LEAST_LIMITED)
        return false;
    tuning->units = (unsigned)cls_least_of(tuning->units, rows / GROUPS_PER_UNIT_16);
    const uint64_t chunk = tuning->most_tiles * tile_of(tuning), table = table_bytes(tuning, shape);
    tuning->most_items = cls_least_of(tuning->most_items, rows * chunk);
    if (chunk < table)
        tuning->most_items = cls_least_of(tuning->most_items, SOME_BYTES * chunk / (table - chunk));
    return true;
}

static bool supports(const struct cls_caps *caps, const struct cls_shape *shape,
                     const struct cls_parameters *parameters, struct cls_tuning *tuning,
                     const char **why)
{
    (void)parameters;
    if (shape->key_bytes > 2 || shape->value_bytes > 0 || cls_hides_bits(shape)) {
        *why =
            "it counts keys of 8 or 16 bits alone, that are equal in all their bits or not at all";
        return false;
    }
    const bool bytes = shape->key_bytes == 1;
    *tuning = (struct cls_tuning){
        .group_size = bytes ? GROUP_SIZE_8 : GROUP_SIZE_16,
        .items = bytes ? COPIES : 1,
        .bits = 8 * shape->key_bytes,
        .units = caps->units,
        .most_tiles = MOST_TILES,
        .most_items = cls_countable(caps, shape),
    };
    while (tuning->group_size > caps->group_size && tuning->group_size > 1)
        tuning->group_size /= 2;
    if (!make_less(tuning, shape, caps->local_bytes)) {
        *why = "the device has too little local memory";
        return false;
    }
    if (bytes && tuning->items > tuning->group_size)
        tuning->items = tuning->group_size;
    if (caps->most_turns < UINT64_MAX && !limit_turns(caps->most_turns, shape, tuning)) {
        *why = "this driver ends loops too early";
        return false;
    }
    return true;
}

static bool is_alone(const struct cls_tuning *tuning, uint64_t count)
{
    return has_bytes(tuning) &&
           count <= cls_least_of(ALONE_TILES, tuning->most_tiles) * tile_of(tuning);
}

/* The least number of chunks that are not too large for their counters. */
static uint64_t needed_chunks(const struct cls_tuning *tuning, uint64_t count)
{
    return cls_divide_up(count, tuning->most_tiles * tile_of(tuning));
}

/* Of 16-bit keys: in whole rounds of groups that run at once. */
static uint64_t useful_chunks_16(const struct cls_tuning *tuning, uint64_t count)
{
    const uint64_t at_once = (uint64_t)tuning->units * GROUPS_PER_UNIT_16;
    const uint64_t all = at_once * cls_divide_up(count, at_once * MOST_CHUNK_16);
    return cls_least_of(all, cls_divide_up(count, LEAST_CHUNK_16));
}

static uint64_t useful_chunks_8(const struct cls_tuning *tuning, uint64_t count)
{
    return cls_least_of((uint64_t)tuning->units * GROUPS_PER_UNIT_8,
                        cls_divide_up(count, LEAST_TILES_8 * tile_of(tuning)));
}

/* As many as are of use, within what tables may take. */
static uint64_t most_chunks(const struct cls_tuning *tuning, const struct cls_shape *shape,
                            uint64_t count)
{
    const uint64_t held = (count + SOME_BYTES) / table_bytes(tuning, shape);
    const uint64_t useful =
        has_bytes(tuning) ? useful_chunks_8(tuning, count) : useful_chunks_16(tuning, count);
    const uint64_t chunks = cls_least_of(useful, held), needed = needed_chunks(tuning, count);
    return chunks > needed ? chunks : needed;
}

/* At most, of what a chunk's keys log: of the first level, and of the second. Where a chunk is no whole tile, one more
 * tile's share in all. */
static uint64_t log_bytes(const struct cls_tuning *tuning, uint64_t chunks, uint64_t count)
{
    const uint64_t keys = count + chunks * tile_of(tuning);
    return (keys / (FIELD_MOST - 1) + 3 * chunks) * 2;
}

static size_t scratch(const struct cls_tuning *tuning, const struct cls_shape *shape,
                      uint64_t count, uint64_t *bytes)
{
    const uint64_t index_bytes = shape->index_bits / 8, chunks = most_chunks(tuning, shape, count);
    bytes[CLS_CONTROL] = bytes[CLS_KEYS] = bytes[CLS_VALUES] = 0;
    if (has_bytes(tuning)) {
        bytes[TABLE] = chunks * BLOCKS_8 * index_bytes;
        return OFFSETS;
    }
    bytes[TABLE] = BLOCKS_16 * index_bytes;
    bytes[OFFSETS] = ((uint64_t)BLOCKS_16 * BLOCK + 1) * index_bytes;
    bytes[ROWS] = chunks * ROW_BYTES;
    bytes[HAS_LEVELS] = chunks * tuning->items * 4;
    bytes[LOGS] = log_bytes(tuning, chunks, count);
    return REGIONS;
}

static cl_int prepare(struct cls_device *device, const struct cls_tuning *tuning,
                      const struct cls_shape *shape, cl_kernel *kernels)
{
    char line[256];
    struct cls_text options = CLS_TEXT(line);
    cls_shape_options(shape, &options);
    cls_text_add(&options, " -DGROUP_SIZE=%u -D%s=%u", tuning->group_size,
                 has_bytes(tuning) ? "COPIES" : "PARTS", tuning->items);
    const struct cls_code code = {FILES, line, NULL};
    return cls_kernels_create(device, &code, has_bytes(tuning) ? NAMES_8 : NAMES_16,
                              tuning->group_size, kernels);
}

/* -- launches -------------------------------------------------------------------------------------- */

/* What the launches share. */
struct run {
    const cl_kernel *kernels;
    const struct cls_tuning *tuning;
    const struct cls_shape *shape;
    const struct cls_job *job;
    struct cls_chain *chain;
    unsigned chunks;
};

/* Keys of each of so many groups: whole tiles. */
static uint64_t share_of(const struct run *run, uint64_t groups)
{
    const uint64_t tile = tile_of(run->tuning), count = run->job->places.count;
    return cls_divide_up(cls_divide_up(count, groups), tile) * tile;
}

static cl_int sort_alone(const struct run *run)
{
    const struct cls_places *places = &run->job->places;
    struct cls_launch launch = cls_launch(run->kernels[ALONE]);
    cls_arg_buffer(&launch, places->keys_in);
    cls_arg_buffer(&launch, run->job->scratch[TABLE]);
    cls_arg_buffer(&launch, places->keys_out);
    cls_arg_uint(&launch, (uint32_t)places->count);
    cls_arg_key(&launch, run->shape, run->shape->flip);
    return cls_run(run->chain, &launch, 1, run->tuning->group_size);
}

static cl_int count_keys(const struct run *run, uint64_t chunk)
{
    const clsort_buffer *region = run->job->scratch;
    struct cls_launch launch = cls_launch(run->kernels[COUNT]);
    cls_arg_buffer(&launch, run->job->places.keys_in);
    if (has_bytes(run->tuning)) {
        cls_arg_buffer(&launch, region[TABLE]);
    } else {
        cls_arg_buffer(&launch, region[ROWS]);
        cls_arg_buffer(&launch, region[HAS_LEVELS]);
        cls_arg_buffer(&launch, region[LOGS]);
    }
    cls_arg_index(&launch, run->shape, run->job->places.count);
    cls_arg_uint(&launch, (uint32_t)chunk);
    return cls_run(run->chain, &launch, run->chunks, run->tuning->group_size);
}

static cl_int sum(const struct run *run)
{
    const clsort_buffer *region = run->job->scratch;
    struct cls_launch launch = cls_launch(run->kernels[SUM]);
    cls_arg_buffer(&launch, region[ROWS]);
    cls_arg_buffer(&launch, region[HAS_LEVELS]);
    cls_arg_buffer(&launch, region[TABLE]);
    cls_arg_buffer(&launch, region[OFFSETS]);
    cls_arg_uint(&launch, run->chunks);
    cls_arg_key(&launch, run->shape, run->shape->flip);
    return cls_run(run->chain, &launch, WORDS / BLOCK, run->tuning->group_size);
}

static cl_int fill(const struct run *run)
{
    const struct cls_tuning *tuning = run->tuning;
    const uint64_t count = run->job->places.count, needed = needed_chunks(tuning, count);
    const unsigned fillers = FILLERS_PER_UNIT / tuning->group_size;
    const uint64_t groups = cls_least_of((uint64_t)tuning->units * (fillers > 0 ? fillers : 1),
                                         cls_divide_up(count, LEAST_TILES_8 * tile_of(tuning)));
    const uint64_t stretch = share_of(run, groups > needed ? groups : needed);
    struct cls_launch launch = cls_launch(run->kernels[FILL]);
    cls_arg_buffer(&launch, run->job->scratch[TABLE]);
    if (!has_bytes(tuning))
        cls_arg_buffer(&launch, run->job->scratch[OFFSETS]);
    cls_arg_buffer(&launch, run->job->places.keys_out);
    cls_arg_uint(&launch, has_bytes(tuning) ? run->chunks : 1);
    cls_arg_index(&launch, run->shape, count);
    cls_arg_uint(&launch, (uint32_t)stretch);
    cls_arg_key(&launch, run->shape, run->shape->flip);
    return cls_run(run->chain, &launch, (size_t)cls_divide_up(count, stretch), tuning->group_size);
}

static cl_int enqueue(const cl_kernel *kernels, const struct cls_tuning *tuning,
                      const struct cls_shape *shape, const struct cls_job *job,
                      struct cls_chain *chain)
{
    const uint64_t count = job->places.count;
    struct run run = {kernels, tuning, shape, job, chain, 0};
    if (is_alone(tuning, count))
        return sort_alone(&run);
    const uint64_t chunk = share_of(&run, most_chunks(tuning, shape, count));
    run.chunks = (unsigned)cls_divide_up(count, chunk);
    cl_int status = count_keys(&run, chunk);
    if (status == CL_SUCCESS && !has_bytes(tuning))
        status = sum(&run);
    return status == CL_SUCCESS ? fill(&run) : status;
}

/* -- for the planner ------------------------------------------------------------------------------- */

static uint64_t traffic(const struct cls_tuning *tuning, const struct cls_shape *shape,
                        uint64_t count)
{
    (void)count;
    const unsigned looks = has_bytes(tuning) ? 1 : tuning->items;
    return cls_copy_bytes(shape) + (uint64_t)(looks - 1) * shape->key_bytes;
}

/* Several chunks, of several tiles; the last ends early. */
static uint64_t trial(struct cls_tuning *tuning)
{
    tuning->units = 1;
    const uint64_t tiles = 2 * LEAST_TILES_8 * tile_of(tuning);
    return (has_bytes(tuning) || tiles > 2 * LEAST_CHUNK_16 ? tiles : 2 * LEAST_CHUNK_16) + 1;
}

static void describe(const struct cls_tuning *tuning, const struct cls_shape *shape, uint64_t count,
                     struct cls_text *text)
{
    cls_text_add(text, "%u bins, ", 1u << tuning->bits);
    if (is_alone(tuning, count))
        cls_text_add(text, "one group of %u", tuning->group_size);
    else
        cls_text_add(text, "chunks: %llu, groups of %u",
                     (unsigned long long)most_chunks(tuning, shape, count), tuning->group_size);
}

const struct cls_algo cls_algo_count_groups = {
    .name = "count",
    .traits = CLS_STABLE,
    .is_made_of_blocks = true,
    .is_for_gpus = true,
    .supports = supports,
    .scratch = scratch,
    .prepare = prepare,
    .enqueue = enqueue,
    .traffic = traffic,
    .trial = trial,
    .describe = describe,
};
