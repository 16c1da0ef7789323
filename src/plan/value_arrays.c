/* value_arrays.c - the plan of sorts with several arrays of values: an argsort, and a gather for each array */
#include "plan/value_arrays.h"

#include "base/arithmetic.h"
#include "base/error.h"
#include "plan/operation.h"
#include "plan/plan.h"
#include "plan/regions.h"

#include <stdlib.h>

enum { MAX_VALUE_BYTES = 1 << 30 };

/* -- descriptor -------------------------------------------------------------------------------- */

static clsort_status check_supported(const clsort_desc *desc)
{
    if (desc->operation != CLSORT_SORT && desc->operation != CLSORT_ARGSORT)
        return cls_fail(CLSORT_E_OPERATION,
                        "clsort_desc.value_count is %zu: for CLSORT_SORT and CLSORT_ARGSORT only",
                        desc->value_count);
    const char *unsupported = desc->segments != CLSORT_WHOLE    ? "segments"
                              : desc->count_size != 0           ? "counts in device memory"
                              : desc->flags & CLSORT_NO_SCRATCH ? "CLSORT_NO_SCRATCH"
                                                                : NULL;
    return unsupported
               ? cls_fail(CLSORT_E_UNSUPPORTED,
                          "sorts with clsort_desc.value_sizes do not support %s", unsupported)
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
    for (unsigned i = 0; i < request->value_count; i++)
        if (!arrays->value_arrays[i].mem || !arrays->value_arrays_out[i].mem)
            return cls_fail(CLSORT_E_ARGUMENT, "value_arrays%s[%u].mem is NULL",
                            arrays->value_arrays[i].mem ? "_out" : "", i);
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
    const clsort_status status = cls_plan_create(device, ladders, &argsort, &sort->argsort);
    if (status == CLSORT_OK)
        sort->max_count = sort->argsort->max_count;
    return status;
}

/* Creates the gather of array i, or takes that of another array of equal size. */
static clsort_status create_gather(struct cls_device *device, const struct cls_ladders *ladders,
                                   const struct cls_request *request, unsigned i,
                                   struct cls_value_sort *sort)
{
    const struct cls_request gather = {
        .spec = cls_gather_spec(sort->index_bytes, request->value_sizes[i]),
        .max_count = request->max_count,
        .index_bytes = sort->index_bytes,
        .is_test = request->is_test};
    sort->max_bytes = cls_max(sort->max_bytes, request->value_sizes[i]);
    for (unsigned j = 0; j < i; j++)
        if (request->value_sizes[j] == request->value_sizes[i]) {
            sort->gather[i] = sort->gather[j];
            return CLSORT_OK;
        }
    const clsort_status status = cls_plan_create(device, ladders, &gather, &sort->gather[i]);
    if (status == CLSORT_OK)
        sort->max_count = cls_min(sort->max_count, sort->gather[i]->max_count);
    return status;
}

clsort_status cls_value_sort_create(struct cls_device *device, const struct cls_ladders *ladders,
                                    const struct cls_request *request,
                                    struct cls_value_sort **created)
{
    const uint64_t max_narrow = (uint64_t)1 << 32;
    const bool is_narrow = request->max_count > 0 && request->max_count <= max_narrow;
    struct cls_value_sort *sort = calloc(1, sizeof *sort);
    if (!sort)
        return CLSORT_E_MEMORY;
    sort->writes_indexes = request->spec.operation == CLSORT_ARGSORT;
    sort->index_bytes = sort->writes_indexes ? request->index_bytes : is_narrow ? 4 : 8;
    sort->count = request->value_count;
    clsort_status status = create_argsort(device, ladders, request, sort);
    for (unsigned i = 0; i < sort->count && status == CLSORT_OK; i++)
        status = create_gather(device, ladders, request, i, sort);
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
    for (unsigned i = 0; i < sort->count; i++) {
        bool is_first = sort->gather[i];
        for (unsigned j = 0; j < i; j++)
            is_first &= sort->gather[j] != sort->gather[i];
        if (is_first)
            cls_plan_destroy(sort->gather[i]);
    }
    free(sort);
}

/* -- scratch and cost -------------------------------------------------------------------------- */

/* Regions. The argsort is finished when the first array is gathered, so that they share one. */
enum { INDEXES, SHARED, REGIONS };

static uint64_t lay_out(const struct cls_value_sort *sort, uint64_t count, uint64_t *bytes)
{
    bytes[INDEXES] = sort->writes_indexes ? 0 : count * sort->index_bytes;
    bytes[SHARED] = cls_max(cls_plan_scratch_bytes(sort->argsort, count), count * sort->max_bytes);
    return cls_regions_round(bytes, REGIONS);
}

uint64_t cls_value_sort_scratch_bytes(const struct cls_value_sort *sort, uint64_t count)
{
    uint64_t bytes[REGIONS];
    return count > 0 ? lay_out(sort, count, bytes) : 0;
}

uint64_t cls_value_sort_cost_bytes(const struct cls_value_sort *sort, uint64_t count)
{
    uint64_t bytes = cls_plan_cost_bytes(sort->argsort, count);
    for (unsigned i = 0; i < sort->count; i++) {
        const uint64_t moved = cls_plan_cost_bytes(sort->gather[i], count);
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

/* Moves the values of array i. In place, they are copied back from `copy`. */
static cl_int move_values(const struct cls_value_sort *sort, const struct cls_arrays *arrays,
                          unsigned i, clsort_buffer index, clsort_buffer copy,
                          struct cls_chain *chain)
{
    const clsort_buffer none = {NULL, 0}, to = arrays->value_arrays_out[i];
    const bool in_place = cls_value_array_is_in_place(arrays, i);
    const uint64_t bytes = arrays->count * sort->gather[i]->request.spec.value_bytes;
    const struct cls_arrays values = {.count = arrays->count,
                                      .keys_in = index,
                                      .values_in = arrays->value_arrays[i],
                                      .values_out = in_place ? copy : to,
                                      .source_count = arrays->count};
    const cl_int status = cls_plan_enqueue(sort->gather[i], &values, none, chain);
    return status == CL_SUCCESS && in_place ? cls_copy_enqueue(chain, copy, to, (size_t)bytes)
                                            : status;
}

cl_int cls_value_sort_enqueue(const struct cls_device *device, const struct cls_value_sort *sort,
                              const struct cls_arrays *arrays, clsort_buffer scratch,
                              struct cls_chain *chain)
{
    uint64_t bytes[REGIONS];
    clsort_buffer region[REGIONS] = {{NULL, 0}};
    if (arrays->count == 0)
        return CL_SUCCESS;
    lay_out(sort, arrays->count, bytes);
    cl_int status = cls_regions_open(device, bytes, REGIONS, scratch, region);
    struct cls_arrays argsort = *arrays;
    if (!sort->writes_indexes)
        argsort.values_out = region[INDEXES];
    if (status == CL_SUCCESS)
        status = cls_plan_enqueue(sort->argsort, &argsort, region[SHARED], chain);
    for (unsigned i = 0; i < sort->count && status == CL_SUCCESS; i++)
        status = move_values(sort, arrays, i, argsort.values_out, region[SHARED], chain);
    cls_regions_close(scratch, REGIONS, region);
    return status;
}
