/* gather.c - wide values take their places after their keys, by the permutation (gather.cl) */
#include "algo/gather/gather.h"

#include "algo/common/arguments.h"
#include "algo/common/limits.h"
#include "algo/common/programs.h"

enum {
    GPU_GROUP_SIZE = 64,
    SLICE_MAX = 64,      /* a cache line: narrower slices would fetch lines more often */
    GROUPS_PER_UNIT = 16 /* rows are far apart: many groups hide the latency */
};

enum { GATHER, PUT_BACK };
static const char *const NAMES[] = {"gather_rows", "put_back_rows", NULL};

struct cls_gather cls_gather_for(const struct cls_caps *caps, const struct cls_spec *sort,
                                 size_t value_bytes)
{
    const unsigned wanted = caps->type & CL_DEVICE_TYPE_CPU ? 1 : GPU_GROUP_SIZE;
    return (struct cls_gather){
        .value_bytes = value_bytes,
        .key_bytes = sort->key_bytes,
        .index_bits = sort->index_bits,
        .group_size = wanted < caps->group_size ? wanted : cls_floor_power_of_two(caps->group_size),
        .units = caps->units,
        .max_iterations = caps->max_iterations,
    };
}

uint64_t cls_gather_slice(const struct cls_gather *gather)
{
    const uint64_t room = gather->value_bytes + gather->key_bytes - 2 * gather->index_bits / 8;
    uint64_t slice = gather->value_bytes < room ? gather->value_bytes : room;
    slice = slice < SLICE_MAX ? slice : SLICE_MAX;
    return slice / cls_unit(gather->value_bytes) * cls_unit(gather->value_bytes);
}

uint64_t cls_gather_bytes_per_element(const struct cls_gather *gather)
{
    return 2 * (uint64_t)gather->value_bytes + gather->index_bits / 8;
}

void cls_gather_program(const struct cls_gather *gather, struct cls_program_spec *program)
{
    /* Only the index matters of the types; the others have to be something. */
    const struct cls_spec rows = {.key_bytes = 4, .index_bits = gather->index_bits};
    cls_program_begin(program, "gather/gather.cl", NAMES, gather->group_size, &rows);
    cls_text_add(&program->options, " -DUNIT_BYTES=%zu -DGROUP_SIZE=%u",
                 cls_unit(gather->value_bytes), gather->group_size);
}

/* A launch that moves `width` units of each row. */
struct rows {
    const struct cls_gather *gather;
    uint64_t count, chunk; /* rows, and those of a group */
    uint64_t lanes, width;
};

static struct rows rows_of(const struct cls_gather *gather, uint64_t count, uint64_t width)
{
    const uint64_t lanes =
        cls_floor_power_of_two(width < gather->group_size ? width : gather->group_size);
    const uint64_t groups = (uint64_t)gather->units * GROUPS_PER_UNIT;
    /* A work-item goes through its rows, and in each through its units; leaving a loop is a turn too. */
    const uint64_t most = gather->max_iterations / (cls_divide_up(width, lanes) + 2);
    const uint64_t share = cls_divide_up(count, groups), rows_at_once = gather->group_size / lanes;
    const uint64_t chunk =
        share / rows_at_once < most ? share : (most > 0 ? most : 1) * rows_at_once;
    return (struct rows){gather, count, chunk, lanes, width};
}

/* The arguments of MOVE_ROWS in gather.cl, all in units. */
static void arg_rows(struct cls_launch *launch, const struct rows *rows, uint64_t from_stride,
                     uint64_t from_column, uint64_t to_stride, uint64_t to_column)
{
    cls_arg_sized(launch, rows->gather->index_bits / 8, rows->count);
    cls_arg_sized(launch, rows->gather->index_bits / 8, rows->chunk);
    cls_arg_uint(launch, (uint32_t)rows->lanes);
    cls_arg_uint(launch, (uint32_t)rows->width);
    cls_arg_uint(launch, (uint32_t)from_stride);
    cls_arg_uint(launch, (uint32_t)from_column);
    cls_arg_uint(launch, (uint32_t)to_stride);
    cls_arg_uint(launch, (uint32_t)to_column);
}

static cl_int run_rows(struct cls_chain *chain, struct cls_launch *launch, const struct rows *rows)
{
    return cls_launch_enqueue(chain, launch, (size_t)cls_divide_up(rows->count, rows->chunk),
                              rows->gather->group_size);
}

cl_int cls_gather_enqueue(const cl_kernel *kernels, const struct cls_gather *gather,
                          const struct cls_gather_job *job, struct cls_chain *chain)
{
    const uint64_t unit = cls_unit(gather->value_bytes), row = gather->value_bytes / unit;
    const struct cls_arrays *arrays = job->arrays;
    /* An input of no elements may have no buffer, and kernels want one. */
    const clsort_buffer second =
        arrays->second_count > 0 ? arrays->second_values : arrays->values_in;
    uint64_t slice = arrays->in_place ? cls_gather_slice(gather) / unit : row;
    if (slice > gather->max_iterations / 2)
        slice = gather->max_iterations / 2 + 1;

    for (uint64_t column = 0; column < row; column += slice) {
        const struct rows rows =
            rows_of(gather, arrays->count, row - column < slice ? row - column : slice);
        struct cls_launch launch = cls_launch(kernels[GATHER]);
        cls_arg_buffer(&launch, job->control);
        cls_arg_buffer(&launch, job->index);
        cls_arg_buffer(&launch, arrays->values_in);
        cls_arg_buffer(&launch, second);
        cls_arg_sized(&launch, gather->index_bits / 8, arrays->count - arrays->second_count);
        cls_arg_buffer(&launch, arrays->in_place ? job->slice : arrays->values_out);
        if (arrays->in_place)
            arg_rows(&launch, &rows, row, column, slice, 0);
        else
            arg_rows(&launch, &rows, row, column, row, column);
        cls_arg_uint(&launch, arrays->in_place);
        cl_int status = run_rows(chain, &launch, &rows);
        if (status == CL_SUCCESS && arrays->in_place) {
            launch = cls_launch(kernels[PUT_BACK]);
            cls_arg_buffer(&launch, job->control);
            cls_arg_buffer(&launch, job->slice);
            cls_arg_buffer(&launch, arrays->values_out);
            arg_rows(&launch, &rows, slice, 0, row, column);
            status = run_rows(chain, &launch, &rows);
        }
        if (status != CL_SUCCESS)
            return status;
    }
    return CL_SUCCESS;
}
