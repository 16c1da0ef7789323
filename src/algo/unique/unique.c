/* unique.c - the algorithm of CLSORT_UNIQUE: copies the first element of each run (cl/unique/unique.cl) */
#include "algo/common/arguments.h"
#include "algo/common/limits.h"
#include "algo/common/programs.h"
#include "cl/unique/layout.h"
#include "device/sub_group.h"

#include <limits.h>

enum {
    GROUP_SIZE = 256,
    ITEMS = 16, /* elements of a work-item in a tile */
    LOCAL_BYTES_PER_ITEM = sizeof(cl_uint) + ITEMS * sizeof(cl_ushort), /* unique_tile_t */
    CPU_CHUNKS_PER_UNIT = 4,
    GPU_CHUNKS_PER_UNIT = 32,
    CPU_MIN_CHUNK_BYTES = 1 << 16,
    CPU_MULTIPLE = 64,         /* the vectors of a step in cores.cl */
    MAX_CHUNK = 1 << 30,       /* work-items count with 32 bits */
    MAX_ROW_UNITS = 4,         /* of values whose copy is unrolled */
    MAX_WIDTH = 1 << 18,       /* indexes of the units of a tile have 32 bits */
    SELF_TEST_WIDTH = 7,       /* wide values then need several launches */
    CPU_MAX_KEY_BYTES = 32768, /* with the copies of keys, less than 1 MiB of a thread's stack */
    GPU_MAX_KEY_BYTES = 1024,
    /* Upper bounds of a work-item's iterations: for a tile, without those for the values, and for
     * GROUP_SIZE chunks in unique_offsets. Comparisons by columns have more. */
    ITERATIONS_PER_TILE = 128 + ITEMS * CLS_MAX_SUB_GROUP_SIZE, /* with ballots in local memory */
    ITERATIONS_PER_SCAN = 16
};

enum { COUNT, OFFSETS, WRITE };
static const char *const NAMES[] = {"unique_count", "unique_offsets", "unique_write", NULL};

/* Returns the size of the values or, with columns, of the records, which are copied as these are. */
static uint64_t row_bytes(const struct cls_spec *spec)
{
    return spec->order != CLS_ORDER_COLUMNS ? spec->value_bytes
           : spec->column_buffers > 0       ? 0
                                            : spec->key_bytes;
}

static bool supports_cores(const struct cls_caps *caps, const struct cls_spec *spec,
                           const struct cls_parameters *parameters, struct cls_tuning *tuning,
                           const char **why)
{
    const uint64_t min = CPU_MIN_CHUNK_BYTES / (cls_compared_bytes(spec) + row_bytes(spec));
    (void)parameters;
    if (!cls_allows_long_work_items(caps, why) ||
        !cls_fits_private_memory(spec, CPU_MAX_KEY_BYTES, why))
        return false;
    *tuning = (struct cls_tuning){
        .group_size = 1,
        .max_count = cls_max_countable(caps, spec),
        .unique = {.chunking = {.units = caps->units,
                                .per_unit = CPU_CHUNKS_PER_UNIT,
                                .min_chunk = cls_max(min, 1),
                                .max_chunk = MAX_CHUNK,
                                .multiple = min >= CPU_MULTIPLE ? CPU_MULTIPLE : 1},
                   .max_width = UINT32_MAX},
    };
    return true;
}

/* Limits the sizes of chunks, values and inputs, so that no work-item exceeds max_iterations. */
static void limit_iterations(const struct cls_spec *spec, uint64_t max_iterations,
                             struct cls_tuning *tuning)
{
    struct cls_unique_tuning *unique = &tuning->unique;
    const uint64_t per_tile = ITERATIONS_PER_TILE + ITEMS * cls_iterations_per_comparison(spec);
    const uint64_t tile = unique->chunking.multiple,
                   tiles = cls_max(max_iterations / 2 / per_tile, 1);
    unique->chunking.max_chunk = cls_min(tiles * tile, MAX_CHUNK);
    unique->max_width = cls_min(cls_max(max_iterations / 2 / (tiles * ITEMS), 1), MAX_WIDTH);
    const uint64_t scans = cls_min(max_iterations / ITERATIONS_PER_SCAN, UINT32_MAX);
    const uint64_t chunks = cls_min(scans * tuning->group_size, UINT32_MAX);
    tuning->max_count = cls_min(tuning->max_count, chunks * unique->chunking.max_chunk);
}

static bool supports_groups(const struct cls_caps *caps, const struct cls_spec *spec,
                            const struct cls_parameters *parameters, struct cls_tuning *tuning,
                            const char **why)
{
    unsigned group_size = cls_fit_group_size(caps, GROUP_SIZE);
    (void)parameters;
    while (group_size > 1 && (uint64_t)group_size * LOCAL_BYTES_PER_ITEM > caps->local_bytes)
        group_size /= 2;
    if (group_size * LOCAL_BYTES_PER_ITEM > caps->local_bytes) {
        *why = "the device has too little local memory";
        return false;
    }
    if (!cls_fits_private_memory(spec, GPU_MAX_KEY_BYTES, why) || !cls_copies_keys(caps, spec, why))
        return false;
    const uint64_t tile = (uint64_t)group_size * ITEMS;
    *tuning = (struct cls_tuning){
        .group_size = group_size,
        .max_count = cls_max_countable(caps, spec),
        .unique = {.chunking = {.units = caps->units,
                                .per_unit = GPU_CHUNKS_PER_UNIT,
                                .min_chunk = tile,
                                .max_chunk = MAX_CHUNK,
                                .multiple = tile},
                   .max_width = MAX_WIDTH},
    };
    if (caps->max_iterations < UINT64_MAX)
        limit_iterations(spec, caps->max_iterations, tuning);
    return true;
}

static void schedule(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_schedule *schedule)
{
    const struct cls_chunking *chunking = &tuning->unique.chunking;
    struct cls_unique_schedule *unique = &schedule->unique;
    (void)spec;
    schedule->regions = CLS_OWN_REGIONS;
    for (size_t i = 0; i < CLS_OWN_REGIONS; i++)
        schedule->region_bytes[i] = 0;
    schedule->region_bytes[CLS_CONTROL] =
        cls_max_chunks(chunking, count) * sizeof(cls_unique_chunk);
    unique->chunk = count > 0 ? cls_chunk_size(chunking, count) : 0;
    unique->chunks = count > 0 ? cls_divide_up(count, unique->chunk) : 0;
}

static uint64_t row_units(const struct cls_spec *spec)
{
    const uint64_t bytes = row_bytes(spec);
    return bytes > 0 ? bytes / cls_alignment((size_t)bytes) : 0;
}

/* Returns whether the copy of rows is unrolled. That of records is not, so that one program copies all records of an
 * alignment. */
static bool unrolls_rows(const struct cls_spec *spec)
{
    return spec->order != CLS_ORDER_COLUMNS && row_units(spec) <= MAX_ROW_UNITS;
}

static void add_program(const char *root, const struct cls_tuning *tuning,
                        const struct cls_spec *spec, struct cls_program_spec *program)
{
    struct cls_spec keys = *spec; /* values are rows of units */
    const uint64_t units = row_units(spec);
    keys.value_bytes = 0;
    cls_program_begin(program, root, NAMES, tuning->group_size, &keys);
    cls_text_add(&program->options, " -DGROUP_SIZE=%u -DUNIT_BYTES=%zu -DROW_UNITS=%u",
                 tuning->group_size, units > 0 ? cls_alignment((size_t)row_bytes(spec)) : 1,
                 unrolls_rows(spec) ? (unsigned)units : 0);
}

static size_t programs_cores(const struct cls_caps *caps, const struct cls_tuning *tuning,
                             const struct cls_spec *spec, struct cls_program_spec *programs)
{
    (void)caps;
    add_program("unique/cores.cl", tuning, spec, programs);
    return 1;
}

static size_t programs_groups(const struct cls_caps *caps, const struct cls_tuning *tuning,
                              const struct cls_spec *spec, struct cls_program_spec *programs)
{
    add_program("unique/work_group.cl", tuning, spec, programs);
    cls_text_add(&programs->options, " -DITEMS=%d", ITEMS);
    cls_sub_group_options(caps, &programs->options);
    return 1;
}

/* -- launches ---------------------------------------------------------------------------------- */

static cl_int count_runs(const struct cls_sort *sort, const cls_unique_args *args)
{
    struct cls_launch launch = cls_launch(sort->kernels[COUNT]);
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    cls_arg_elements_in(&launch, sort);
    cls_arg_count(&launch, sort);
    cls_arg_struct(&launch, args, sizeof *args);
    cls_arg_order(&launch, sort->spec);
    return cls_launch_enqueue(sort->chain, &launch, args->chunks, sort->tuning->group_size);
}

static cl_int scan_counts(const struct cls_sort *sort, const cls_unique_args *args)
{
    struct cls_launch launch = cls_launch(sort->kernels[OFFSETS]);
    /* Without elements there is no scratch, which the kernel then does not access. */
    cls_arg_buffer(&launch, args->chunks > 0 ? sort->scratch[CLS_CONTROL] : sort->arrays->result);
    cls_arg_buffer(&launch, sort->arrays->result);
    cls_arg_struct(&launch, args, sizeof *args);
    return cls_launch_enqueue(sort->chain, &launch, 1, sort->tuning->group_size);
}

/* Returns the buffer, or the result if it is missing: the kernel needs a buffer, also if it does not access
 * it. */
static clsort_buffer or_result(const struct cls_arrays *arrays, clsort_buffer buffer)
{
    return buffer.mem ? buffer : arrays->result;
}

static cl_int write_outputs(const struct cls_sort *sort, const cls_unique_args *args)
{
    const struct cls_arrays *arrays = sort->arrays;
    const bool by_columns = sort->spec->order == CLS_ORDER_COLUMNS;
    struct cls_launch launch = cls_launch(sort->kernels[WRITE]);
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    cls_arg_elements_in(&launch, sort);
    cls_arg_buffer(&launch, or_result(arrays, arrays->keys_out));
    cls_arg_buffer(&launch, or_result(arrays, by_columns ? arrays->keys_in : arrays->values_in));
    cls_arg_buffer(&launch, or_result(arrays, by_columns ? arrays->keys_out : arrays->values_out));
    cls_arg_buffer(&launch, or_result(arrays, arrays->index_out));
    cls_arg_count(&launch, sort);
    cls_arg_struct(&launch, args, sizeof *args);
    cls_arg_order(&launch, sort->spec);
    return cls_launch_enqueue(sort->chain, &launch, args->chunks, sort->tuning->group_size);
}

/* Writes all outputs. Only the first launch writes keys and indexes. */
static cl_int write_columns(const struct cls_sort *sort, cls_unique_args *args)
{
    const uint64_t units = row_units(sort->spec);
    const uint64_t max_width =
        unrolls_rows(sort->spec) ? MAX_ROW_UNITS : sort->tuning->unique.max_width;
    const uint64_t columns = args->outputs & UNIQUE_VALUES ? units : 0;
    uint64_t column = 0;
    cl_int status;
    args->row_units = (cls_u32)units;
    do {
        args->column = (cls_u32)column;
        args->width = (cls_u32)cls_min(columns - column, max_width);
        status = write_outputs(sort, args);
        args->outputs = UNIQUE_VALUES;
        column += args->width;
    } while (status == CL_SUCCESS && column < columns);
    return status;
}

static cl_int enqueue(const struct cls_sort *sort)
{
    const struct cls_arrays *arrays = sort->arrays;
    const struct cls_unique_schedule *schedule = &sort->schedule->unique;
    const cls_u32 keys = sort->spec->order == CLS_ORDER_COLUMNS ? UNIQUE_VALUES : UNIQUE_KEYS;
    cls_unique_args args = {
        .count = arrays->count,
        .chunk = schedule->chunk,
        .multiple = sort->tuning->unique.chunking.multiple,
        .chunks = (cls_u32)schedule->chunks,
        .outputs = (arrays->keys_out.mem ? keys : 0u) |
                   (arrays->values_out.mem ? UNIQUE_VALUES : 0u) |
                   (arrays->index_out.mem ? UNIQUE_INDEXES : 0u),
        .index_bytes = sort->spec->index_bytes,
    };
    cl_int status = args.chunks > 0 ? count_runs(sort, &args) : CL_SUCCESS;
    if (status == CL_SUCCESS)
        status = scan_counts(sort, &args);
    return status == CL_SUCCESS && args.chunks > 0 ? write_columns(sort, &args) : status;
}

/* Without repeats, all elements are written. */
static uint64_t bytes_per_element(const struct cls_tuning *tuning, const struct cls_spec *spec,
                                  uint64_t count)
{
    (void)tuning;
    (void)count;
    const uint64_t key = spec->order == CLS_ORDER_COLUMNS ? 0 : spec->key_bytes;
    return 2 * cls_compared_bytes(spec) + key + 2 * row_bytes(spec);
}

/* Two chunks of more than two strips each, and some elements that fill no step. */
static uint64_t self_test_count_cores(struct cls_tuning *tuning)
{
    enum { CHUNK = 4500 };
    tuning->unique.chunking.units = 1;
    tuning->unique.chunking.per_unit = 2;
    tuning->unique.chunking.min_chunk = CHUNK;
    tuning->unique.max_width = SELF_TEST_WIDTH;
    return 2 * CHUNK + 1;
}

/* Two chunks of two tiles, the last of which is not full. */
static uint64_t self_test_count_groups(struct cls_tuning *tuning)
{
    tuning->unique.chunking.units = 1;
    tuning->unique.chunking.per_unit = 2;
    tuning->unique.max_width = SELF_TEST_WIDTH;
    return 3 * tuning->unique.chunking.multiple + 7;
}

static void describe(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_text *text)
{
    struct cls_schedule of;
    schedule(tuning, spec, count, &of);
    cls_text_add(text, "by count, scan and write, %llu chunks for %s",
                 (unsigned long long)of.unique.chunks,
                 tuning->group_size == 1 ? "cores" : "work-groups");
}

const struct cls_algo cls_algo_unique_cores = {
    .name = "unique",
    .operations = CLS_OPERATION(CLSORT_UNIQUE),
    .traits = CLS_STABLE | CLS_CUSTOM | CLS_COUNTS | CLS_COLUMNS,
    .max_value_bytes_once = UINT_MAX,
    .supports = supports_cores,
    .schedule = schedule,
    .programs = programs_cores,
    .enqueue = enqueue,
    .bytes_per_element = bytes_per_element,
    .self_test_count = self_test_count_cores,
    .describe = describe,
};

const struct cls_algo cls_algo_unique_work_group = {
    .name = "unique",
    .operations = CLS_OPERATION(CLSORT_UNIQUE),
    .traits = CLS_STABLE | CLS_CUSTOM | CLS_COUNTS | CLS_COLUMNS,
    .max_value_bytes_once = UINT_MAX,
    .supports = supports_groups,
    .schedule = schedule,
    .programs = programs_groups,
    .enqueue = enqueue,
    .bytes_per_element = bytes_per_element,
    .self_test_count = self_test_count_groups,
    .describe = describe,
};
