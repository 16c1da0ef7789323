/* host.c - sorting host arrays, on the device or, when they are small, right here */
#include "api/host.h"

#include "api/check_queue.h"
#include "api/engine.h"
#include "host/merge.h"
#include "host/sort.h"
#include "plan/operation.h"
#include "plan/plan.h"

#include <stdlib.h>

clsort_status cls_check_host_request(const struct cls_request *request, size_t count)
{
    if (!cls_operation_of(&request->spec)->on_host_arrays)
        return CLSORT_E_OPERATION;
    return !cls_count_fits(&request->spec, count) ||
                   (request->max_count > 0 && count > request->max_count)
               ? CLSORT_E_COUNT
               : CLSORT_OK;
}

clsort_status cls_check_host_arrays(const struct cls_spec *spec, size_t count, const void *keys,
                                    const void *values)
{
    if ((count > 0 && !keys) || (count > 0 && spec->value_bytes > 0 && !values) ||
        (spec->value_bytes == 0 && values))
        return CLSORT_E_ARGUMENT;
    const uintptr_t k = (uintptr_t)keys, v = (uintptr_t)values;
    if (values && k < v + count * spec->value_bytes && v < k + count * spec->key_bytes)
        return CLSORT_E_OVERLAP;
    return CLSORT_OK;
}

/* An array and the buffer that stands for it on the device. */
struct array {
    void *host;
    size_t bytes;
    clsort_buffer buffer;
    bool shared; /* the buffer is the array */
};

static cl_int send(const struct cls_device *device, cl_command_queue queue, size_t alignment,
                   struct array *array)
{
    cl_int status;
    if (array->bytes == 0)
        return CL_SUCCESS;
    array->shared = device->caps.shares_memory && (uintptr_t)array->host % alignment == 0;
    array->buffer.mem = clCreateBuffer(
        device->context, CL_MEM_READ_WRITE | (array->shared ? CL_MEM_USE_HOST_PTR : 0),
        array->bytes, array->shared ? array->host : NULL, &status);
    if (status != CL_SUCCESS || array->shared)
        return status;
    /* The queue is waited for before the array's owner gets it back, also on errors. */
    return clEnqueueWriteBuffer(queue, array->buffer.mem, CL_FALSE, 0, array->bytes, array->host, 0,
                                NULL, NULL);
}

static cl_int bring_back(cl_command_queue queue, const struct array *array)
{
    cl_int status;
    if (array->bytes == 0)
        return CL_SUCCESS;
    if (!array->shared)
        return clEnqueueReadBuffer(queue, array->buffer.mem, CL_TRUE, 0, array->bytes, array->host,
                                   0, NULL, NULL);
    /* Mapping is what makes the device's writes visible in the array (OpenCL 1.2, section 5.2.1). */
    void *mapped = clEnqueueMapBuffer(queue, array->buffer.mem, CL_TRUE, CL_MAP_READ, 0,
                                      array->bytes, 0, NULL, NULL, &status);
    return status == CL_SUCCESS
               ? clEnqueueUnmapMemObject(queue, array->buffer.mem, mapped, 0, NULL, NULL)
               : status;
}

/* Sorts arrays that fit the device's buffers, by a plan for that many. */
static cl_int sort_piece(struct clsort_plan *plan, cl_command_queue queue, size_t count,
                         void *host_keys, void *host_values)
{
    const struct cls_spec *spec = &plan->request.spec;
    struct array keys = {.host = host_keys, .bytes = count * spec->key_bytes};
    struct array values = {.host = host_values, .bytes = count * spec->value_bytes};
    cl_event sent = NULL, sorted = NULL;
    cl_int status = send(plan->device, queue, cls_unit(spec->key_bytes), &keys);
    if (status == CL_SUCCESS)
        status = send(plan->device, queue, cls_unit(spec->value_bytes), &values);
    /* The queue may be out of order: the sort waits for the copies, and what follows for the sort. */
    if (status == CL_SUCCESS)
        status = clEnqueueMarkerWithWaitList(queue, 0, NULL, &sent);
    if (status == CL_SUCCESS) {
        clsort_io io = CLSORT_IO_INIT;
        io.count = count;
        io.keys = keys.buffer;
        io.values = values.buffer;
        status = clsort_enqueue(plan, queue, &io, 1, &sent, &sorted);
        clReleaseEvent(sent);
    }
    if (status == CL_SUCCESS) {
        status = clWaitForEvents(1, &sorted);
        clReleaseEvent(sorted);
    }
    if (status == CL_SUCCESS)
        status = bring_back(queue, &keys);
    if (status == CL_SUCCESS)
        status = bring_back(queue, &values);
    const cl_int finished = clFinish(queue);
    if (keys.buffer.mem)
        clReleaseMemObject(keys.buffer.mem);
    if (values.buffer.mem)
        clReleaseMemObject(values.buffer.mem);
    return status != CL_SUCCESS ? status : finished;
}

/* Sorts arrays of any size: halves until a piece fits the plan, then merges here. */
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

/* The most elements whose keys, and whose values, fit one buffer of the device. */
static size_t largest_piece(const struct cls_caps *caps, const struct cls_spec *spec)
{
    const size_t widest = spec->value_bytes > spec->key_bytes ? spec->value_bytes : spec->key_bytes;
    const uint64_t most = caps->max_alloc / widest;
    return most < SIZE_MAX ? (size_t)most : SIZE_MAX;
}

/* Only kernels know a custom order. */
static bool can_sort_here(const struct cls_request *request)
{
    return !request->algorithm.algo && request->spec.order != CLS_ORDER_CUSTOM;
}

static bool sorts_here(const struct cls_request *request, size_t count)
{
    return count <= 1 || (count <= CLS_MAX_HOST_COUNT && can_sort_here(request));
}

/* A plan for as much of the arrays as the device's buffers can hold. */
static clsort_status make_plan(clsort_engine *engine, const struct cls_request *request,
                               size_t count, struct clsort_plan **plan)
{
    const size_t most = largest_piece(&engine->device->caps, &request->spec);
    struct cls_request piece = *request;
    piece.max_count = count < most ? count : most;
    piece.min_count = count <= most ? count : most / 2; /* as sort_pieces halves them */
    if (piece.max_count < count && request->spec.order == CLS_ORDER_CUSTOM)
        return CLSORT_E_COUNT; /* the pieces could not be merged here */
    return cls_plan_create(engine->device, &engine->ladders, &piece, plan);
}

/* Whether no plan could be made because all algorithms that the library could choose sort wrong. */
static bool nothing_works(const struct cls_request *request, clsort_status status)
{
    return status == CLSORT_E_SELF_TEST && can_sort_here(request);
}

clsort_status clsort_host(clsort_engine *engine, cl_command_queue queue, const clsort_desc *desc,
                          size_t count, void *keys, void *values)
{
    struct cls_request request;
    struct clsort_plan *plan = NULL;
    if (!engine || !desc)
        return CLSORT_E_ARGUMENT;
    clsort_status status = cls_request_read(desc, &request);
    if (status == CLSORT_OK)
        status = cls_check_host_request(&request, count);
    if (status == CLSORT_OK)
        status = cls_check_host_arrays(&request.spec, count, keys, values);
    if (status == CLSORT_OK && queue)
        status = cls_check_queue(engine->device, queue);
    if (status != CLSORT_OK)
        return status;
    if (sorts_here(&request, count))
        return cls_host_sort(&request.spec, count, keys, values);

    struct cls_device *device = engine->device;
    status = make_plan(engine, &request, count, &plan);
    if (nothing_works(&request, status))
        return cls_host_sort(&request.spec, count, keys, values);
    if (status != CLSORT_OK)
        return status;
    cl_command_queue own = NULL;
    if (!queue)
        queue = own = clCreateCommandQueue(device->context, device->id, 0, &status);
    if (status == CL_SUCCESS)
        status = sort_pieces(plan, queue, count, keys, values);
    if (own)
        clReleaseCommandQueue(own);
    cls_plan_destroy(plan);
    return status;
}

static void describe_here(const struct cls_request *request, const char *reason,
                          struct cls_text *text)
{
    cls_text_add(text, "host ");
    cls_request_describe(request, text);
    cls_text_add(text, ": %s", reason);
}

static void describe_pieces(const struct clsort_plan *plan, size_t count, struct cls_text *text)
{
    size_t pieces = 1;
    while (count > plan->max_count) { /* as sort_pieces halves them */
        count -= count / 2;
        pieces *= 2;
    }
    cls_plan_describe(plan, count, text);
    if (pieces > 1)
        cls_text_add(text, "; in %zu pieces merged here: the device's buffers are too small",
                     pieces);
}

clsort_status clsort_host_describe(clsort_engine *engine, const clsort_desc *desc, size_t count,
                                   size_t size, char *text, size_t *size_ret)
{
    char line[1024];
    struct cls_text description = CLS_TEXT(line);
    struct cls_request request;
    struct clsort_plan *plan = NULL;
    if (size_ret)
        *size_ret = 0;
    if (!engine || !desc || (size > 0 && !text))
        return CLSORT_E_ARGUMENT;
    clsort_status status = cls_request_read(desc, &request);
    if (status == CLSORT_OK)
        status = cls_check_host_request(&request, count);
    if (status != CLSORT_OK)
        return status;
    if (sorts_here(&request, count)) {
        describe_here(&request, "so few that sorting them here takes less than a device's answer",
                      &description);
    } else {
        status = make_plan(engine, &request, count, &plan);
        if (nothing_works(&request, status))
            describe_here(&request, "every algorithm fails its self-test on this device",
                          &description);
        else if (status != CLSORT_OK)
            return status;
        else
            describe_pieces(plan, count, &description);
        if (plan)
            cls_plan_destroy(plan);
    }
    cls_text_return(line, size, text, size_ret);
    return CLSORT_OK;
}
