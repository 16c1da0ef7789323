/* host.c - clsort_host: sorts arrays in host memory, on the device or in the calling thread */
#include "api/host.h"

#include "api/check_queue.h"
#include "api/engine.h"
#include "api/query.h"
#include "device/process.h"
#include "device/scratch.h"
#include "host/merge.h"
#include "host/sort.h"
#include "plan/operation.h"
#include "plan/plan.h"

clsort_status cls_check_host_request(const struct cls_request *request, size_t count)
{
    if (!cls_operation_of(&request->spec)->on_host_arrays)
        return cls_fail(CLSORT_E_OPERATION,
                        "clsort_desc.operation is %d: clsort_host supports CLSORT_SORT only",
                        (int)request->spec.operation);
    if (!cls_count_fits(&request->spec, count))
        return cls_fail(CLSORT_E_COUNT, "%zu elements exceed the address space", count);
    return request->max_count > 0 && count > request->max_count
               ? cls_fail(CLSORT_E_COUNT,
                          "count is %zu: at most clsort_desc.max_count, which is %llu", count,
                          (unsigned long long)request->max_count)
               : CLSORT_OK;
}

clsort_status cls_check_host_arrays(const struct cls_spec *spec, size_t count, const void *keys,
                                    const void *values)
{
    if (count > 0 && !keys)
        return cls_fail(CLSORT_E_ARGUMENT, "keys is NULL");
    if (count > 0 && spec->value_bytes > 0 && !values)
        return cls_fail(CLSORT_E_ARGUMENT, "values is NULL, but clsort_desc.value_size is %zu",
                        spec->value_bytes);
    if (spec->value_bytes == 0 && values)
        return cls_fail(CLSORT_E_ARGUMENT, "values is not NULL, but clsort_desc.value_size is 0");
    const uintptr_t k = (uintptr_t)keys, v = (uintptr_t)values;
    if (values && k < v + count * spec->value_bytes && v < k + count * spec->key_bytes)
        return cls_fail(CLSORT_E_OVERLAP, "values overlaps keys");
    return CLSORT_OK;
}

/* An array in host memory and its buffer on the device. */
struct array {
    void *host;
    size_t bytes;
    clsort_buffer buffer;
    bool is_shared; /* the buffer uses the memory of the array */
};

/* Creates the buffer of an array and, if they do not share memory, enqueues a copy of the array.
 * The caller must finish the queue before it returns the array to the user, also after an error. */
static cl_int upload(const struct cls_device *device, cl_command_queue queue, size_t alignment,
                     struct array *array)
{
    cl_int status;
    if (array->bytes == 0)
        return CL_SUCCESS;
    array->is_shared = device->caps.shares_memory && (uintptr_t)array->host % alignment == 0;
    array->buffer.mem = clCreateBuffer(
        device->context, CL_MEM_READ_WRITE | (array->is_shared ? CL_MEM_USE_HOST_PTR : 0),
        array->bytes, array->is_shared ? array->host : NULL, &status);
    if (status != CL_SUCCESS || array->is_shared)
        return cls_called("clCreateBuffer", status);
    return cls_called("clEnqueueWriteBuffer",
                      clEnqueueWriteBuffer(queue, array->buffer.mem, CL_FALSE, 0, array->bytes,
                                           array->host, 0, NULL, NULL));
}

static cl_int download(cl_command_queue queue, const struct array *array)
{
    cl_int status;
    if (array->bytes == 0)
        return CL_SUCCESS;
    if (!array->is_shared)
        return cls_called("clEnqueueReadBuffer",
                          clEnqueueReadBuffer(queue, array->buffer.mem, CL_TRUE, 0, array->bytes,
                                              array->host, 0, NULL, NULL));
    /* Mapping makes the device's writes visible in the array (OpenCL 1.2, section 5.2.1). */
    void *mapped = clEnqueueMapBuffer(queue, array->buffer.mem, CL_TRUE, CL_MAP_READ, 0,
                                      array->bytes, 0, NULL, NULL, &status);
    return status == CL_SUCCESS ? cls_called("clEnqueueUnmapMemObject",
                                             clEnqueueUnmapMemObject(queue, array->buffer.mem,
                                                                     mapped, 0, NULL, NULL))
                                : cls_called("clEnqueueMapBuffer", status);
}

/* Takes kept scratch memory for a sort. If it exceeds the device's largest buffer, takes none:
 * clsort_enqueue then allocates several buffers. */
static cl_int take_scratch(struct clsort_plan *plan, size_t count, struct cls_scratch *scratch)
{
    const uint64_t bytes = cls_plan_scratch_bytes(plan, count);
    return bytes > 0 && bytes <= plan->device->caps.max_alloc
               ? cls_scratch_take(plan->device, bytes, scratch)
               : CL_SUCCESS;
}

/* Sorts arrays of at most plan->max_count elements. */
static cl_int sort_piece(struct clsort_plan *plan, cl_command_queue queue, size_t count,
                         void *host_keys, void *host_values)
{
    const struct cls_spec *spec = &plan->request.spec;
    struct array keys = {.host = host_keys, .bytes = count * spec->key_bytes};
    struct array values = {.host = host_values, .bytes = count * spec->value_bytes};
    struct cls_scratch scratch = {NULL, 0};
    cl_event uploaded = NULL, sorted = NULL;
    cl_int status = upload(plan->device, queue, cls_alignment(spec->key_bytes), &keys);
    if (status == CL_SUCCESS)
        status = upload(plan->device, queue, cls_alignment(spec->value_bytes), &values);
    if (status == CL_SUCCESS)
        status = take_scratch(plan, count, &scratch);
    /* The queue may be out-of-order, so the sort waits for the uploads by an event. */
    if (status == CL_SUCCESS)
        status = cls_called("clEnqueueMarkerWithWaitList",
                            clEnqueueMarkerWithWaitList(queue, 0, NULL, &uploaded));
    if (status == CL_SUCCESS) {
        clsort_io io = CLSORT_IO_INIT;
        io.count = count;
        io.keys = keys.buffer;
        io.values = values.buffer;
        io.scratch.mem = scratch.mem;
        status = clsort_enqueue(plan, queue, &io, 1, &uploaded, &sorted);
        clReleaseEvent(uploaded);
    }
    if (status == CL_SUCCESS) {
        status = cls_called("clWaitForEvents", clWaitForEvents(1, &sorted));
        clReleaseEvent(sorted);
    }
    if (status == CL_SUCCESS)
        status = download(queue, &keys);
    if (status == CL_SUCCESS)
        status = download(queue, &values);
    const cl_int finished = clFinish(queue);
    if (keys.buffer.mem)
        clReleaseMemObject(keys.buffer.mem);
    if (values.buffer.mem)
        clReleaseMemObject(values.buffer.mem);
    if (status == CL_SUCCESS)
        status = cls_called("clFinish", finished);
    if (status == CL_SUCCESS)
        cls_scratch_give(plan->device, scratch);
    else if (scratch.mem) /* commands may still use it */
        clReleaseMemObject(scratch.mem);
    return status;
}

/* Sorts arrays of any size: divides them in halves that the plan can sort, and merges these in the
 * calling thread. */
static cl_int sort_pieces(struct clsort_plan *plan, cl_command_queue queue, size_t count,
                          void *keys, void *values)
{
    const struct cls_spec *spec = &plan->request.spec;
    if (count <= plan->max_count)
        return sort_piece(plan, queue, count, keys, values);
    const size_t left = count / 2, right = count - left;
    void *right_values = values ? (char *)values + left * spec->value_bytes : NULL;
    cl_int status = sort_pieces(plan, queue, left, keys, values);
    if (status == CL_SUCCESS)
        status =
            sort_pieces(plan, queue, right, (char *)keys + left * spec->key_bytes, right_values);
    return status == CL_SUCCESS ? cls_host_merge(spec, left, count, keys, values) : status;
}

/* Returns the maximum number of elements whose keys and whose values each fit in one buffer. */
static size_t max_piece(const struct cls_caps *caps, const struct cls_spec *spec)
{
    const size_t widest = spec->value_bytes > spec->key_bytes ? spec->value_bytes : spec->key_bytes;
    const uint64_t max = caps->max_alloc / widest;
    return max < SIZE_MAX ? (size_t)max : SIZE_MAX;
}

bool cls_host_can_sort(const struct cls_request *request)
{
    return !request->algorithm.algo && request->spec.order != CLS_ORDER_CUSTOM;
}

/* Returns CLSORT_OK if the device of the engine can be used. */
static clsort_status check_engine(const clsort_engine *engine)
{
    return engine ? cls_check_process()
                  : cls_fail(CLSORT_E_ARGUMENT,
                             "engine is NULL: custom orders and named algorithms "
                             "need a device");
}

static bool sorts_on_host(const struct cls_request *request, size_t count)
{
    return count <= 1 || (count <= CLS_MAX_HOST_COUNT && cls_host_can_sort(request));
}

struct cls_request cls_host_piece(const struct cls_caps *caps, const struct cls_request *request,
                                  size_t count)
{
    const size_t max = max_piece(caps, &request->spec);
    struct cls_request piece = *request;
    piece.max_count = count < max ? count : max;
    piece.min_count = count <= max ? count : max / 2; /* sort_pieces halves */
    return piece;
}

/* Creates a plan for the arrays, or for their pieces if a buffer cannot hold them. */
static clsort_status create_plan(clsort_engine *engine, const struct cls_request *request,
                                 size_t count, struct clsort_plan **plan)
{
    const struct cls_request piece = cls_host_piece(&engine->device->caps, request, count);
    if (piece.max_count < count && request->spec.order == CLS_ORDER_CUSTOM)
        return cls_fail(CLSORT_E_COUNT, /* the host cannot merge the pieces */
                        "count is %zu: at most %zu with a custom order, so that each array fits in "
                        "one buffer of the device",
                        count, (size_t)piece.max_count);
    return cls_plan_create(engine->device, &engine->ladders, &piece, plan);
}

/* Returns whether cls_plan_create failed because no algorithm passed its self-test, and the host
 * can sort instead. */
static bool falls_back_to_host(const struct cls_request *request, clsort_status status)
{
    return status == CLSORT_E_SELF_TEST && cls_host_can_sort(request);
}

static clsort_status sort(clsort_engine *engine, cl_command_queue queue, const clsort_desc *desc,
                          size_t count, void *keys, void *values)
{
    struct cls_request request;
    struct clsort_plan *plan = NULL;
    if (!desc)
        return cls_fail(CLSORT_E_ARGUMENT, "desc is NULL");
    if (!engine && queue)
        return cls_fail(CLSORT_E_ARGUMENT, "queue requires an engine, but engine is NULL");
    clsort_status status = cls_request_read(desc, &request);
    if (status == CLSORT_OK)
        status = cls_check_host_request(&request, count);
    if (status == CLSORT_OK)
        status = cls_check_host_arrays(&request.spec, count, keys, values);
    if (status != CLSORT_OK)
        return status;
    /* Checks of the process and of the queue would take as long as sorting few elements. */
    if (host_can_sort(&request) && (!engine || (!queue && sorts_on_host(&request, count))))
        return cls_host_sort(&request.spec, count, keys, values);
    status = check_engine(engine);
    if (status != CLSORT_OK)
        return cls_host_can_sort(&request) ? cls_host_sort(&request.spec, count, keys, values)
                                           : status;
    status = queue ? cls_check_queue(engine->device, queue) : CLSORT_OK;
    if (status != CLSORT_OK)
        return status;
    if (sorts_on_host(&request, count))
        return cls_host_sort(&request.spec, count, keys, values);

    struct cls_device *device = engine->device;
    status = create_plan(engine, &request, count, &plan);
    if (falls_back_to_host(&request, status))
        return cls_host_sort(&request.spec, count, keys, values);
    if (status != CLSORT_OK)
        return status;
    cl_command_queue own = NULL;
    if (!queue) {
        queue = own = clCreateCommandQueue(device->context, device->id, 0, &status);
        cls_called("clCreateCommandQueue", status);
    }
    if (status == CL_SUCCESS)
        status = sort_pieces(plan, queue, count, keys, values);
    if (own)
        clReleaseCommandQueue(own);
    cls_plan_destroy(plan);
    return status;
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

static void describe_pieces(const struct clsort_plan *plan, size_t count, struct cls_text *text)
{
    size_t pieces = 1;
    while (count > plan->max_count) { /* as in sort_pieces */
        count -= count / 2;
        pieces *= 2;
    }
    cls_plan_describe(plan, count, text);
    if (pieces > 1)
        cls_text_add(text,
                     "; in %zu pieces, merged on the host: the device's buffers are too small",
                     pieces);
}

/* Appends the description. */
static clsort_status describe(clsort_engine *engine, const clsort_desc *desc, size_t count,
                              struct cls_text *text)
{
    struct cls_request request;
    struct clsort_plan *plan = NULL;
    clsort_status status = cls_request_read(desc, &request);
    if (status == CLSORT_OK)
        status = cls_check_host_request(&request, count);
    if (status != CLSORT_OK)
        return status;
    status = check_engine(engine);
    if (status != CLSORT_OK && !cls_host_can_sort(&request))
        return status;
    if (status != CLSORT_OK) {
        describe_host_sort(&request,
                           engine ? "OpenCL cannot be used after a fork" : "without OpenCL", text);
        return CLSORT_OK;
    }
    if (sorts_on_host(&request, count)) {
        describe_host_sort(&request, "too few elements to benefit from the device", text);
        return CLSORT_OK;
    }
    status = create_plan(engine, &request, count, &plan);
    if (falls_back_to_host(&request, status)) {
        describe_host_sort(&request, "every algorithm fails its self-test on this device", text);
        return CLSORT_OK;
    }
    if (status != CLSORT_OK)
        return status;
    describe_pieces(plan, count, text);
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
