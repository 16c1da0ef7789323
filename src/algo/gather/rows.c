/* rows.c - how the gather kernels divide rows, which are values, and their columns (cl/gather/rows.cl) */
#include "algo/gather/rows.h"

#include "algo/common/programs.h"
#include "base/arithmetic.h"

enum {
    GPU_GROUP_SIZE = 256,
    GROUPS_PER_UNIT = 16,   /* rows are far apart: many work-groups hide the latency */
    ITERATIONS_PER_ROW = 4, /* in addition to one for each of its units */
    LIST_BYTES = 32 /* local memory for each work-item, for the list of cl/gather/batch.cl */
};

struct cls_gather cls_gather_rows_for(const struct cls_caps *caps, const struct cls_spec *spec,
                                      size_t value_bytes)
{
    const size_t index = spec->index_bits / 8, element = value_bytes + spec->key_bytes;
    const bool merges_regions = spec->key_bytes + index < value_bytes;
    const size_t indexes = merges_regions ? index : 2 * index; /* that are not in the slice */
    const uint64_t fits = cls_max(cls_min(caps->group_size, caps->local_bytes / LIST_BYTES), 1);
    const unsigned wanted = caps->type & CL_DEVICE_TYPE_CPU ? 1 : GPU_GROUP_SIZE;
    return (struct cls_gather){
        .value_bytes = value_bytes,
        .max_slice = element > indexes ? element - indexes : 0,
        .merges_regions = merges_regions,
        .index_bits = spec->index_bits,
        .count_bytes = spec->count_bytes,
        .group_size = (unsigned)cls_min(wanted, cls_floor_power_of_two(fits)),
        .units = caps->units,
        .max_iterations = caps->max_iterations,
    };
}

void cls_gather_rows_program(const struct cls_gather *gather, unsigned key_bytes, const char *root,
                             const char *const *kernels, struct cls_program_spec *program)
{
    const struct cls_spec rows = {.key_bytes = key_bytes,
                                  .index_bits = gather->index_bits,
                                  .count_bytes = gather->count_bytes};
    cls_program_begin(program, root, kernels, gather->group_size, &rows);
    cls_text_add(&program->options, " -DUNIT_BYTES=%zu -DGROUP_SIZE=%u",
                 cls_alignment(gather->value_bytes), gather->group_size);
}

uint64_t cls_gather_columns(const struct cls_gather *gather)
{
    return gather->value_bytes / cls_alignment(gather->value_bytes);
}

uint64_t cls_gather_max_columns(const struct cls_gather *gather, uint64_t wanted)
{
    const uint64_t half = gather->max_iterations / 2;
    return wanted > half ? half + 1 : wanted;
}

cls_gather_rows cls_gather_divide(const struct cls_gather *gather, uint64_t count, uint64_t width)
{
    const uint64_t share = cls_divide_up(count, (uint64_t)gather->units * GROUPS_PER_UNIT);
    /* The work-items of a group share the units of its rows. Half of these iterations suffice for
     * rows that fill their batches. */
    const uint64_t item_rows = gather->max_iterations / (width + ITERATIONS_PER_ROW);
    const uint64_t max_rows = item_rows * cls_max(gather->group_size / 2, 1);
    return (cls_gather_rows){
        .count = count,
        .chunk = share / gather->group_size < item_rows / 2 ? share : cls_max(max_rows, 1),
        .width = (cls_u32)width,
    };
}

cl_int cls_gather_run(struct cls_chain *chain, struct cls_launch *launch,
                      const struct cls_gather *gather, clsort_buffer count,
                      const cls_gather_rows *rows)
{
    if (gather->count_bytes > 0)
        cls_arg_buffer(launch, count);
    cls_arg_struct(launch, rows, sizeof *rows);
    return cls_launch_enqueue(chain, launch, (size_t)cls_divide_up(rows->count, rows->chunk),
                              gather->group_size);
}
