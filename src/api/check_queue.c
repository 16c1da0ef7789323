/* check_queue.c - checks that a queue belongs to the context and the device of an engine */
#include "api/check_queue.h"

#include "base/error.h"

cl_int cls_check_queue(const struct cls_device *device, cl_command_queue queue)
{
    cl_context context;
    cl_device_id id;
    if (!queue)
        return cls_fail(CL_INVALID_COMMAND_QUEUE, "queue is NULL");
    cl_int status = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
    if (status == CL_SUCCESS)
        status = clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof id, &id, NULL);
    if (status != CL_SUCCESS)
        return cls_fail(status, "queue: clGetCommandQueueInfo returned %s",
                        clsort_status_string(status));
    if (context != device->context)
        return cls_fail(CL_INVALID_CONTEXT, "queue belongs to another context than the engine");
    return id == device->id
               ? CL_SUCCESS
               : cls_fail(CL_INVALID_DEVICE, "queue belongs to another device than the engine");
}
