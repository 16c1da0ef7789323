/* pieces.c - sorts host arrays of any size on the device: in pieces, if a buffer cannot hold them */
#include "api/pieces.h"

#include "api/engine.h"
#include "base/arithmetic.h"
#include "base/error.h"
#include "base/platform.h"
#include "device/scratch.h"
#include "host/merge.h"
#include "plan/plan.h"

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

/* Sorts elements of any number, divided in halves, to `at` or, if to_other, to `other`, which has as
 * many elements: merges alternate between the two, so that only the pieces may need a copy. */
static cl_int sort_halves(struct clsort_plan *plan, cl_command_queue queue, size_t count,
                          struct cls_host_elements at, struct cls_host_elements other,
                          bool to_other)
{
    const struct cls_spec *spec = &plan->request.spec;
    cl_int status;
    if (count <= plan->max_count) {
        status = sort_piece(plan, queue, count, at.keys, at.values);
        if (status == CL_SUCCESS && to_other)
            cls_host_copy(spec, at, other, count);
        return status;
    }
    const size_t left = count / 2;
    status = sort_halves(plan, queue, left, at, other, !to_other);
    if (status == CL_SUCCESS)
        status = sort_halves(plan, queue, count - left, cls_host_elements_at(spec, at, left),
                             cls_host_elements_at(spec, other, left), !to_other);
    if (status == CL_SUCCESS)
        cls_host_merge(spec, to_other ? at : other, left, count, to_other ? other : at);
    return status;
}

cl_int cls_pieces_sort(struct clsort_plan *plan, cl_command_queue queue, size_t count, void *keys,
                       void *values)
{
    const struct cls_spec *spec = &plan->request.spec;
    if (count <= plan->max_count)
        return sort_piece(plan, queue, count, keys, values);
    const struct cls_host_elements arrays = {keys, values};
    const uint64_t key_bytes = cls_round_up(count * spec->key_bytes, 8);
    const uint64_t bytes = key_bytes + count * spec->value_bytes;
    const size_t block = (size_t)cls_max(bytes, CLS_MIN_PAGES_BYTES);
    char *memory = cls_pages_alloc(block);
    if (!memory && cls_scratch_kept(plan->device) > 0) {
        cls_scratch_trim(plan->device, 0);
        memory = cls_pages_alloc(block);
    }
    if (!memory)
        return CLSORT_E_MEMORY;
    const struct cls_host_elements other = {memory, memory + key_bytes};
    const cl_int status = sort_halves(plan, queue, count, arrays, other, false);
    cls_pages_free(memory);
    return status;
}

/* Returns the maximum number of elements whose keys and whose values each fit in one buffer. */
static size_t max_piece(const struct cls_caps *caps, const struct cls_spec *spec)
{
    const size_t widest = spec->value_bytes > spec->key_bytes ? spec->value_bytes : spec->key_bytes;
    const uint64_t max = caps->max_alloc / widest;
    return max < SIZE_MAX ? (size_t)max : SIZE_MAX;
}

struct cls_request cls_pieces_request(const struct cls_caps *caps,
                                      const struct cls_request *request, size_t count)
{
    const size_t max = max_piece(caps, &request->spec);
    struct cls_request piece = *request;
    piece.max_count = count < max ? count : max;
    piece.min_count = count <= max ? count : max / 2; /* sort_halves halves */
    return piece;
}

clsort_status cls_pieces_plan(clsort_engine *engine, const struct cls_request *request,
                              size_t count, struct clsort_plan **plan)
{
    const struct cls_request piece = cls_pieces_request(&engine->device->caps, request, count);
    if (piece.max_count < count && request->spec.order == CLS_ORDER_CUSTOM)
        return cls_fail(CLSORT_E_COUNT, /* the host cannot merge the pieces */
                        "count is %zu: at most %zu with a custom order, so that each array fits in "
                        "one buffer of the device",
                        count, (size_t)piece.max_count);
    return cls_plan_create(engine->device, &engine->ladders, &piece, plan);
}

/* Returns the number of pieces that sort_halves sorts. */
static size_t pieces_of(const struct clsort_plan *plan, size_t count)
{
    return count <= plan->max_count
               ? 1
               : pieces_of(plan, count / 2) + pieces_of(plan, count - count / 2);
}

void cls_pieces_describe(const struct clsort_plan *plan, size_t count, struct cls_text *text)
{
    const size_t pieces = pieces_of(plan, count);
    while (count > plan->max_count) /* the largest piece */
        count -= count / 2;
    cls_plan_describe(plan, count, text);
    if (pieces > 1)
        cls_text_add(text,
                     "; in %zu pieces, merged on the host: the device's buffers are too small",
                     pieces);
}
