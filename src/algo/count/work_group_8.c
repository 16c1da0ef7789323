/* work_group_8.c - counting sort of 8-bit keys for work-groups (cl/count/work_group_8.cl) */
#include "algo/common/arguments.h"
#include "algo/common/limits.h"
#include "algo/common/programs.h"
#include "algo/count/count.h"
#include "cl/count/layout.h"

enum {
    GROUP_SIZE = 1024, /* few large groups, since each fill group adds up the tables of all */
    GROUPS_PER_UNIT = 2,
    FILLERS_PER_UNIT = 1024, /* work-items that write the output */
    COPIES = 32,             /* the number of banks of local memory */
    SINGLE_GROUP_TILES = 4 /* one group sorts this many tiles faster than a second launch begins */
};

enum { HISTOGRAM, FILL, SINGLE_GROUP };
static const char *const NAMES[] = {"count_8_histogram", "count_8_fill", "count_8_single_group",
                                    NULL};

enum { TABLE = CLS_OWN_REGIONS, REGIONS };
_Static_assert((int)REGIONS <= (int)CLS_MAX_REGIONS, "too many regions");

/* -- tuning ------------------------------------------------------------------------------------ */

/* Returns an upper bound of the local memory that a kernel uses. */
static uint64_t local_bytes(const struct cls_tuning *tuning, const struct cls_spec *spec)
{
    const uint64_t index_bytes = spec->index_bits / 8;
    const uint64_t counters =
        (uint64_t)COUNT_BINS_8 * sizeof(cls_u32) * tuning->count_work_group.copies;
    const uint64_t starts =
        (COUNT_BINS_8 + 2) * index_bytes + 2 * sizeof(cls_u64) * (uint64_t)tuning->group_size;
    return cls_max(counters, starts) + 64;
}

/* Uses fewer copies of the counters, then smaller groups. Returns false if that is not enough. */
static bool fit_local_memory(const struct cls_caps *caps, const struct cls_spec *spec,
                             struct cls_tuning *tuning)
{
    while (local_bytes(tuning, spec) > caps->local_bytes) {
        struct cls_tuning smaller = *tuning;
        smaller.count_work_group.copies /= 2;
        if (smaller.count_work_group.copies > 0 &&
            local_bytes(&smaller, spec) < local_bytes(tuning, spec))
            *tuning = smaller;
        else if (tuning->group_size > 1)
            tuning->group_size /= 2;
        else
            return false;
    }
    if (tuning->count_work_group.copies > tuning->group_size)
        tuning->count_work_group.copies = tuning->group_size;
    return true;
}

static uint64_t table_bytes(const struct cls_spec *spec)
{
    return (uint64_t)COUNT_BINS_8 * spec->index_bits / 8;
}

static bool supports(const struct cls_caps *caps, const struct cls_spec *spec,
                     const struct cls_parameters *parameters, struct cls_tuning *tuning,
                     const char **why)
{
    (void)parameters;
    if (!cls_count_supports(spec, why))
        return false;
    if (spec->key_bytes != 1) {
        *why = "this variant supports keys of 8 bits only";
        return false;
    }
    *tuning = cls_count_tuning(caps, spec, GROUP_SIZE);
    tuning->count_work_group.copies = COPIES;
    if (!fit_local_memory(caps, spec, tuning)) {
        *why = "the device has too little local memory";
        return false;
    }
    if (caps->max_iterations < UINT64_MAX &&
        !cls_count_limit_iterations(caps->max_iterations, table_bytes(spec), tuning)) {
        *why = "this driver aborts loops after too few iterations";
        return false;
    }
    return true;
}

static bool needs_single_group(const struct cls_tuning *tuning, uint64_t count)
{
    const uint64_t tiles = cls_min(SINGLE_GROUP_TILES, tuning->count_work_group.max_tiles);
    return count <= tiles * cls_count_tile(tuning);
}

static uint64_t chunks_of(const struct cls_tuning *tuning, const struct cls_spec *spec,
                          uint64_t count)
{
    const uint64_t useful =
        cls_min((uint64_t)tuning->count_work_group.units * GROUPS_PER_UNIT,
                cls_divide_up(count, CLS_COUNT_MIN_TILES * cls_count_tile(tuning)));
    return cls_count_chunks(tuning, table_bytes(spec), useful, count);
}

static void schedule(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_schedule *schedule)
{
    const uint64_t chunks = chunks_of(tuning, spec, count);
    uint64_t *bytes = schedule->region_bytes;
    schedule->count_work_group = cls_count_divide(tuning, chunks, count);
    schedule->regions = REGIONS;
    bytes[CLS_CONTROL] = bytes[CLS_KEYS] = bytes[CLS_VALUES] = 0;
    bytes[TABLE] = chunks * table_bytes(spec);
}

static size_t programs(const struct cls_caps *caps, const struct cls_tuning *tuning,
                       const struct cls_spec *spec, struct cls_program_spec *programs)
{
    (void)caps;
    cls_program_begin(programs, "count/work_group_8.cl", NAMES, tuning->group_size, spec);
    cls_text_add(&programs->options, " -DGROUP_SIZE=%u -DCOPIES=%u", tuning->group_size,
                 tuning->count_work_group.copies);
    return 1;
}

/* -- launches ---------------------------------------------------------------------------------- */

static cl_int sort_in_single_group(const struct cls_sort *sort)
{
    const struct cls_arrays *arrays = sort->arrays;
    struct cls_launch launch = cls_launch(sort->kernels[SINGLE_GROUP]);
    cls_arg_buffer(&launch, arrays->keys_in);
    cls_arg_buffer(&launch, sort->scratch[TABLE]);
    cls_arg_buffer(&launch, arrays->keys_out);
    cls_arg_uint(&launch, (uint32_t)arrays->count);
    cls_arg_key(&launch, sort->spec, sort->spec->flip);
    return cls_launch_enqueue(sort->chain, &launch, 1, sort->tuning->group_size);
}

static cl_int histogram(const struct cls_sort *sort)
{
    struct cls_launch launch = cls_launch(sort->kernels[HISTOGRAM]);
    cls_arg_buffer(&launch, sort->arrays->keys_in);
    cls_arg_buffer(&launch, sort->scratch[TABLE]);
    cls_arg_index(&launch, sort->spec, sort->arrays->count);
    cls_arg_uint(&launch, (uint32_t)sort->schedule->count_work_group.chunk);
    return cls_launch_enqueue(sort->chain, &launch, sort->schedule->count_work_group.chunks,
                              sort->tuning->group_size);
}

static cl_int fill(const struct cls_sort *sort)
{
    const uint64_t count = sort->arrays->count;
    const uint32_t section = cls_count_section(sort->tuning, FILLERS_PER_UNIT, count);
    struct cls_launch launch = cls_launch(sort->kernels[FILL]);
    cls_arg_buffer(&launch, sort->scratch[TABLE]);
    cls_arg_buffer(&launch, sort->arrays->keys_out);
    cls_arg_uint(&launch, sort->schedule->count_work_group.chunks);
    cls_arg_index(&launch, sort->spec, count);
    cls_arg_uint(&launch, section);
    cls_arg_key(&launch, sort->spec, sort->spec->flip);
    return cls_launch_enqueue(sort->chain, &launch, (size_t)cls_divide_up(count, section),
                              sort->tuning->group_size);
}

static cl_int enqueue(const struct cls_sort *sort)
{
    if (needs_single_group(sort->tuning, sort->arrays->count))
        return sort_in_single_group(sort);
    const cl_int status = histogram(sort);
    return status == CL_SUCCESS ? fill(sort) : status;
}

/* -- for the planner --------------------------------------------------------------------------- */

/* The sort has two chunks of several tiles. The last tile is incomplete. */
static uint64_t self_test_count(struct cls_tuning *tuning)
{
    tuning->count_work_group.units = 1;
    return 2 * CLS_COUNT_MIN_TILES * cls_count_tile(tuning) + 1;
}

static void describe(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_text *text)
{
    cls_text_add(text, "%u bins, ", (unsigned)COUNT_BINS_8);
    if (needs_single_group(tuning, count))
        cls_text_add(text, "one group of %u", tuning->group_size);
    else
        cls_text_add(text, "chunks: %llu, groups of %u",
                     (unsigned long long)chunks_of(tuning, spec, count), tuning->group_size);
}

const struct cls_algo cls_algo_count_work_group_8 = {
    .name = "count",
    .operations = CLS_OPERATION(CLSORT_SORT),
    .traits = CLS_STABLE,
    .primitives = CLS_WORK_GROUP_PRIMITIVES,
    .is_for_gpus = true,
    .supports = supports,
    .schedule = schedule,
    .programs = programs,
    .enqueue = enqueue,
    .bytes_per_element = cls_count_bytes_per_element,
    .self_test_count = self_test_count,
    .describe = describe,
};
