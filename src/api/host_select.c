/* host_select.c - clsort_host_select: selects from arrays in host memory
 *
 * The device gets only the keys, and returns the indexes of the selected elements. Their values are
 * gathered in the calling thread, since few elements are selected, as a rule. */
#include "api/host_select.h"

#include "api/check_queue.h"
#include "api/engine.h"
#include "api/piece.h"
#include "base/arithmetic.h"
#include "base/error.h"
#include "plan/operation.h"
#include "plan/operation_io.h"

#include <stdlib.h>

/* -- arguments --------------------------------------------------------------------------------- */

/* Returns CLSORT_E_OVERLAP if an output overlaps another array. */
static clsort_status check_overlap(const struct cls_spec *spec,
                                   const struct cls_host_selection *selection)
{
    enum { OUTPUTS = 3, ARRAYS = 5 };
    const size_t out = cls_host_selected(selection), in = selection->count;
    const struct cls_host_span spans[ARRAYS] = {
        {"keys_out", selection->keys_out, out * spec->key_bytes},
        {"values_out", selection->values_out, out * spec->value_bytes},
        {"index_out", selection->index_out, out * selection->index_bytes},
        {"keys", selection->keys, in * spec->key_bytes},
        {"values", selection->values, in * spec->value_bytes},
    };
    return cls_check_host_overlap(spans, OUTPUTS, ARRAYS);
}

/* Returns CLSORT_OK if no array is missing or superfluous. */
static clsort_status check_arrays(const struct cls_spec *spec,
                                  const struct cls_host_selection *selection)
{
    const size_t out = cls_host_selected(selection);
    const void *values_out = selection->values_out;
    if (selection->count > 0 && !selection->keys)
        return cls_fail(CLSORT_E_ARGUMENT, "keys is NULL");
    if (spec->value_bytes == 0 && (selection->values || values_out))
        return cls_fail(CLSORT_E_ARGUMENT, "%s is not NULL, but clsort_desc.value_size is 0",
                        selection->values ? "values" : "values_out");
    if (values_out && !selection->values && out > 0)
        return cls_fail(CLSORT_E_ARGUMENT, "values is NULL, but values_out is not");
    if (out > 0 && !selection->keys_out && !values_out && !selection->index_out)
        return cls_fail(CLSORT_E_ARGUMENT,
                        "keys_out, values_out and index_out are NULL: at least "
                        "one output is needed");
    return CLSORT_OK;
}

clsort_status cls_host_selection_read(const struct cls_request *request, size_t count,
                                      const void *keys, const void *values, size_t k,
                                      void *keys_out, void *values_out, void *index_out,
                                      struct cls_host_selection *selection)
{
    const struct cls_operation_info *operation = cls_operation_of(&request->spec);
    const bool partitions = request->spec.partitions,
               is_nth = request->spec.operation == CLSORT_NTH && !partitions;
    if (!operation->selects)
        return cls_fail(CLSORT_E_OPERATION,
                        "clsort_desc.operation is %s: clsort_host_select supports CLSORT_SELECT "
                        "and CLSORT_NTH only",
                        operation->name);
    clsort_status status = cls_check_host_operation(request, count);
    if (status == CLSORT_OK)
        status = cls_check_selected(&request->spec, count, k);
    if (status == CLSORT_OK && request->max_k > 0 && k > request->max_k)
        status = cls_fail(CLSORT_E_COUNT, "k is %zu: at most clsort_desc.max_k, which is %llu", k,
                          (unsigned long long)request->max_k);
    if (status != CLSORT_OK)
        return status;
    *selection = (struct cls_host_selection){.count = count,
                                             .k = k,
                                             .is_nth = is_nth,
                                             .partitions = partitions,
                                             .input_order = request->input_order,
                                             .index_bytes = request->index_bytes,
                                             .keys = keys,
                                             .values = values,
                                             .keys_out = keys_out,
                                             .values_out = values_out,
                                             .index_out = index_out};
    status = check_arrays(&request->spec, selection);
    return status == CLSORT_OK ? check_overlap(&request->spec, selection) : status;
}

/* -- the device -------------------------------------------------------------------------------- */

bool cls_host_selection_fits(const clsort_engine *engine, const struct cls_request *request,
                             size_t count)
{
    const bool is_nth = request->spec.operation == CLSORT_NTH && !request->spec.partitions;
    const uint64_t k = is_nth ? 1 : request->max_k > 0 ? request->max_k : count;
    const uint64_t max = engine->device->caps.max_alloc;
    return count <= max / request->spec.key_bytes &&
           cls_min(k, count) <= max / request->index_bytes;
}

clsort_status cls_host_selection_plan(clsort_engine *engine, const struct cls_request *request,
                                      size_t count, struct clsort_plan **plan)
{
    struct cls_request keys = *request;
    keys.spec.value_bytes = 0;
    keys.max_count = count;
    keys.max_k = cls_min(keys.max_k, count);
    return cls_plan_create(engine->device, &engine->ladders, &keys, plan);
}

/* Selects on the device. */
static clsort_status run_plan(struct clsort_plan *plan, cl_command_queue queue,
                              const struct cls_host_selection *selection)
{
    cl_command_queue used;
    clsort_status status = cls_host_queue_open(plan->device, queue, &used);
    if (status == CL_SUCCESS)
        status = cls_piece_select(plan, used, selection);
    cls_host_queue_close(queue, used);
    return status;
}

/* The same, and gathers the values. */
static clsort_status select_on_device(struct clsort_plan *plan, cl_command_queue queue,
                                      const struct cls_spec *spec,
                                      const struct cls_host_selection *selection)
{
    const size_t selected = cls_host_selected(selection);
    struct cls_host_selection keys = *selection;
    void *own_indexes = NULL;
    keys.values_out = NULL;
    if (selection->values_out && !selection->index_out) {
        keys.index_out = own_indexes = malloc(selected * selection->index_bytes);
        if (!own_indexes)
            return CLSORT_E_MEMORY;
    }
    const clsort_status status = run_plan(plan, queue, &keys);
    if (status == CLSORT_OK && selection->values_out)
        cls_host_gather(selection->values, spec->value_bytes, keys.index_out,
                        selection->index_bytes, selected, selection->values_out);
    free(own_indexes);
    return status;
}

clsort_status cls_host_selection_run(clsort_engine *engine, cl_command_queue queue,
                                     const struct cls_request *request,
                                     const struct cls_host_selection *selection)
{
    const size_t count = selection->count;
    struct cls_request exact = *request;
    struct clsort_plan *plan = NULL;
    bool on_host;
    clsort_status status =
        cls_host_choose_processor(engine, queue, request, count, CLS_MAX_HOST_SELECTION, &on_host);
    if (status != CLSORT_OK || cls_host_selected(selection) == 0)
        return status;
    exact.max_k = request->spec.operation == CLSORT_SELECT ? selection->k : 0;
    if (!on_host && !cls_host_selection_fits(engine, &exact, count)) {
        on_host = cls_host_can_sort(request);
        if (!on_host)
            return cls_host_exceeds_buffer(engine, count);
    }
    if (on_host)
        return cls_host_select(&request->spec, selection);
    status = cls_host_selection_plan(engine, &exact, count, &plan);
    if (cls_falls_back_to_host(request, status))
        return cls_host_select(&request->spec, selection);
    if (status != CLSORT_OK)
        return status;
    status = select_on_device(plan, queue, &request->spec, selection);
    cls_plan_destroy(plan);
    return status;
}

static clsort_status select(clsort_engine *engine, cl_command_queue queue, const clsort_desc *desc,
                            size_t count, const void *keys, const void *values, size_t k,
                            void *keys_out, void *values_out, void *index_out)
{
    struct cls_request request;
    struct cls_host_selection selection;
    if (!desc)
        return cls_fail(CLSORT_E_ARGUMENT, "desc is NULL");
    clsort_status status = cls_request_read(desc, &request);
    if (status == CLSORT_OK)
        status = cls_host_selection_read(&request, count, keys, values, k, keys_out, values_out,
                                         index_out, &selection);
    return status == CLSORT_OK ? cls_host_selection_run(engine, queue, &request, &selection)
                               : status;
}

clsort_status clsort_host_select(clsort_engine *engine, cl_command_queue queue,
                                 const clsort_desc *desc, size_t count, const void *keys,
                                 const void *values, size_t k, void *keys_out, void *values_out,
                                 void *index_out)
{
    cls_engine_begin(engine);
    return cls_error_end(
        select(engine, queue, desc, count, keys, values, k, keys_out, values_out, index_out));
}
