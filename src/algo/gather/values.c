/* values.c - the algorithm of CLSORT_GATHER: reorders values by any indexes (values.cl) */
#include "algo/common/arguments.h"
#include "algo/common/limits.h"
#include "algo/gather/rows.h"

#include <limits.h>

enum { MAX_ROW_UNITS = 4 }; /* of rows that a single work-item moves */

enum { CLEAR, VALUES };
static const char *const NAMES[] = {"gather_clear", "gather_values", NULL};

static bool supports(const struct cls_caps *caps, const struct cls_spec *spec,
                     const struct cls_parameters *parameters, struct cls_tuning *tuning,
                     const char **why)
{
    (void)parameters;
    (void)why;
    *tuning = (struct cls_tuning){
        .gather = cls_gather_rows_for(caps, spec, spec->value_bytes),
        .max_count = cls_max_countable(caps, spec),
    };
    tuning->group_size = tuning->gather.group_size;
    return true;
}

static void schedule(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_schedule *schedule)
{
    (void)tuning;
    (void)spec;
    (void)count;
    schedule->regions = CLS_OWN_REGIONS;
    for (size_t i = 0; i < CLS_OWN_REGIONS; i++)
        schedule->region_bytes[i] = 0;
}

/* Returns the units of a row if a single work-item moves it, otherwise 0. */
static uint64_t row_units(const struct cls_gather *gather)
{
    const uint64_t columns = cls_gather_columns(gather);
    return columns <= MAX_ROW_UNITS ? columns : 0;
}

static size_t programs(const struct cls_caps *caps, const struct cls_tuning *tuning,
                       const struct cls_spec *spec, struct cls_program_spec *programs)
{
    (void)caps;
    cls_gather_rows_program(&tuning->gather, spec->key_bytes, "gather/values.cl", NAMES, programs);
    cls_text_add(&programs->options, " -DROW_UNITS=%u", (unsigned)row_units(&tuning->gather));
    return 1;
}

static cl_int clear_result(const struct cls_sort *sort)
{
    struct cls_launch launch = cls_launch(sort->kernels[CLEAR]);
    cls_arg_buffer(&launch, sort->arrays->result);
    return cls_launch_enqueue(sort->chain, &launch, 1, 1);
}

static cl_int move_columns(const struct cls_sort *sort, uint64_t column, uint64_t width)
{
    const struct cls_gather *gather = &sort->tuning->gather;
    const struct cls_arrays *arrays = sort->arrays;
    const bool is_counted = arrays->result.mem && column == 0;
    cls_gather_rows rows = cls_gather_divide(gather, arrays->count, width);
    rows.first_count = arrays->source_count > 0 ? arrays->source_count : 1;
    rows.from_stride = rows.to_stride = (cls_u32)cls_gather_columns(gather);
    rows.from_column = rows.to_column = (cls_u32)column;
    struct cls_launch launch = cls_launch(sort->kernels[VALUES]);
    cls_arg_buffer(&launch, arrays->keys_in);
    /* The kernel needs buffers, also if it does not read from or write to them. */
    cls_arg_buffer(&launch, arrays->values_in.mem ? arrays->values_in : arrays->keys_in);
    cls_arg_buffer(&launch, arrays->values_out);
    cls_arg_buffer(&launch, is_counted ? arrays->result : arrays->values_out);
    cls_arg_ulong(&launch, arrays->source_count);
    cls_arg_uint(&launch, is_counted);
    return cls_gather_run(sort->chain, &launch, gather, arrays->count_buffer, &rows);
}

static cl_int enqueue(const struct cls_sort *sort)
{
    const uint64_t columns = cls_gather_columns(&sort->tuning->gather);
    const uint64_t width = cls_gather_max_columns(&sort->tuning->gather, columns);
    /* The clamp of a count in device memory has initialized the result. */
    const bool clears = sort->arrays->result.mem && sort->spec->count_bytes == 0;
    cl_int status = clears ? clear_result(sort) : CL_SUCCESS;
    if (sort->arrays->count == 0)
        return status;
    for (uint64_t column = 0; column < columns && status == CL_SUCCESS; column += width)
        status = move_columns(sort, column, cls_min(columns - column, width));
    return status;
}

static uint64_t bytes_per_element(const struct cls_tuning *tuning, const struct cls_spec *spec,
                                  uint64_t count)
{
    (void)tuning;
    (void)count;
    return 2 * (uint64_t)spec->value_bytes + spec->key_bytes;
}

/* Each work-item of two units' work-groups moves at least two rows, and the last group fewer. */
static uint64_t self_test_count(struct cls_tuning *tuning)
{
    tuning->gather.units = 2;
    return 64 * (uint64_t)tuning->group_size + 7;
}

static void describe(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_text *text)
{
    (void)spec;
    (void)count;
    cls_text_add(text, "work-groups of %u", tuning->group_size);
}

const struct cls_algo cls_algo_gather = {
    .name = "gather",
    .operations = CLS_OPERATION(CLSORT_GATHER),
    .traits = CLS_STABLE | CLS_COUNTS,
    .max_value_bytes_once = UINT_MAX,
    .supports = supports,
    .schedule = schedule,
    .programs = programs,
    .enqueue = enqueue,
    .bytes_per_element = bytes_per_element,
    .self_test_count = self_test_count,
    .describe = describe,
};
