/* check_queue.c - checks that a queue belongs to the context and the device of an engine */
#include "api/check_queue.h"

cl_int cls_check_queue(const struct cls_device *device, cl_command_queue queue)
{
    cl_context context;
    cl_device_id id;
    if (!queue)
        return CL_INVALID_COMMAND_QUEUE;
    cl_int status = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
    if (status == CL_SUCCESS)
        status = clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof id, &id, NULL);
    if (status != CL_SUCCESS)
        return status;
    return context != device->context ? CL_INVALID_CONTEXT
           : id != device->id         ? CL_INVALID_DEVICE
                                      : CL_SUCCESS;
}
