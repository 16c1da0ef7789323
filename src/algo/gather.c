/* gather.c - wide values take their places after their keys, by the permutation (gather.cl) */
#include "algo/gather.h"

enum {
    GPU_GROUP_SIZE = 64,
    SLICE_MOST = 64,     /* a cache line: narrower slices would fetch lines more often */
    GROUPS_PER_UNIT = 16 /* rows are far apart: many groups hide the latency */
};

enum { GATHER, PUT_BACK };
static const char *const NAMES[CLS_MOST_KERNELS + 1] = {"gather_rows", "put_back_rows", NULL};
static const char *const FILES[] = {"types.cl", "head.cl", "gather.cl", NULL};

struct cls_gather cls_gather_for(const struct cls_caps *caps, const struct cls_shape *sort,
                                 size_t value_bytes)
{
    const unsigned wanted = caps->type & CL_DEVICE_TYPE_CPU ? 1 : GPU_GROUP_SIZE;
    return (struct cls_gather){
        .value_bytes = value_bytes,
        .key_bytes = sort->key_bytes,
        .index_bits = sort->index_bits,
        .group_size = wanted < caps->group_size ? wanted : cls_power_below(caps->group_size),
        .units = caps->units,
        .most_turns = caps->most_turns,
    };
}

uint64_t cls_gather_slice(const struct cls_gather *gather)
{
    const uint64_t room = gather->value_bytes + gather->key_bytes - 2 * gather->index_bits / 8;
    uint64_t slice = gather->value_bytes < room ? gather->value_bytes : room;
    slice = slice < SLICE_MOST ? slice : SLICE_MOST;
    return slice / cls_unit(gather->value_bytes) * cls_unit(gather->value_bytes);
}

uint64_t cls_gather_traffic(const struct cls_gather *gather)
{
    return 2 * (uint64_t)gather->value_bytes + gather->index_bits / 8;
}

cl_int cls_gather_prepare(struct cls_device *device, const struct cls_gather *gather,
                          cl_kernel *kernels)
{
    char line[256];
    struct cls_text options = CLS_TEXT(line);
    /* Of the types only the index matters; the others have to be something. */
    const struct cls_shape rows = {.key_bytes = 4, .index_bits = gather->index_bits};
    cls_shape_options(&rows, &options);
    cls_text_add(&options, " -DUNIT_BYTES=%zu -DGROUP_SIZE=%u", cls_unit(gather->value_bytes),
                 gather->group_size);
    const struct cls_code code = {FILES, line, NULL};
    return cls_kernels_create(device, &code, NAMES, gather->group_size, kernels);
}

/* A launch that moves `width` units of each row. */
struct rows {
    const struct cls_gather *gather;
    uint64_t count, chunk; /* rows, and those of a group */
    uint64_t lanes, width;
};

static struct rows rows_of(const struct cls_gather *gather, uint64_t count, uint64_t width)
{
    const uint64_t lanes = cls_power_below(width < gather->group_size ? width : gather->group_size);
    const uint64_t groups = (uint64_t)gather->units * GROUPS_PER_UNIT;
    /* A work-item goes through its rows, and in each through its units; leaving a loop is a turn too. */
    const uint64_t most = gather->most_turns / (cls_divide_up(width, lanes) + 2);
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
    return cls_run(chain, launch, (size_t)cls_divide_up(rows->count, rows->chunk),
                   rows->gather->group_size);
}

cl_int cls_gather_enqueue(const cl_kernel *kernels, const struct cls_gather *gather,
                          const struct cls_gather_job *job, struct cls_chain *chain)
{
    const uint64_t unit = cls_unit(gather->value_bytes), row = gather->value_bytes / unit;
    const struct cls_places *places = job->places;
    /* An input of no elements may have no buffer, and kernels want one. */
    const clsort_buffer second =
        places->second_count > 0 ? places->second_values : places->values_in;
    uint64_t slice = places->in_place ? cls_gather_slice(gather) / unit : row;
    if (slice > gather->most_turns / 2)
        slice = gather->most_turns / 2 + 1;

    for (uint64_t column = 0; column < row; column += slice) {
        const struct rows rows =
            rows_of(gather, places->count, row - column < slice ? row - column : slice);
        struct cls_launch launch = cls_launch(kernels[GATHER]);
        cls_arg_buffer(&launch, job->control);
        cls_arg_buffer(&launch, job->index);
        cls_arg_buffer(&launch, places->values_in);
        cls_arg_buffer(&launch, second);
        cls_arg_sized(&launch, gather->index_bits / 8, places->count - places->second_count);
        cls_arg_buffer(&launch, places->in_place ? job->slice : places->values_out);
        if (places->in_place)
            arg_rows(&launch, &rows, row, column, slice, 0);
        else
            arg_rows(&launch, &rows, row, column, row, column);
        cls_arg_uint(&launch, places->in_place);
        cl_int status = run_rows(chain, &launch, &rows);
        if (status == CL_SUCCESS && places->in_place) {
            launch = cls_launch(kernels[PUT_BACK]);
            cls_arg_buffer(&launch, job->control);
            cls_arg_buffer(&launch, job->slice);
            cls_arg_buffer(&launch, places->values_out);
            arg_rows(&launch, &rows, slice, 0, row, column);
            status = run_rows(chain, &launch, &rows);
        }
        if (status != CL_SUCCESS)
            return status;
    }
    return CL_SUCCESS;
}
