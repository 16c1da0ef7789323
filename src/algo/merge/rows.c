/* rows.c - the merge of two sorted inputs by columns, for cores and for work-groups (cl/merge/merge_rows.cl) */
#include "algo/common/arguments.h"
#include "algo/common/limits.h"
#include "algo/common/programs.h"
#include "algo/merge/merge.h"

#include <limits.h>

enum {
    CPU_TILE = 2048, /* with its records, a part of the L2 cache */
    GPU_GROUP_SIZE = 256,
    GPU_ITEMS = 8,
    LOCAL_BYTES_PER_ELEMENT = sizeof(cl_ulong) + sizeof(cl_ushort),
    LOCAL_BYTES_PER_ITEM = sizeof(cl_uint),
    LOCAL_BYTES = 16,            /* merge_rows_tile_t without its arrays, and padding */
    MAX_STARTS_BYTES = 24 << 20, /* limits the number of tiles */
    MAX_WIDTH = 1 << 18,         /* indexes of the units of a tile have 32 bits */
    MAX_WORDS_READ = 128,        /* of a co-rank's search, in elements */
    SELF_TEST_WIDTH = 3          /* records then need several launches */
};

enum { BEGIN, SPLIT, MERGE };
static const char *const NAMES[] = {"merge_rows_begin", "merge_split", "merge_rows", NULL};

enum { STARTS = CLS_OWN_REGIONS, REGIONS };
_Static_assert((int)REGIONS <= (int)CLS_MAX_REGIONS, "too many regions");

static uint64_t tile_of(const struct cls_tuning *tuning)
{
    return (uint64_t)tuning->group_size * tuning->merge_rows.items;
}

/* Returns the size of the local memory of a tile. */
static uint64_t local_bytes(const struct cls_tuning *tuning)
{
    return tile_of(tuning) * LOCAL_BYTES_PER_ELEMENT +
           (uint64_t)tuning->group_size * LOCAL_BYTES_PER_ITEM + LOCAL_BYTES;
}

static bool merges_by_columns(const struct cls_spec *spec, const char **why)
{
    if (spec->order == CLS_ORDER_COLUMNS)
        return true;
    *why = "the algorithm merges by columns only";
    return false;
}

/* Limits the number of elements to that of the tiles whose starts fit in scratch. */
static void limit_count(const struct cls_caps *caps, const struct cls_spec *spec,
                        struct cls_tuning *tuning)
{
    const uint64_t max_tiles = MAX_STARTS_BYTES / (spec->index_bits / 8);
    tuning->max_count = cls_min(cls_max_countable(caps, spec), max_tiles * tile_of(tuning));
}

static bool supports_cores(const struct cls_caps *caps, const struct cls_spec *spec,
                           const struct cls_parameters *parameters, struct cls_tuning *tuning,
                           const char **why)
{
    (void)parameters;
    if (!merges_by_columns(spec, why) || !cls_allows_long_work_items(caps, why))
        return false;
    *tuning = (struct cls_tuning){.group_size = 1,
                                  .merge_rows = {.items = CPU_TILE, .max_width = UINT32_MAX}};
    while (local_bytes(tuning) > caps->local_bytes && tuning->merge_rows.items > 1)
        tuning->merge_rows.items /= 2;
    limit_count(caps, spec, tuning);
    return true;
}

/* Limits the size of tiles, and the units that a launch copies, so that no work-item exceeds max_iterations, as far as
 * possible: it loads and merges its elements, and searches for the co-ranks of two tiles and for its own. */
static void limit_iterations(const struct cls_spec *spec, uint64_t max_iterations,
                             struct cls_tuning *tuning)
{
    struct cls_merge_rows_tuning *rows = &tuning->merge_rows;
    const uint64_t per_comparison = 1 + cls_iterations_per_comparison(spec);
    while (rows->items > 1 &&
           (2 * rows->items + MAX_WORDS_READ) * per_comparison > max_iterations / 2)
        rows->items /= 2;
    rows->max_width = cls_min(cls_max(max_iterations / 2 / rows->items, 1), MAX_WIDTH);
}

static bool supports_groups(const struct cls_caps *caps, const struct cls_spec *spec,
                            const struct cls_parameters *parameters, struct cls_tuning *tuning,
                            const char **why)
{
    (void)parameters;
    if (!merges_by_columns(spec, why))
        return false;
    *tuning = (struct cls_tuning){.group_size = cls_fit_group_size(caps, GPU_GROUP_SIZE),
                                  .merge_rows = {.items = GPU_ITEMS, .max_width = MAX_WIDTH}};
    while (local_bytes(tuning) > caps->local_bytes && tuning->merge_rows.items > 1)
        tuning->merge_rows.items /= 2;
    while (local_bytes(tuning) > caps->local_bytes && tuning->group_size > 1)
        tuning->group_size /= 2;
    if (local_bytes(tuning) > caps->local_bytes) {
        *why = "the device has too little local memory";
        return false;
    }
    if (caps->max_iterations < UINT64_MAX)
        limit_iterations(spec, caps->max_iterations, tuning);
    limit_count(caps, spec, tuning);
    return true;
}

static void schedule(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_schedule *schedule)
{
    schedule->regions = REGIONS;
    schedule->merge_rows.tiles = cls_divide_up(count, tile_of(tuning));
    for (size_t i = 0; i < CLS_OWN_REGIONS; i++)
        schedule->region_bytes[i] = 0;
    schedule->region_bytes[CLS_CONTROL] = sizeof(cls_merge_control);
    schedule->region_bytes[STARTS] = schedule->merge_rows.tiles * (spec->index_bits / 8);
}

/* Returns the size of the records; 0 if the output has indexes. */
static uint64_t record_bytes(const struct cls_spec *spec)
{
    return spec->index_bytes > 0 ? 0 : spec->key_bytes;
}

static size_t programs(const struct cls_caps *caps, const struct cls_tuning *tuning,
                       const struct cls_spec *spec, struct cls_program_spec *programs)
{
    const uint64_t record = record_bytes(spec);
    (void)caps;
    cls_program_begin(programs, "merge/merge_rows.cl", NAMES, tuning->group_size, spec);
    cls_text_add(&programs->options, " -DGROUP_SIZE=%u -DITEMS=%u -DUNIT_BYTES=%zu",
                 tuning->group_size, tuning->merge_rows.items,
                 record > 0 ? cls_alignment((size_t)record) : 1);
    cls_merge_options(spec, &programs->options);
    return 1;
}

/* -- launches ---------------------------------------------------------------------------------- */

static cl_int begin(const struct cls_sort *sort)
{
    struct cls_launch launch = cls_launch(sort->kernels[BEGIN]);
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    return cls_launch_enqueue(sort->chain, &launch, 1, 1);
}

/* Adds the arguments that a kernel declares by MERGE_INPUT. Columns with a buffer each have both inputs. */
static void add_inputs(struct cls_launch *launch, const struct cls_sort *sort)
{
    cls_arg_elements_in(launch, sort);
    cls_arg_buffer(launch, sort->spec->column_buffers > 0 ? sort->arrays->columns[0]
                                                          : sort->arrays->second_keys);
}

static cl_int split(const struct cls_sort *sort, const struct cls_merge_round *round)
{
    struct cls_launch launch = cls_launch(sort->kernels[SPLIT]);
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    add_inputs(&launch, sort);
    cls_arg_buffer(&launch, sort->scratch[STARTS]);
    cls_merge_arg_round(&launch, sort, round);
    cls_arg_order(&launch, sort->spec);
    return cls_merge_split_enqueue(sort, &launch, sort->schedule->merge_rows.tiles);
}

static cl_int merge(const struct cls_sort *sort, const struct cls_merge_round *round,
                    const cls_merge_rows_args *args)
{
    const struct cls_arrays *arrays = sort->arrays;
    struct cls_launch launch = cls_launch(sort->kernels[MERGE]);
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    add_inputs(&launch, sort);
    cls_arg_buffer(&launch, sort->scratch[STARTS]);
    cls_arg_buffer(&launch, args->index_bytes > 0 ? arrays->index_out : arrays->keys_out);
    cls_merge_arg_round(&launch, sort, round);
    cls_arg_struct(&launch, args, sizeof *args);
    cls_arg_order(&launch, sort->spec);
    return cls_launch_enqueue(sort->chain, &launch, (size_t)sort->schedule->merge_rows.tiles,
                              sort->tuning->group_size);
}

static cl_int enqueue(const struct cls_sort *sort)
{
    const struct cls_merge_round round = {.width = sort->arrays->count - sort->arrays->second_count,
                                          .two_inputs = true};
    const uint64_t record = record_bytes(sort->spec);
    const uint64_t units = record > 0 ? record / cls_alignment((size_t)record) : 0;
    cls_merge_rows_args args = {.index_bytes = sort->spec->index_bytes,
                                .row_units = (cls_u32)units};
    uint64_t column = 0;
    cl_int status = begin(sort);
    if (status == CL_SUCCESS)
        status = split(sort, &round);
    do {
        args.column = (cls_u32)column;
        args.width = (cls_u32)cls_min(units - column, sort->tuning->merge_rows.max_width);
        if (status == CL_SUCCESS)
            status = merge(sort, &round, &args);
        column += args.width;
    } while (status == CL_SUCCESS && column < units);
    return status;
}

static uint64_t bytes_per_element(const struct cls_tuning *tuning, const struct cls_spec *spec,
                                  uint64_t count)
{
    const uint64_t record = record_bytes(spec);
    (void)tuning;
    (void)count;
    return record > 0 ? 2 * record : cls_compared_bytes(spec) + spec->index_bytes;
}

/* Several tiles, the last of which is not full. */
static uint64_t self_test_count(struct cls_tuning *tuning)
{
    tuning->merge_rows.max_width = SELF_TEST_WIDTH;
    return 3 * tile_of(tuning) + 7;
}

static void describe(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_text *text)
{
    (void)spec;
    (void)count;
    cls_text_add(text, "tiles of %u x %u", tuning->group_size, tuning->merge_rows.items);
}

const struct cls_algo cls_algo_merge_rows_cores = {
    .name = "merge_rows",
    .operations = CLS_OPERATION(CLSORT_MERGE_SORTED),
    .traits = CLS_STABLE | CLS_COLUMNS,
    .supports = supports_cores,
    .schedule = schedule,
    .programs = programs,
    .enqueue = enqueue,
    .bytes_per_element = bytes_per_element,
    .self_test_count = self_test_count,
    .describe = describe,
};

const struct cls_algo cls_algo_merge_rows_work_group = {
    .name = "merge_rows",
    .operations = CLS_OPERATION(CLSORT_MERGE_SORTED),
    .traits = CLS_STABLE | CLS_COLUMNS,
    .supports = supports_groups,
    .schedule = schedule,
    .programs = programs,
    .enqueue = enqueue,
    .bytes_per_element = bytes_per_element,
    .self_test_count = self_test_count,
    .describe = describe,
};
