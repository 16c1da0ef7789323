/* value_arrays.c - the plan of sorts with several arrays of values: an argsort, and a gather for each array */
#include "plan/value_arrays.h"

#include "algo/clamp/clamp.h"
#include "algo/common/programs.h"
#include "base/arithmetic.h"
#include "base/error.h"
#include "cl/common/layout.h"
#include "plan/operation.h"
#include "plan/plan.h"
#include "plan/regions.h"
#include "plan/tested.h"

#include <stdlib.h>

enum { MAX_VALUE_BYTES = 1 << 30 };

/* -- descriptor -------------------------------------------------------------------------------- */

static clsort_status check_supported(const clsort_desc *desc)
{
    if (desc->operation != CLSORT_SORT && desc->operation != CLSORT_ARGSORT)
        return cls_fail(CLSORT_E_OPERATION,
                        "clsort_desc.value_count is %zu: for CLSORT_SORT and CLSORT_ARGSORT only",
                        desc->value_count);
    if (desc->operation == CLSORT_ARGSORT && desc->segments != CLSORT_WHOLE)
        return cls_fail(CLSORT_E_UNSUPPORTED,
                        "CLSORT_ARGSORT of segments does not support clsort_desc.value_sizes: use "
                        "CLSORT_SORT, or CLSORT_GATHER for each array");
    return desc->flags & CLSORT_NO_SCRATCH
               ? cls_fail(CLSORT_E_UNSUPPORTED,
                          "sorts with clsort_desc.value_sizes do not support CLSORT_NO_SCRATCH")
               : CLSORT_OK;
}

clsort_status cls_value_arrays_read(const clsort_desc *desc, struct cls_request *request)
{
    if (desc->value_count == 0)
        return desc->value_sizes ? cls_fail(CLSORT_E_ARGUMENT,
                                            "clsort_desc.value_count is 0, but value_sizes is not "
                                            "NULL")
                                 : CLSORT_OK;
    if (desc->value_count > CLSORT_MAX_VALUES)
        return cls_fail(CLSORT_E_ARGUMENT, "clsort_desc.value_count is %zu: at most %d",
                        desc->value_count, CLSORT_MAX_VALUES);
    if (!desc->value_sizes)
        return cls_fail(CLSORT_E_ARGUMENT,
                        "clsort_desc.value_sizes is NULL, but value_count is %zu",
                        desc->value_count);
    if (desc->value_size != 0)
        return cls_fail(CLSORT_E_ARGUMENT,
                        "clsort_desc.value_size is %zu: it must be 0 with value_sizes",
                        desc->value_size);
    const clsort_status status = check_supported(desc);
    if (status != CLSORT_OK)
        return status;
    for (size_t i = 0; i < desc->value_count; i++) {
        const size_t size = desc->value_sizes[i];
        if (size == 0 || size > MAX_VALUE_BYTES)
            return cls_fail(CLSORT_E_ARGUMENT, "clsort_desc.value_sizes[%zu] is %zu: 1 to %d", i,
                            size, MAX_VALUE_BYTES);
        request->value_sizes[i] = (uint32_t)size;
    }
    request->value_count = (unsigned)desc->value_count;
    /* The order of elements with equal keys shows in the values. */
    request->spec.stable = !(desc->flags & CLSORT_UNSTABLE) || request->columns.count > 0;
    return CLSORT_OK;
}

void cls_value_arrays_describe(const struct cls_request *request, struct cls_text *text)
{
    for (unsigned i = 0; i < request->value_count; i++)
        cls_text_add(text, " + %u bytes", (unsigned)request->value_sizes[i]);
}

/* -- arrays ------------------------------------------------------------------------------------ */

clsort_status cls_value_arrays_read_io(const clsort_io *io, const struct cls_request *request,
                                       struct cls_arrays *arrays)
{
    if (request->value_count == 0)
        return io->value_arrays || io->value_arrays_out
                   ? cls_fail(CLSORT_E_OPERATION,
                              "value_arrays%s is not NULL, but clsort_desc.value_count is 0",
                              io->value_arrays ? "" : "_out")
                   : CLSORT_OK;
    if (io->count == 0)
        return CLSORT_OK;
    if (!io->value_arrays)
        return cls_fail(CLSORT_E_ARGUMENT,
                        "value_arrays is NULL, but clsort_desc.value_count is %u",
                        request->value_count);
    arrays->value_arrays = io->value_arrays;
    arrays->value_arrays_out = io->value_arrays_out ? io->value_arrays_out : io->value_arrays;
    for (unsigned i = 0; i < request->value_count; i++) {
        const struct cls_spec values = {.key_bytes = request->value_sizes[i]};
        if (!cls_count_fits(&values, io->count))
            return cls_fail(CLSORT_E_COUNT, "%zu elements of %u bytes exceed the address space",
                            io->count, (unsigned)request->value_sizes[i]);
        if (!arrays->value_arrays[i].mem || !arrays->value_arrays_out[i].mem)
            return cls_fail(CLSORT_E_ARGUMENT, "value_arrays%s[%u].mem is NULL",
                            arrays->value_arrays[i].mem ? "_out" : "", i);
    }
    return CLSORT_OK;
}

bool cls_value_array_is_in_place(const struct cls_arrays *arrays, unsigned i)
{
    const clsort_buffer from = arrays->value_arrays[i], to = arrays->value_arrays_out[i];
    return from.mem == to.mem && from.offset == to.offset;
}

/* -- creation ---------------------------------------------------------------------------------- */

static clsort_status create_argsort(struct cls_device *device, const struct cls_ladders *ladders,
                                    const struct cls_request *request, struct cls_value_sort *sort)
{
    struct cls_request argsort = *request;
    argsort.value_count = 0;
    argsort.index_bytes = sort->index_bytes;
    argsort.spec.operation = CLSORT_ARGSORT;
    argsort.spec.value_is_index = true;
    argsort.spec.value_bytes = sort->index_bytes;
    if (sort->count_bytes > 0)
        argsort.spec.count_bytes = CLS_CLAMPED_BYTES;
    const clsort_status status = cls_plan_create(device, ladders, &argsort, &sort->argsort);
    if (status != CLSORT_OK)
        return status;
    sort->max_count =
        cls_min(sort->argsort->max_count, cls_value_gather_max_count(sort->index_bytes));
    return cls_tested_check_max(request, request->max_count, sort->max_count,
                                "sorted with arrays of values");
}

/* Creates the gather of array i, or takes the kernels of another array. */
static clsort_status create_gather(struct cls_device *device, const struct cls_request *request,
                                   unsigned i, struct cls_value_sort *sort)
{
    struct cls_request gather = {.spec =
                                     cls_gather_spec(sort->index_bytes, request->value_sizes[i]),
                                 .index_bytes = sort->index_bytes,
                                 .is_test = request->is_test};
    gather.spec.count_bytes = sort->count_bytes > 0 ? CLS_CLAMPED_BYTES : 0;
    while (sort->same[i] < i && cls_alignment(request->value_sizes[sort->same[i]]) !=
                                    cls_alignment(request->value_sizes[i]))
        sort->same[i]++;
    if (sort->same[i] == i)
        return cls_value_gather_create(device, &gather, &sort->gather[i]);
    sort->gather[i].gather = sort->gather[sort->same[i]].gather;
    sort->gather[i].gather.value_bytes = request->value_sizes[i];
    sort->gather[i].gather.max_slice = request->value_sizes[i];
    return CLSORT_OK;
}

/* Creates the kernel that clamps the count, and the control block. */
static clsort_status create_inputs(struct cls_device *device, struct cls_value_sort *sort)
{
    cls_control_head head = {0};
    struct cls_program_spec clamp;
    cl_int status = CL_SUCCESS;
    if (sort->count_bytes > 0) {
        cls_clamp_program(sort->count_bytes, &clamp);
        status = cls_kernels_create(device, &clamp, 1, NULL, sort->clamp_kernels);
    }
    if (status != CL_SUCCESS)
        return status;
    sort->control = clCreateBuffer(device->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                   sizeof head, &head, &status);
    return cls_called("clCreateBuffer", status);
}

/* Returns the size of indexes. Those of a segmented sort are as large as offsets. */
static unsigned index_size(const struct cls_request *request)
{
    const uint64_t max = request->max_count;
    const bool is_narrow = max > 0 && max <= cls_value_gather_max_count(4);
    return request->index_bytes > 0 ? request->index_bytes : is_narrow ? 4 : 8;
}

clsort_status cls_value_sort_create(struct cls_device *device, const struct cls_ladders *ladders,
                                    const struct cls_request *request,
                                    struct cls_value_sort **created)
{
    struct cls_value_sort *sort = calloc(1, sizeof *sort);
    if (!sort)
        return CLSORT_E_MEMORY;
    sort->writes_indexes = request->spec.operation == CLSORT_ARGSORT;
    sort->has_gaps = request->spec.segments != CLSORT_WHOLE;
    sort->index_bytes = index_size(request);
    sort->count_bytes = sort->has_gaps ? 0 : request->spec.count_bytes;
    sort->count = request->value_count;
    clsort_status status = create_argsort(device, ladders, request, sort);
    for (unsigned i = 0; i < sort->count && status == CLSORT_OK; i++)
        status = create_gather(device, request, i, sort);
    if (status == CLSORT_OK)
        status = create_inputs(device, sort);
    if (status != CLSORT_OK) {
        cls_value_sort_destroy(sort);
        return status;
    }
    *created = sort;
    return CLSORT_OK;
}

void cls_value_sort_destroy(struct cls_value_sort *sort)
{
    if (!sort)
        return;
    if (sort->argsort)
        cls_plan_destroy(sort->argsort);
    for (unsigned i = 0; i < sort->count; i++)
        cls_value_gather_release(&sort->gather[i]);
    cls_kernels_release(sort->clamp_kernels);
    if (sort->control)
        clReleaseMemObject(sort->control);
    free(sort);
}

/* -- scratch and cost -------------------------------------------------------------------------- */

/* Regions. The argsort is finished when the first array is gathered, so that they share one. */
enum { COUNT, INDEXES, SHARED, REGIONS };

uint64_t cls_value_sort_max_segments(const struct cls_value_sort *sort, uint64_t count)
{
    return cls_plan_max_segments(sort->argsort, count);
}

static uint64_t lay_out(const struct cls_value_sort *sort, uint64_t count, uint64_t number,
                        uint64_t *bytes)
{
    bytes[COUNT] = sort->count_bytes > 0 ? CLS_CLAMPED_BYTES : 0;
    bytes[INDEXES] = sort->writes_indexes ? 0 : count * sort->index_bytes;
    bytes[SHARED] = cls_plan_segments_scratch_bytes(sort->argsort, count, number);
    for (unsigned i = 0; i < sort->count; i++)
        bytes[SHARED] = cls_max(bytes[SHARED], count * cls_gather_slice(&sort->gather[i].gather));
    return cls_regions_round(bytes, REGIONS);
}

uint64_t cls_value_sort_scratch_bytes(const struct cls_value_sort *sort, uint64_t count)
{
    uint64_t bytes[REGIONS];
    return count > 0 || sort->has_gaps
               ? lay_out(sort, count, cls_value_sort_max_segments(sort, count), bytes)
               : 0;
}

uint64_t cls_value_sort_cost_bytes(const struct cls_value_sort *sort, uint64_t count)
{
    uint64_t bytes = cls_plan_cost_bytes(sort->argsort, count);
    for (unsigned i = 0; i < sort->count; i++) {
        const uint64_t row = cls_gather_bytes_per_element(&sort->gather[i].gather);
        const uint64_t moved = count <= UINT64_MAX / row ? count * row : UINT64_MAX;
        bytes = moved <= UINT64_MAX - bytes ? bytes + moved : UINT64_MAX;
    }
    return bytes;
}

void cls_value_sort_describe(const struct cls_value_sort *sort, uint64_t count,
                             struct cls_text *text)
{
    cls_text_add(text, "values by gather, indexes by ");
    cls_plan_describe(sort->argsort, count, text);
}

/* -- enqueue ----------------------------------------------------------------------------------- */

/* Returns the job of moving the values of array i, whose arrays are set to *values. */
static struct cls_gather_job values_job(const struct cls_value_sort *sort,
                                        const struct cls_arrays *arrays,
                                        const clsort_buffer *region, clsort_buffer index,
                                        unsigned i, struct cls_arrays *values)
{
    *values = (struct cls_arrays){.count = arrays->count,
                                  .source_count = arrays->count,
                                  .in_place = cls_value_array_is_in_place(arrays, i),
                                  .values_in = arrays->value_arrays[i],
                                  .values_out = arrays->value_arrays_out[i]};
    return (struct cls_gather_job){.arrays = values,
                                   .control = {sort->control, 0},
                                   .index = index,
                                   .count = region[COUNT],
                                   .has_gaps = sort->has_gaps,
                                   .slice = region[SHARED]};
}

static cl_int move_values(const struct cls_value_sort *sort, const struct cls_arrays *arrays,
                          const clsort_buffer *region, clsort_buffer index, struct cls_chain *chain)
{
    cl_int status = CL_SUCCESS;
    for (unsigned i = 0; i < sort->count && status == CL_SUCCESS; i++) {
        struct cls_arrays values;
        const struct cls_gather_job job = values_job(sort, arrays, region, index, i, &values);
        status = cls_gather_enqueue(sort->gather[sort->same[i]].kernels, &sort->gather[i].gather,
                                    &job, chain);
    }
    return status;
}

static cl_int enqueue_in(const struct cls_value_sort *sort, const struct cls_arrays *arrays,
                         const clsort_buffer *region, bool has_elements, struct cls_chain *chain)
{
    struct cls_arrays argsort = *arrays;
    cl_int status = CL_SUCCESS;
    if (!sort->writes_indexes)
        argsort.values_out = region[INDEXES];
    if (sort->count_bytes > 0) {
        status = cls_clamp_enqueue(sort->clamp_kernels[0], arrays, region[COUNT], chain);
        argsort.count_buffer = region[COUNT];
        argsort.result = (clsort_buffer){NULL, 0};
    }
    if (status == CL_SUCCESS && sort->has_gaps && has_elements) {
        struct cls_arrays values;
        const struct cls_gather_job job =
            values_job(sort, arrays, region, argsort.values_out, 0, &values);
        status = cls_gather_clear(sort->gather[0].kernels, &sort->gather[0].gather, &job, chain);
    }
    if (status == CL_SUCCESS)
        status = cls_plan_enqueue(sort->argsort, &argsort, region[SHARED], chain);
    return status == CL_SUCCESS && has_elements
               ? move_values(sort, arrays, region, argsort.values_out, chain)
               : status;
}

cl_int cls_value_sort_enqueue(const struct cls_device *device, const struct cls_value_sort *sort,
                              const struct cls_arrays *arrays, clsort_buffer scratch,
                              struct cls_chain *chain)
{
    uint64_t bytes[REGIONS];
    clsort_buffer region[REGIONS] = {{NULL, 0}};
    const clsort_buffer none = {NULL, 0};
    const bool has_elements = arrays->count > 0 && (!sort->has_gaps || arrays->segment_count > 0);
    if (!has_elements && !(sort->has_gaps && arrays->result.mem))
        return sort->count_bytes > 0 && arrays->result.mem
                   ? cls_clamp_enqueue(sort->clamp_kernels[0], arrays, none, chain)
                   : CL_SUCCESS;
    lay_out(sort, arrays->count, arrays->segment_count, bytes);
    cl_int status = cls_regions_open(device, bytes, REGIONS, scratch, region);
    if (status == CL_SUCCESS)
        status = enqueue_in(sort, arrays, region, has_elements, chain);
    cls_regions_close(scratch, REGIONS, region);
    return status;
}
