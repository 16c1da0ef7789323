/* gather.c - moves wide values to the positions of their keys, by a permutation (gather.cl) */
#include "algo/gather/gather.h"

#include "algo/gather/rows.h"
#include "base/arithmetic.h"

#include <string.h>

enum { MAX_SLICE = 64 }; /* bytes: a cache line, so that each line of a row is read once */

enum { GATHER_ROWS, PUT_BACK_ROWS, CLEAR_ROWS };
static const char *const KERNELS[] = {"gather_rows", "put_back_rows", "clear_rows", NULL};

uint64_t cls_gather_slice(const struct cls_gather *gather)
{
    const uint64_t unit = cls_alignment(gather->value_bytes);
    return cls_min(cls_min(gather->value_bytes, gather->max_slice), MAX_SLICE) / unit * unit;
}

static uint64_t values_region(const struct cls_gather *gather, uint64_t count)
{
    return cls_round_up(count * (gather->index_bits / 8), CLS_REGION_ALIGNMENT);
}

void cls_gather_lay_out(const struct cls_gather *gather, uint64_t count, uint64_t *region_bytes)
{
    if (gather->merges_regions && region_bytes[CLS_VALUES] > 0) {
        region_bytes[CLS_KEYS] += values_region(gather, count);
        region_bytes[CLS_VALUES] = 0;
    }
    region_bytes[CLS_KEYS] = cls_max(region_bytes[CLS_KEYS], count * cls_gather_slice(gather));
}

void cls_gather_place(const struct cls_gather *gather, uint64_t count, const clsort_buffer *region,
                      size_t regions, clsort_buffer *sort_region)
{
    memcpy(sort_region, region, regions * sizeof *region);
    if (!gather->merges_regions)
        return;
    sort_region[CLS_VALUES] = region[CLS_KEYS];
    sort_region[CLS_KEYS].offset += values_region(gather, count);
}

uint64_t cls_gather_bytes_per_element(const struct cls_gather *gather)
{
    return 2 * (uint64_t)gather->value_bytes + gather->index_bits / 8;
}

void cls_gather_program(const struct cls_gather *gather, struct cls_program_spec *program)
{
    const unsigned any_key = 4; /* the kernels have no keys, but need a type */
    cls_gather_rows_program(gather, any_key, "gather/gather.cl", KERNELS, program);
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
    return cls_gather_run(chain, &launch, gather, job->count, rows);
}

static cl_int put_back_rows(cl_kernel kernel, const struct cls_gather *gather,
                            const struct cls_gather_job *job, const cls_gather_rows *rows,
                            struct cls_chain *chain)
{
    struct cls_launch launch = cls_launch(kernel);
    cls_arg_buffer(&launch, job->control);
    cls_arg_buffer(&launch, job->index);
    cls_arg_buffer(&launch, job->slice);
    cls_arg_buffer(&launch, job->arrays->values_out);
    return cls_gather_run(chain, &launch, gather, job->count, rows);
}

cl_int cls_gather_clear(const cl_kernel *kernels, const struct cls_gather *gather,
                        const struct cls_gather_job *job, struct cls_chain *chain)
{
    const cls_gather_rows rows = cls_gather_divide(gather, job->arrays->count, 1);
    struct cls_launch launch = cls_launch(kernels[CLEAR_ROWS]);
    cls_arg_buffer(&launch, job->index);
    return cls_gather_run(chain, &launch, gather, job->count, &rows);
}

cl_int cls_gather_enqueue(const cl_kernel *kernels, const struct cls_gather *gather,
                          const struct cls_gather_job *job, struct cls_chain *chain)
{
    const struct cls_arrays *arrays = job->arrays;
    const uint64_t unit = cls_alignment(gather->value_bytes), columns = cls_gather_columns(gather);
    const uint64_t slice = cls_gather_max_columns(
        gather, arrays->in_place ? cls_gather_slice(gather) / unit : columns);
    cl_int status = CL_SUCCESS;
    for (uint64_t column = 0; column < columns && status == CL_SUCCESS; column += slice) {
        cls_gather_rows rows =
            cls_gather_divide(gather, arrays->count, cls_min(columns - column, slice));
        rows.first_count =
            arrays->source_count > 0 ? arrays->source_count : arrays->count - arrays->second_count;
        rows.in_place = arrays->in_place;
        rows.has_gaps = job->has_gaps;
        rows.from_stride = (cls_u32)columns;
        rows.from_column = (cls_u32)column;
        rows.to_stride = (cls_u32)(arrays->in_place ? slice : columns);
        rows.to_column = (cls_u32)(arrays->in_place ? 0 : column);
        status = gather_rows(kernels[GATHER_ROWS], gather, job, &rows, chain);
        if (status == CL_SUCCESS && arrays->in_place) {
            rows.first_count = arrays->count;
            rows.from_stride = (cls_u32)slice;
            rows.from_column = 0;
            rows.to_stride = (cls_u32)columns;
            rows.to_column = (cls_u32)column;
            status = put_back_rows(kernels[PUT_BACK_ROWS], gather, job, &rows, chain);
        }
    }
    return status;
}
