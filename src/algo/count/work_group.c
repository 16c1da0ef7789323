/* work_group.c - counting sort of keys of 8 or 16 bits alone, for work-groups (count_groups.cl) */
#include "algo/common/arguments.h"
#include "algo/common/limits.h"
#include "algo/common/programs.h"

enum {
    GROUP_SIZE_8 = 1024, /* whose counters fill 32 KiB: few groups, whose tables the fill sums up */
    GROUP_SIZE_16 = 256, /* whose counters fill 32 KiB: as many groups as an H200's unit has room */
    GROUPS_PER_UNIT_8 = 2,
    GROUPS_PER_UNIT_16 = 6,
    FILLERS_PER_UNIT = 1024, /* work-items */
    COPIES = 32,             /* banks of local memory */
    PACK_BYTES = 16,
    MIN_TILES_8 = 4,         /* of a chunk: less is not worth the counters' clearing */
    MIN_CHUNK_16 = 16 << 10, /* keys */
    MAX_CHUNK_16 = 400000,   /* 6 keys a counter, if even: hardly one of them overflows */
    ALONE_TILES = 4,         /* that one group is done with before another launch begins */
    MAX_TILES = 1 << 16,     /* of a chunk of 8-bit keys: its counters have 32 bits */
    TURNS_OF_PACK = 320, /* where they are limited: that 16 bytes take, counted or written, ... */
    TURNS_OF_ROW = 8,    /* that a chunk's counters take to be summed up, ... */
    MIN_LIMITED = 64     /* and work-items in a group for that */
};

/* As in count_groups.cl. */
enum {
    FIELD_MAX = 15,
    WORDS = 8192,
    BLOCK = 64,
    BLOCKS_8 = 256,
    BLOCKS_16 = 1024,
    LEVELS = 5, /* log 15 of MAX_CHUNK_16, rounded up */
    LEVEL_BYTES = 4 * WORDS,
    ROW_BYTES = LEVELS * LEVEL_BYTES /* of a chunk of 16-bit keys */
};

/* Chunks' tables take so many bytes, and one for each key, at most. */
static const uint64_t SOME_BYTES = 24 << 20;

enum { COUNT, FILL, ALONE, SUM = ALONE };
static const char *const NAMES_8[] = {"groups_count", "groups_fill", "groups_alone", NULL};
static const char *const NAMES_16[] = {"groups_count", "groups_fill", "groups_sum", NULL};

/* TABLE: of 8 bits the chunks' counters; of 16 bits what the blocks hold, and OFFSETS where runs begin in them. */
enum { TABLE = CLS_OWN_REGIONS, OFFSETS, ROWS, HAS_LEVELS, LOGS, REGIONS };
_Static_assert((int)REGIONS <= (int)CLS_MAX_REGIONS, "too many regions");

/* -- tuning ---------------------------------------------------------------------------------------- */

static bool has_bytes(const struct cls_tuning *tuning)
{
    return tuning->count_work_group.bits == 8;
}

/* Local memory of the largest kernel. */
static uint64_t local_bytes(const struct cls_tuning *tuning, const struct cls_spec *spec)
{
    const uint64_t index_bytes = spec->index_bits / 8, group = tuning->group_size;
    const uint64_t blocks = has_bytes(tuning) ? BLOCKS_8 : BLOCKS_16;
    const uint64_t counters = has_bytes(tuning)
                                  ? (uint64_t)BLOCKS_8 * 4 * tuning->count_work_group.items
                                  : LEVEL_BYTES / tuning->count_work_group.items;
    const uint64_t starts = (blocks + 2) * index_bytes + 2 * 8 * group;
    const uint64_t sums = has_bytes(tuning) ? 0 : (group + BLOCK * 8) * index_bytes;
    const uint64_t least = counters > starts ? counters : starts;
    return (least > sums ? least : sums) + 64;
}

/* Fewer copies of counters, more parts of them, or a smaller group. */
static bool make_less(struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t room)
{
    while (local_bytes(tuning, spec) > room) {
        struct cls_tuning less = *tuning;
        less.count_work_group.items = has_bytes(tuning) ? tuning->count_work_group.items / 2
                                                        : tuning->count_work_group.items * 2;
        if (less.count_work_group.items > 0 && less.count_work_group.items <= WORDS / BLOCK &&
            local_bytes(&less, spec) < local_bytes(tuning, spec))
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
    return (uint64_t)tuning->group_size * (PACK_BYTES * 8 / tuning->count_work_group.bits);
}

/* Of a chunk's table. */
static uint64_t table_bytes(const struct cls_tuning *tuning, const struct cls_spec *spec)
{
    return has_bytes(tuning) ? (uint64_t)BLOCKS_8 * spec->index_bits / 8 : ROW_BYTES;
}

/* Smaller chunks, and not too many of them, where turns are limited. False when there are too few. */
static bool limit_turns(uint64_t max_iterations, const struct cls_spec *spec,
                        struct cls_tuning *tuning)
{
    const uint64_t clearing = 2048 + 2 * LEVELS * WORDS / tuning->group_size;
    const uint64_t turns = max_iterations > clearing ? (max_iterations - clearing) / 2 : 0;
    const uint64_t rows = turns / TURNS_OF_ROW;
    const unsigned parts = has_bytes(tuning) ? 1 : tuning->count_work_group.items;
    const uint64_t of_pack = parts > 4 ? TURNS_OF_PACK / 4 * parts : TURNS_OF_PACK;
    tuning->count_work_group.max_tiles = (unsigned)cls_min(turns / of_pack, MAX_TILES);
    if (tuning->count_work_group.max_tiles == 0 || rows < GROUPS_PER_UNIT_16 ||
        tuning->group_size < MIN_LIMITED)
        return false;
    tuning->count_work_group.units =
        (unsigned)cls_min(tuning->count_work_group.units, rows / GROUPS_PER_UNIT_16);
    const uint64_t chunk = tuning->count_work_group.max_tiles * tile_of(tuning),
                   table = table_bytes(tuning, spec);
    tuning->max_count = cls_min(tuning->max_count, rows * chunk);
    if (chunk < table)
        tuning->max_count = cls_min(tuning->max_count, SOME_BYTES * chunk / (table - chunk));
    return true;
}

static bool supports(const struct cls_caps *caps, const struct cls_spec *spec,
                     const struct cls_parameters *parameters, struct cls_tuning *tuning,
                     const char **why)
{
    (void)parameters;
    if (spec->key_bytes > 2 || spec->value_bytes > 0 || cls_equal_keys_may_differ(spec)) {
        *why =
            "it counts keys of 8 or 16 bits alone, that are equal in all their bits or not at all";
        return false;
    }
    const bool bytes = spec->key_bytes == 1;
    *tuning = (struct cls_tuning){
        .group_size = bytes ? GROUP_SIZE_8 : GROUP_SIZE_16,
        .count_work_group.items = bytes ? COPIES : 1,
        .count_work_group.bits = 8 * spec->key_bytes,
        .count_work_group.units = caps->units,
        .count_work_group.max_tiles = MAX_TILES,
        .max_count = cls_max_countable(caps, spec),
    };
    while (tuning->group_size > caps->group_size && tuning->group_size > 1)
        tuning->group_size /= 2;
    if (!make_less(tuning, spec, caps->local_bytes)) {
        *why = "the device has too little local memory";
        return false;
    }
    if (bytes && tuning->count_work_group.items > tuning->group_size)
        tuning->count_work_group.items = tuning->group_size;
    if (caps->max_iterations < UINT64_MAX && !limit_turns(caps->max_iterations, spec, tuning)) {
        *why = "this driver ends loops too early";
        return false;
    }
    return true;
}

static bool is_alone(const struct cls_tuning *tuning, uint64_t count)
{
    return has_bytes(tuning) &&
           count <= cls_min(ALONE_TILES, tuning->count_work_group.max_tiles) * tile_of(tuning);
}

/* The least number of chunks that are not too large for their counters. */
static uint64_t needed_chunks(const struct cls_tuning *tuning, uint64_t count)
{
    return cls_divide_up(count, tuning->count_work_group.max_tiles * tile_of(tuning));
}

/* Of 16-bit keys: in whole rounds of groups that run at once. */
static uint64_t useful_chunks_16(const struct cls_tuning *tuning, uint64_t count)
{
    const uint64_t at_once = (uint64_t)tuning->count_work_group.units * GROUPS_PER_UNIT_16;
    const uint64_t all = at_once * cls_divide_up(count, at_once * MAX_CHUNK_16);
    return cls_min(all, cls_divide_up(count, MIN_CHUNK_16));
}

static uint64_t useful_chunks_8(const struct cls_tuning *tuning, uint64_t count)
{
    return cls_min((uint64_t)tuning->count_work_group.units * GROUPS_PER_UNIT_8,
                   cls_divide_up(count, MIN_TILES_8 * tile_of(tuning)));
}

/* As many as are of use, within what tables may take. */
static uint64_t most_chunks(const struct cls_tuning *tuning, const struct cls_spec *spec,
                            uint64_t count)
{
    const uint64_t held = (count + SOME_BYTES) / table_bytes(tuning, spec);
    const uint64_t useful =
        has_bytes(tuning) ? useful_chunks_8(tuning, count) : useful_chunks_16(tuning, count);
    const uint64_t chunks = cls_min(useful, held), needed = needed_chunks(tuning, count);
    return chunks > needed ? chunks : needed;
}

/* At most, of what a chunk's keys log: of the first level, and of the second. Where a chunk is no whole tile, one more
 * tile's share in all. */
static uint64_t log_bytes(const struct cls_tuning *tuning, uint64_t chunks, uint64_t count)
{
    const uint64_t keys = count + chunks * tile_of(tuning);
    return (keys / (FIELD_MAX - 1) + 3 * chunks) * 2;
}

static void schedule(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_schedule *schedule)
{
    const uint64_t index_bytes = spec->index_bits / 8, chunks = most_chunks(tuning, spec, count);
    const uint64_t chunk = cls_round_up(cls_divide_up(count, chunks), tile_of(tuning));
    uint64_t *bytes = schedule->region_bytes;
    schedule->count_work_group = (struct cls_count_work_group_schedule){
        .is_alone = is_alone(tuning, count),
        .chunks = (unsigned)cls_divide_up(count, chunk),
        .chunk = chunk,
    };
    bytes[CLS_CONTROL] = bytes[CLS_KEYS] = bytes[CLS_VALUES] = 0;
    if (has_bytes(tuning)) {
        schedule->regions = OFFSETS;
        bytes[TABLE] = chunks * BLOCKS_8 * index_bytes;
        return;
    }
    schedule->regions = REGIONS;
    bytes[TABLE] = BLOCKS_16 * index_bytes;
    bytes[OFFSETS] = ((uint64_t)BLOCKS_16 * BLOCK + 1) * index_bytes;
    bytes[ROWS] = chunks * ROW_BYTES;
    bytes[HAS_LEVELS] = chunks * tuning->count_work_group.items * sizeof(cl_uint);
    bytes[LOGS] = log_bytes(tuning, chunks, count);
}

static size_t programs(const struct cls_caps *caps, const struct cls_tuning *tuning,
                       const struct cls_spec *spec, struct cls_program_spec *programs)
{
    (void)caps;
    cls_program_begin(programs, "count/work_group.cl", has_bytes(tuning) ? NAMES_8 : NAMES_16,
                      tuning->group_size, spec);
    cls_text_add(&programs->options, " -DGROUP_SIZE=%u -D%s=%u", tuning->group_size,
                 has_bytes(tuning) ? "COPIES" : "PARTS", tuning->count_work_group.items);
    return 1;
}

/* -- launches -------------------------------------------------------------------------------------- */

/* Keys of each of so many groups: whole tiles. */
static uint64_t share_of(const struct cls_sort *sort, uint64_t groups)
{
    const uint64_t tile = tile_of(sort->tuning), count = sort->arrays->count;
    return cls_divide_up(cls_divide_up(count, groups), tile) * tile;
}

static cl_int sort_alone(const struct cls_sort *sort)
{
    const struct cls_arrays *arrays = sort->arrays;
    struct cls_launch launch = cls_launch(sort->kernels[ALONE]);
    cls_arg_buffer(&launch, arrays->keys_in);
    cls_arg_buffer(&launch, sort->scratch[TABLE]);
    cls_arg_buffer(&launch, arrays->keys_out);
    cls_arg_uint(&launch, (uint32_t)arrays->count);
    cls_arg_key(&launch, sort->spec, sort->spec->flip);
    return cls_launch_enqueue(sort->chain, &launch, 1, sort->tuning->group_size);
}

static cl_int count_keys(const struct cls_sort *sort, uint64_t chunk)
{
    const clsort_buffer *region = sort->scratch;
    struct cls_launch launch = cls_launch(sort->kernels[COUNT]);
    cls_arg_buffer(&launch, sort->arrays->keys_in);
    if (has_bytes(sort->tuning)) {
        cls_arg_buffer(&launch, region[TABLE]);
    } else {
        cls_arg_buffer(&launch, region[ROWS]);
        cls_arg_buffer(&launch, region[HAS_LEVELS]);
        cls_arg_buffer(&launch, region[LOGS]);
    }
    cls_arg_index(&launch, sort->spec, sort->arrays->count);
    cls_arg_uint(&launch, (uint32_t)chunk);
    return cls_launch_enqueue(sort->chain, &launch, sort->schedule->count_work_group.chunks,
                              sort->tuning->group_size);
}

static cl_int sum(const struct cls_sort *sort)
{
    const clsort_buffer *region = sort->scratch;
    struct cls_launch launch = cls_launch(sort->kernels[SUM]);
    cls_arg_buffer(&launch, region[ROWS]);
    cls_arg_buffer(&launch, region[HAS_LEVELS]);
    cls_arg_buffer(&launch, region[TABLE]);
    cls_arg_buffer(&launch, region[OFFSETS]);
    cls_arg_uint(&launch, sort->schedule->count_work_group.chunks);
    cls_arg_key(&launch, sort->spec, sort->spec->flip);
    return cls_launch_enqueue(sort->chain, &launch, WORDS / BLOCK, sort->tuning->group_size);
}

static cl_int fill(const struct cls_sort *sort)
{
    const struct cls_tuning *tuning = sort->tuning;
    const uint64_t count = sort->arrays->count, needed = needed_chunks(tuning, count);
    const unsigned fillers = FILLERS_PER_UNIT / tuning->group_size;
    const uint64_t groups =
        cls_min((uint64_t)tuning->count_work_group.units * (fillers > 0 ? fillers : 1),
                cls_divide_up(count, MIN_TILES_8 * tile_of(tuning)));
    const uint64_t stretch = share_of(sort, groups > needed ? groups : needed);
    struct cls_launch launch = cls_launch(sort->kernels[FILL]);
    cls_arg_buffer(&launch, sort->scratch[TABLE]);
    if (!has_bytes(tuning))
        cls_arg_buffer(&launch, sort->scratch[OFFSETS]);
    cls_arg_buffer(&launch, sort->arrays->keys_out);
    cls_arg_uint(&launch, has_bytes(tuning) ? sort->schedule->count_work_group.chunks : 1);
    cls_arg_index(&launch, sort->spec, count);
    cls_arg_uint(&launch, (uint32_t)stretch);
    cls_arg_key(&launch, sort->spec, sort->spec->flip);
    return cls_launch_enqueue(sort->chain, &launch, (size_t)cls_divide_up(count, stretch),
                              tuning->group_size);
}

static cl_int enqueue(const struct cls_sort *sort)
{
    if (sort->schedule->count_work_group.is_alone)
        return sort_alone(sort);
    cl_int status = count_keys(sort, sort->schedule->count_work_group.chunk);
    if (status == CL_SUCCESS && !has_bytes(sort->tuning))
        status = sum(sort);
    return status == CL_SUCCESS ? fill(sort) : status;
}

/* -- for the planner ------------------------------------------------------------------------------- */

static uint64_t bytes_per_element(const struct cls_tuning *tuning, const struct cls_spec *spec,
                                  uint64_t count)
{
    (void)count;
    const unsigned looks = has_bytes(tuning) ? 1 : tuning->count_work_group.items;
    return cls_copy_bytes(spec) + (uint64_t)(looks - 1) * spec->key_bytes;
}

/* Several chunks, of several tiles; the last ends early. */
static uint64_t self_test_count(struct cls_tuning *tuning)
{
    tuning->count_work_group.units = 1;
    const uint64_t tiles = 2 * MIN_TILES_8 * tile_of(tuning);
    return (has_bytes(tuning) || tiles > 2 * MIN_CHUNK_16 ? tiles : 2 * MIN_CHUNK_16) + 1;
}

static void describe(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_text *text)
{
    cls_text_add(text, "%u bins, ", 1u << tuning->count_work_group.bits);
    if (is_alone(tuning, count))
        cls_text_add(text, "one group of %u", tuning->group_size);
    else
        cls_text_add(text, "chunks: %llu, groups of %u",
                     (unsigned long long)most_chunks(tuning, spec, count), tuning->group_size);
}

const struct cls_algo cls_algo_count_work_group = {
    .name = "count",
    .operations = CLS_OPERATION(CLS_SORT),
    .traits = CLS_STABLE,
    .primitives = CLS_WORK_GROUP_PRIMITIVES,
    .is_for_gpus = true,
    .supports = supports,
    .schedule = schedule,
    .programs = programs,
    .enqueue = enqueue,
    .bytes_per_element = bytes_per_element,
    .self_test_count = self_test_count,
    .describe = describe,
};
