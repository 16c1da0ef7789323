/* launch.c - kernel arguments, and chains of launches on in-order and out-of-order queues */
#include "device/launch.h"

#include "base/error.h"

cl_int cls_chain_begin(struct cls_chain *chain, cl_command_queue queue, cl_uint wait_count,
                       const cl_event *wait_list, bool wants_event)
{
    cl_command_queue_properties properties = 0;
    const cl_int status = cls_called(
        "clGetCommandQueueInfo",
        clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL));
    *chain = (struct cls_chain){.queue = queue,
                                .in_order = !(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE),
                                .wants_event = wants_event,
                                .wait_count = wait_count,
                                .wait_list = wait_list};
    return status;
}

/* Makes the command with this event (NULL: none was requested) the last one of the chain. */
static void append_command(struct cls_chain *chain, cl_event event)
{
    if (chain->last)
        clReleaseEvent(chain->last);
    chain->last = event;
    chain->wait_count = 0;
    chain->wait_list = NULL;
    if (event && !chain->in_order) {
        chain->wait_count = 1;
        chain->wait_list = &chain->last;
    }
}

cl_int cls_launch_enqueue(struct cls_chain *chain, struct cls_launch *launch, size_t groups,
                          size_t group_size)
{
    if (launch->status != CL_SUCCESS)
        return launch->status;
    const size_t items = groups * group_size;
    const bool need_event = chain->wants_event || !chain->in_order;
    cl_event event = NULL;
    const cl_int status =
        clEnqueueNDRangeKernel(chain->queue, launch->kernel, 1, NULL, &items, &group_size,
                               chain->wait_count, chain->wait_list, need_event ? &event : NULL);
    if (status == CL_SUCCESS)
        append_command(chain, event);
    return cls_called("clEnqueueNDRangeKernel", status);
}

cl_int cls_copy_enqueue(struct cls_chain *chain, clsort_buffer from, clsort_buffer to, size_t bytes)
{
    const bool need_event = chain->wants_event || !chain->in_order;
    cl_event event = NULL;
    const cl_int status =
        clEnqueueCopyBuffer(chain->queue, from.mem, to.mem, from.offset, to.offset, bytes,
                            chain->wait_count, chain->wait_list, need_event ? &event : NULL);
    if (status == CL_SUCCESS)
        append_command(chain, event);
    return cls_called("clEnqueueCopyBuffer", status);
}

cl_int cls_chain_end(struct cls_chain *chain, cl_int status, cl_event *event)
{
    /* No command was enqueued: a marker waits for the caller's events. */
    if (status == CL_SUCCESS && !chain->last && (chain->wait_count > 0 || chain->wants_event)) {
        cl_event marker = NULL;
        status = clEnqueueMarkerWithWaitList(chain->queue, chain->wait_count, chain->wait_list,
                                             chain->wants_event ? &marker : NULL);
        if (status == CL_SUCCESS)
            append_command(chain, marker);
        cls_called("clEnqueueMarkerWithWaitList", status);
    }
    if (event)
        *event = status == CL_SUCCESS ? chain->last : NULL;
    if (chain->last && (!event || status != CL_SUCCESS))
        clReleaseEvent(chain->last);
    chain->last = NULL;
    return status;
}

static void set_arg(struct cls_launch *launch, size_t size, const void *value)
{
    if (launch->status == CL_SUCCESS)
        launch->status = cls_called("clSetKernelArg",
                                    clSetKernelArg(launch->kernel, launch->next++, size, value));
}

void cls_arg_buffer(struct cls_launch *launch, clsort_buffer buffer)
{
    set_arg(launch, sizeof buffer.mem, &buffer.mem);
    cls_arg_ulong(launch, buffer.offset);
}

void cls_arg_uint(struct cls_launch *launch, uint32_t value)
{
    set_arg(launch, sizeof value, &value);
}

void cls_arg_ulong(struct cls_launch *launch, uint64_t value)
{
    set_arg(launch, sizeof value, &value);
}

void cls_arg_struct(struct cls_launch *launch, const void *value, size_t bytes)
{
    set_arg(launch, bytes, value);
}

void cls_arg_sized(struct cls_launch *launch, unsigned bytes, uint64_t value)
{
    const uint8_t u8 = (uint8_t)value;
    const uint16_t u16 = (uint16_t)value;
    const uint32_t u32 = (uint32_t)value;
    set_arg(launch, bytes,
            bytes == 1   ? (const void *)&u8
            : bytes == 2 ? (const void *)&u16
            : bytes == 4 ? (const void *)&u32
                         : (const void *)&value);
}

cl_int cls_launch_alone(cl_context context, cl_device_id device, cl_kernel kernel,
                        size_t group_size, size_t bytes, void *result)
{
    cl_int status;
    const cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &status);
    if (status != CL_SUCCESS)
        return cls_called("clCreateBuffer", status);
    const cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    cls_called("clCreateCommandQueue", status);
    if (status == CL_SUCCESS) {
        status = cls_called("clSetKernelArg", clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
        if (status == CL_SUCCESS)
            status = cls_called("clEnqueueNDRangeKernel",
                                clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &group_size,
                                                       &group_size, 0, NULL, NULL));
        if (status == CL_SUCCESS)
            status = cls_called(
                "clEnqueueReadBuffer",
                clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, result, 0, NULL, NULL));
        clReleaseCommandQueue(queue);
    }
    clReleaseMemObject(buffer);
    return status;
}
