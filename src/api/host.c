/* host.c - sorting host arrays, on the device or, when they are small, right here */
#include "api/engine.h"
#include "api/host_sort.h"
#include "plan/plan.h"

#include <stdatomic.h>
#include <stdlib.h>

enum {
    /* Up to here sorting takes less time than a device's answer (measured: PoCL 3.1, 2 cores). */
    LAUNCH_PAYS = 1 << 13,
    /* Up to here, added up over calls, sorting takes less time than starting a device. */
    START_PAYS = 1 << 20
};

static clsort_status check_arrays(const struct cls_request *request, size_t count, const void *keys,
                                  const void *values)
{
    const struct cls_shape *shape = &request->shape;
    if (count > SIZE_MAX / shape->key_bytes ||
        (shape->value_bytes > 0 && count > SIZE_MAX / shape->value_bytes) ||
        (request->max_count > 0 && count > request->max_count))
        return CLSORT_E_COUNT;
    if ((count > 0 && !keys) || (count > 0 && shape->value_bytes > 0 && !values) ||
        (shape->value_bytes == 0 && values))
        return CLSORT_E_ARGUMENT;
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

static cl_int sort_on_device(struct clsort_plan *plan, cl_command_queue queue, struct array *keys,
                             struct array *values, size_t count)
{
    const struct cls_shape *shape = &plan->request.shape;
    cl_int status = send(plan->device, queue, shape->key_bytes, keys);
    if (status == CL_SUCCESS)
        status = send(plan->device, queue, cls_unit(shape->value_bytes), values);
    if (status == CL_SUCCESS) {
        clsort_io io = CLSORT_IO_INIT;
        io.count = count;
        io.keys = keys->buffer;
        io.values = values->buffer;
        cl_event sent = NULL;
        /* The queue may be out of order: the sort waits for the copies. */
        status = clEnqueueMarkerWithWaitList(queue, 0, NULL, &sent);
        if (status == CL_SUCCESS) {
            cl_event sorted = NULL;
            status = clsort_enqueue(plan, queue, &io, 1, &sent, &sorted);
            clReleaseEvent(sent);
            if (status == CL_SUCCESS) {
                status = clWaitForEvents(1, &sorted);
                clReleaseEvent(sorted);
            }
        }
    }
    if (status == CL_SUCCESS)
        status = bring_back(queue, keys);
    if (status == CL_SUCCESS)
        status = bring_back(queue, values);
    const cl_int finished = clFinish(queue);
    if (keys->buffer.mem)
        clReleaseMemObject(keys->buffer.mem);
    if (values->buffer.mem)
        clReleaseMemObject(values->buffer.mem);
    return status != CL_SUCCESS ? status : finished;
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
        status = check_arrays(&request, count, keys, values);
    if (status != CLSORT_OK || count <= 1)
        return status;
    if (count <= LAUNCH_PAYS && !request.algo)
        return cls_host_sort(&request.shape, count, keys, values);

    struct cls_device *device = engine->device;
    request.max_count = count;
    status = cls_plan_create(device, &request, &plan);
    if (status != CLSORT_OK)
        return status;
    cl_command_queue own = NULL;
    if (!queue)
        queue = own = clCreateCommandQueue(device->context, device->id, 0, &status);
    if (status == CL_SUCCESS) {
        struct array key_array = {keys, count * request.shape.key_bytes, {NULL, 0}, false};
        struct array value_array = {values, count * request.shape.value_bytes, {NULL, 0}, false};
        status = sort_on_device(plan, queue, &key_array, &value_array, count);
    }
    if (own)
        clReleaseCommandQueue(own);
    cls_plan_destroy(plan);
    return status;
}

/* -- the default engine --------------------------------------------------------------------------- */

static pthread_once_t default_once = PTHREAD_ONCE_INIT;
static clsort_engine *default_engine;
static clsort_status default_status;
static atomic_bool default_started;
static atomic_size_t sorted_without; /* elements, until the default engine was started */

static void start_default_engine(void)
{
    cl_device_id device;
    default_status = clsort_find_device(getenv("CLSORT_DEVICE"), &device);
    if (default_status != CLSORT_OK)
        return;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &default_status);
    if (default_status != CL_SUCCESS)
        return;
    default_status = clsort_engine_create(context, device, NULL, &default_engine);
    clReleaseContext(context);
    atomic_store(&default_started, default_status == CLSORT_OK);
}

/* Whether to sort here instead of on the default device. Renting until the rents would have paid for
 * buying costs at most twice the best choice. */
static bool stay_here(size_t count)
{
    if (count <= LAUNCH_PAYS)
        return true;
    if (atomic_load(&default_started) || count > START_PAYS)
        return false;
    return atomic_fetch_add(&sorted_without, count) + count <= START_PAYS;
}

clsort_status clsort_array(clsort_key key, void *keys, size_t count)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    struct cls_request request;
    desc.key = key;
    clsort_status status = cls_request_read(&desc, &request);
    if (status == CLSORT_OK)
        status = check_arrays(&request, count, keys, NULL);
    if (status != CLSORT_OK || count <= 1)
        return status;
    if (stay_here(count))
        return cls_host_sort(&request.shape, count, keys, NULL);
    pthread_once(&default_once, start_default_engine);
    return default_status == CLSORT_OK ? clsort_host(default_engine, NULL, &desc, count, keys, NULL)
                                       : default_status;
}
