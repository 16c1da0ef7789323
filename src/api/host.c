/* host.c - clsort_host: sorts arrays in host memory, on the device or in the calling thread */
#include "api/host.h"

#include "api/check_queue.h"
#include "api/engine.h"
#include "api/host_records.h"
#include "api/host_segments.h"
#include "api/host_select.h"
#include "api/pieces.h"
#include "api/query.h"
#include "api/segment_pieces.h"
#include "base/index.h"
#include "base/platform.h"
#include "device/process.h"
#include "host/partition.h"
#include "host/sort.h"
#include "plan/operation.h"
#include "plan/plan.h"
#include "plan/segmented.h"

clsort_status cls_check_host_request(const struct cls_request *request, size_t count)
{
    if (request->columns.count > 0 && request->columns.record_bytes == 0)
        return cls_fail(CLSORT_E_UNSUPPORTED,
                        "clsort_desc.record_size is 0: columns with a buffer each are not in host "
                        "memory; use clsort_enqueue, or columns of records");
    if (request->value_count > 0)
        return cls_fail(CLSORT_E_UNSUPPORTED,
                        "clsort_desc.value_count is %u: arrays in host memory are sorted with one "
                        "array of values; use clsort_enqueue",
                        request->value_count);
    if (!cls_operation_of(&request->spec)->on_host_arrays)
        return cls_fail(CLSORT_E_OPERATION,
                        "clsort_desc.operation is %s: clsort_host supports CLSORT_SORT and "
                        "CLSORT_ARGSORT only%s",
                        cls_operation_of(&request->spec)->name,
                        cls_operation_of(&request->spec)->selects
                            ? "; use clsort_host_select for selections"
                            : "");
    if (request->spec.count_bytes > 0)
        return cls_fail(CLSORT_E_UNSUPPORTED,
                        "clsort_desc.count_size is %u: clsort_host and clsort_host_segments do not "
                        "support counts in device memory",
                        request->spec.count_bytes);
    if (request->spec.segments != CLSORT_WHOLE && request->columns.count > 0)
        return cls_fail(CLSORT_E_UNSUPPORTED,
                        "segments of arrays in host memory do not support columns and "
                        "CLSORT_BYTES: use clsort_enqueue");
    const clsort_status status =
        request->spec.segments != CLSORT_WHOLE ? cls_segmented_check(request) : CLSORT_OK;
    return status == CLSORT_OK ? cls_check_host_count(request, count) : status;
}

clsort_status cls_check_host_count(const struct cls_request *request, size_t count)
{
    if (request->index_bytes == 4 && (uint64_t)count > (uint64_t)1 << 32)
        return cls_fail(CLSORT_E_COUNT, "count is %zu: at most 2^32 if index_size is 4", count);
    if (!cls_count_fits(&request->spec, count))
        return cls_fail(CLSORT_E_COUNT, "%zu elements exceed the address space", count);
    return request->max_count > 0 && count > request->max_count
               ? cls_fail(CLSORT_E_COUNT,
                          "count is %zu: at most clsort_desc.max_count, which is %llu", count,
                          (unsigned long long)request->max_count)
               : CLSORT_OK;
}

clsort_status cls_check_host_operation(const struct cls_request *request, size_t count)
{
    if (!cls_operation_of(&request->spec)->selects)
        return cls_check_host_request(request, count);
    if (request->columns.count > 0)
        return cls_fail(CLSORT_E_UNSUPPORTED,
                        "selections from arrays in host memory do not support columns and "
                        "CLSORT_BYTES: use clsort_enqueue");
    const clsort_status status = cls_check_host_count(request, count);
    return status == CLSORT_OK ? cls_check_host_whole(request) : status;
}

clsort_status cls_check_host_whole(const struct cls_request *request)
{
    return request->spec.segments == CLSORT_WHOLE
               ? CLSORT_OK
               : cls_fail(CLSORT_E_SEGMENTS,
                          "clsort_desc.segments is %u: only clsort_host_segments supports segments",
                          request->spec.segments);
}

clsort_status cls_check_host_arrays(const struct cls_spec *spec, size_t count, const void *keys,
                                    const void *values)
{
    if (count > 0 && !keys)
        return cls_fail(CLSORT_E_ARGUMENT, "keys is NULL");
    if (count > 0 && spec->value_is_index && !values)
        return cls_fail(CLSORT_E_ARGUMENT, "the array of the indexes is NULL");
    if (count > 0 && spec->value_bytes > 0 && !values)
        return cls_fail(CLSORT_E_ARGUMENT, "values is NULL, but clsort_desc.value_size is %zu",
                        spec->value_bytes);
    if (spec->value_bytes == 0 && values)
        return cls_fail(CLSORT_E_ARGUMENT, "values is not NULL, but clsort_desc.value_size is 0");
    const struct cls_host_span spans[] = {{"values", values, count * spec->value_bytes},
                                          {"keys", keys, count * spec->key_bytes}};
    return cls_check_host_overlap(spans, 1, 2);
}

bool cls_host_can_sort(const struct cls_request *request)
{
    return !request->algorithm.algo && request->spec.order != CLS_ORDER_CUSTOM;
}

clsort_status cls_host_check_engine(const clsort_engine *engine)
{
    return engine ? cls_check_process()
                  : cls_fail(CLSORT_E_ARGUMENT,
                             "engine is NULL: custom orders and named algorithms "
                             "need a device");
}

bool cls_host_is_small(const struct cls_request *request, size_t count, size_t max_host_count)
{
    return count <= 1 || (count <= max_host_count && cls_host_can_sort(request));
}

clsort_status cls_host_choose_processor(clsort_engine *engine, cl_command_queue queue,
                                        const struct cls_request *request, size_t count,
                                        size_t max_host_count, bool *on_host)
{
    const bool can_sort = cls_host_can_sort(request),
               is_few = cls_host_is_small(request, count, max_host_count);
    if (!engine && queue)
        return cls_fail(CLSORT_E_ARGUMENT, "queue requires an engine, but engine is NULL");
    /* Checks of the process and of the queue would take as long as sorting few elements. */
    *on_host = can_sort && (!engine || (!queue && is_few));
    if (*on_host)
        return CLSORT_OK;
    clsort_status status = cls_host_check_engine(engine);
    if (status != CLSORT_OK) {
        *on_host = can_sort;
        return can_sort ? CLSORT_OK : status;
    }
    status = queue ? cls_check_queue(engine->device, queue) : CLSORT_OK;
    if (status == CLSORT_OK && queue) /* its commands may write to the arrays */
        status = cls_called("clFinish", clFinish(queue));
    *on_host = is_few;
    return status;
}

/* Up to this size of the keys, one core checks their order in at most the time that the device takes
 * to find out; measured with PoCL on 2 cores. */
enum { MAX_CHECKED_BYTES = 4 << 20 };

/* Returns whether the calling thread finds that the array is in order. It checks no large arrays. */
static bool is_sorted(const struct cls_request *request, size_t count, const void *keys)
{
    const struct cls_spec *spec = &request->spec;
    if (count > MAX_CHECKED_BYTES / spec->key_bytes || !cls_host_can_sort(request))
        return false;
    if (request->columns.count == 0)
        return cls_host_is_sorted(spec, keys, count, 1);
    const struct cls_host_records records = cls_host_records_of(request);
    return cls_host_are_records_sorted(&records, keys, count);
}

clsort_status cls_sort_on_host(const struct cls_request *request, size_t count, void *keys,
                               void *values)
{
    return request->columns.count > 0 ? cls_host_records_sort(request, count, keys, values)
                                      : cls_host_sort(&request->spec, count, keys, values);
}

/* Returns whether trials decide where to sort. */
static bool is_in_trial(const struct cls_request *request, size_t count)
{
    return request->spec.segments == CLSORT_WHOLE && request->columns.count == 0 &&
           cls_trials_include(&request->spec, count) && cls_host_can_sort(request);
}

bool cls_falls_back_to_host(const struct cls_request *request, clsort_status status)
{
    return status == CLSORT_E_SELF_TEST && cls_host_can_sort(request);
}

clsort_status cls_host_exceeds_buffer(const clsort_engine *engine, size_t count)
{
    return cls_fail(
        CLSORT_E_COUNT,
        "count is %zu: with a custom order or a named algorithm, each array must fit in "
        "one buffer of the device, which has at most %llu bytes",
        count, (unsigned long long)engine->device->caps.max_alloc);
}

clsort_status cls_host_queue_open(const struct cls_device *device, cl_command_queue queue,
                                  cl_command_queue *used)
{
    cl_int status = CL_SUCCESS;
    *used = queue ? queue : clCreateCommandQueue(device->context, device->id, 0, &status);
    return cls_called("clCreateCommandQueue", status);
}

void cls_host_queue_close(cl_command_queue queue, cl_command_queue used)
{
    if (!queue && used)
        clReleaseCommandQueue(used);
}

static clsort_status sort_on_device(clsort_engine *engine, cl_command_queue queue,
                                    const struct cls_request *request, size_t count, void *keys,
                                    void *values)
{
    struct clsort_plan *plan = NULL;
    cl_command_queue used;
    clsort_status status = cls_pieces_plan(engine, request, count, &plan);
    if (cls_falls_back_to_host(request, status))
        return cls_sort_on_host(request, count, keys, values);
    if (status != CLSORT_OK)
        return status;
    status = cls_host_queue_open(engine->device, queue, &used);
    if (status == CL_SUCCESS)
        status = request->spec.value_is_index ? cls_pieces_argsort(plan, used, count, keys, values)
                                              : cls_pieces_sort(plan, used, count, keys, values);
    cls_host_queue_close(queue, used);
    cls_plan_destroy(plan);
    return status;
}

/* Sorts where trials decide, and records the time. */
static clsort_status sort_in_trial(clsort_engine *engine, cl_command_queue queue,
                                   const struct cls_request *request, size_t count, void *keys,
                                   void *values)
{
    const struct cls_spec *spec = &request->spec;
    bool is_decided;
    const enum cls_processor processor = cls_trials_next(&engine->trials, spec, count, &is_decided);
    const uint64_t start = cls_monotonic_ns();
    clsort_status status = CLSORT_E_MEMORY;
    if (processor == CLS_ON_HOST)
        status = cls_host_sort(spec, count, keys, values);
    if (status == CLSORT_E_MEMORY) /* the device may need less */
        status = sort_on_device(engine, queue, request, count, keys, values);
    if (status == CLSORT_OK && !is_decided)
        cls_trials_record(&engine->trials, spec, count, processor, cls_monotonic_ns() - start);
    return status;
}

clsort_status cls_host_read(const clsort_desc *desc, size_t count, const void *keys,
                            const void *values, struct cls_request *request)
{
    if (!desc)
        return cls_fail(CLSORT_E_ARGUMENT, "desc is NULL");
    clsort_status status = cls_request_read(desc, request);
    if (status == CLSORT_OK)
        status = cls_check_host_request(request, count);
    if (status == CLSORT_OK)
        status = cls_check_host_whole(request);
    return status == CLSORT_OK ? cls_check_host_arrays(&request->spec, count, keys, values)
                               : status;
}

static clsort_status sort(clsort_engine *engine, cl_command_queue queue, const clsort_desc *desc,
                          size_t count, void *keys, void *values)
{
    struct cls_request request;
    bool on_host = false;
    clsort_status status = cls_host_read(desc, count, keys, values, &request);
    if (status == CLSORT_OK)
        status =
            cls_host_choose_processor(engine, queue, &request, count, CLS_MAX_HOST_COUNT, &on_host);
    if (status != CLSORT_OK)
        return status;
    if (on_host)
        return cls_sort_on_host(&request, count, keys, values);
    if (is_sorted(&request, count, keys)) {
        if (request.spec.value_is_index)
            cls_number_elements(request.spec.value_bytes, count, values);
        return CLSORT_OK;
    }
    return is_in_trial(&request, count)
               ? sort_in_trial(engine, queue, &request, count, keys, values)
               : sort_on_device(engine, queue, &request, count, keys, values);
}

clsort_status clsort_host(clsort_engine *engine, cl_command_queue queue, const clsort_desc *desc,
                          size_t count, void *keys, void *values)
{
    cls_engine_begin(engine);
    return cls_error_end(sort(engine, queue, desc, count, keys, values));
}

static void describe_host_sort(const struct cls_request *request, const char *reason,
                               struct cls_text *text)
{
    cls_text_add(text, "host ");
    cls_request_describe(request, text);
    cls_text_add(text, ": %s", reason);
}

/* Returns whether the device can do the work, if its buffers are as small as they are. */
static bool fits_device(const clsort_engine *engine, const struct cls_request *request,
                        size_t count)
{
    if (cls_operation_of(&request->spec)->selects)
        return cls_host_selection_fits(engine, request, count);
    return request->spec.segments == CLSORT_WHOLE || cls_host_segments_fit(engine, request, count);
}

/* Creates the plan by which the device does the work. */
static clsort_status create_plan(clsort_engine *engine, const struct cls_request *request,
                                 size_t count, struct clsort_plan **plan)
{
    if (cls_operation_of(&request->spec)->selects)
        return cls_host_selection_plan(engine, request, count, plan);
    return request->spec.segments == CLSORT_WHOLE
               ? cls_pieces_plan(engine, request, count, plan)
               : cls_host_segments_plan(engine, request, count, plan);
}

/* Appends the description. */
static clsort_status describe(clsort_engine *engine, const clsort_desc *desc, size_t count,
                              struct cls_text *text)
{
    struct cls_request request;
    struct clsort_plan *plan = NULL;
    clsort_status status = cls_request_read(desc, &request);
    const bool selects = status == CLSORT_OK && cls_operation_of(&request.spec)->selects;
    if (status == CLSORT_OK)
        status = cls_check_host_operation(&request, count);
    if (status != CLSORT_OK)
        return status;
    status = cls_host_check_engine(engine);
    if (status != CLSORT_OK && !cls_host_can_sort(&request))
        return status;
    if (status != CLSORT_OK) {
        describe_host_sort(&request,
                           engine ? "OpenCL cannot be used after a fork" : "without OpenCL", text);
        return CLSORT_OK;
    }
    if (cls_host_is_small(&request, count, selects ? CLS_MAX_HOST_SELECTION : CLS_MAX_HOST_COUNT)) {
        describe_host_sort(&request, "too few elements to benefit from the device", text);
        return CLSORT_OK;
    }
    const bool fits = fits_device(engine, &request, count);
    if (!fits && !cls_host_can_sort(&request))
        return cls_host_exceeds_buffer(engine, count);
    if (!fits && selects) {
        describe_host_sort(&request, "the device's buffers are too small", text);
        return CLSORT_OK;
    }
    bool is_decided;
    if (!selects && is_in_trial(&request, count) &&
        cls_trials_next(&engine->trials, &request.spec, count, &is_decided) == CLS_ON_HOST) {
        describe_host_sort(&request,
                           is_decided ? "faster than the device in the first sorts of this engine"
                                      : "timed, to compare it with the device",
                           text);
        return CLSORT_OK;
    }
    status = fits ? create_plan(engine, &request, count, &plan)
                  : cls_segment_pieces_plan(engine, &request, SIZE_MAX, &plan);
    if (cls_falls_back_to_host(&request, status)) {
        describe_host_sort(&request, "every algorithm fails its self-test on this device", text);
        return CLSORT_OK;
    }
    if (status != CLSORT_OK)
        return status;
    if (fits)
        cls_pieces_describe(plan, count, text);
    else
        cls_segment_pieces_describe(plan, text);
    cls_plan_destroy(plan);
    return CLSORT_OK;
}

clsort_status clsort_host_describe(clsort_engine *engine, const clsort_desc *desc, size_t count,
                                   size_t size, char *text, size_t *size_ret)
{
    char line[1024];
    struct cls_text description = CLS_TEXT(line);
    cls_engine_begin(engine);
    clsort_status status = cls_check_query(desc, "desc", size, text, size_ret);
    if (status == CLSORT_OK)
        status = describe(engine, desc, count, &description);
    if (status == CLSORT_OK)
        cls_text_return(line, size, text, size_ret);
    return cls_error_end(status);
}
