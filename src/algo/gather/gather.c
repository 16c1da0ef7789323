/* gather.c - moves wide values to the positions of their keys, by a permutation (gather.cl) */
#include "algo/gather/gather.h"

#include "algo/common/programs.h"
#include "base/arithmetic.h"
#include "cl/gather/layout.h"

enum {
    GPU_GROUP_SIZE = 64,
    MAX_SLICE = 64,      /* bytes: a cache line, so that each line of a row is read once */
    GROUPS_PER_UNIT = 16 /* rows are far apart: many work-groups hide the latency */
};

enum { GATHER_ROWS, PUT_BACK_ROWS };
static const char *const KERNELS[] = {"gather_rows", "put_back_rows", NULL};

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
    const uint64_t unit = cls_alignment(gather->value_bytes);
    const uint64_t saved = gather->value_bytes + gather->key_bytes - 2 * gather->index_bits / 8;
    const uint64_t slice = cls_min(cls_min(gather->value_bytes, saved), MAX_SLICE);
    return slice / unit * unit;
}

uint64_t cls_gather_bytes_per_element(const struct cls_gather *gather)
{
    return 2 * (uint64_t)gather->value_bytes + gather->index_bits / 8;
}

void cls_gather_program(const struct cls_gather *gather, struct cls_program_spec *program)
{
    /* Only the index type matters. Keys need some type. */
    const struct cls_spec rows = {.key_bytes = 4, .index_bits = gather->index_bits};
    cls_program_begin(program, "gather/gather.cl", KERNELS, gather->group_size, &rows);
    cls_text_add(&program->options, " -DUNIT_BYTES=%zu -DGROUP_SIZE=%u",
                 cls_alignment(gather->value_bytes), gather->group_size);
}

/* Returns how the work-groups divide the rows if `width` columns move. */
static cls_gather_rows divide_rows(const struct cls_gather *gather, uint64_t count, uint64_t width)
{
    const uint64_t lanes = cls_floor_power_of_two(cls_min(width, gather->group_size));
    const uint64_t rows_at_once = gather->group_size / lanes;
    const uint64_t share = cls_divide_up(count, (uint64_t)gather->units * GROUPS_PER_UNIT);
    /* A work-item iterates over its rows and, for each, over its columns. Leaving a loop counts as
     * an iteration, too. */
    const uint64_t max_rows = gather->max_iterations / (cls_divide_up(width, lanes) + 2);
    return (cls_gather_rows){
        .count = count,
        .chunk = share / rows_at_once < max_rows ? share : cls_max(max_rows, 1) * rows_at_once,
        .lanes = (cls_u32)lanes,
        .width = (cls_u32)width,
    };
}

static cl_int run_rows(struct cls_chain *chain, struct cls_launch *launch,
                       const struct cls_gather *gather, const cls_gather_rows *rows)
{
    cls_arg_struct(launch, rows, sizeof *rows);
    return cls_launch_enqueue(chain, launch, (size_t)cls_divide_up(rows->count, rows->chunk),
                              gather->group_size);
}

static cl_int gather_rows(cl_kernel kernel, const struct cls_gather *gather,
                          const struct cls_gather_job *job, const cls_gather_rows *rows,
                          struct cls_chain *chain)
{
    const struct cls_arrays *arrays = job->arrays;
    struct cls_launch launch = cls_launch(kernel);
    cls_arg_buffer(&launch, job->control);
    cls_arg_buffer(&launch, job->index);
    cls_arg_buffer(&launch, arrays->values_in);
    /* An empty second input may have no buffer, but the kernel needs one. */
    cls_arg_buffer(&launch, arrays->second_count > 0 ? arrays->second_values : arrays->values_in);
    cls_arg_buffer(&launch, arrays->in_place ? job->slice : arrays->values_out);
    return run_rows(chain, &launch, gather, rows);
}

static cl_int put_back_rows(cl_kernel kernel, const struct cls_gather *gather,
                            const struct cls_gather_job *job, const cls_gather_rows *rows,
                            struct cls_chain *chain)
{
    struct cls_launch launch = cls_launch(kernel);
    cls_arg_buffer(&launch, job->control);
    cls_arg_buffer(&launch, job->slice);
    cls_arg_buffer(&launch, job->arrays->values_out);
    return run_rows(chain, &launch, gather, rows);
}

cl_int cls_gather_enqueue(const cl_kernel *kernels, const struct cls_gather *gather,
                          const struct cls_gather_job *job, struct cls_chain *chain)
{
    const struct cls_arrays *arrays = job->arrays;
    const uint64_t unit = cls_alignment(gather->value_bytes), columns = gather->value_bytes / unit;
    uint64_t slice = arrays->in_place ? cls_gather_slice(gather) / unit : columns;
    if (slice > gather->max_iterations / 2)
        slice = gather->max_iterations / 2 + 1;

    cl_int status = CL_SUCCESS;
    for (uint64_t column = 0; column < columns && status == CL_SUCCESS; column += slice) {
        cls_gather_rows rows = divide_rows(gather, arrays->count, cls_min(columns - column, slice));
        rows.first_count = arrays->count - arrays->second_count;
        rows.in_place = arrays->in_place;
        rows.from_stride = (cls_u32)columns;
        rows.from_column = (cls_u32)column;
        rows.to_stride = (cls_u32)(arrays->in_place ? slice : columns);
        rows.to_column = (cls_u32)(arrays->in_place ? 0 : column);
        status = gather_rows(kernels[GATHER_ROWS], gather, job, &rows, chain);
        if (status == CL_SUCCESS && arrays->in_place) {
            rows.from_stride = (cls_u32)slice;
            rows.from_column = 0;
            rows.to_stride = (cls_u32)columns;
            rows.to_column = (cls_u32)column;
            status = put_back_rows(kernels[PUT_BACK_ROWS], gather, job, &rows, chain);
        }
    }
    return status;
}
