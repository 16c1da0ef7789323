/* test_buffers.c - device buffers of self-tests */
#include "plan/test_buffers.h"

#include "base/error.h"

cl_mem cls_test_buffer_create(const struct cls_device *device, size_t bytes, void *data,
                              cl_int *status)
{
    if (*status != CL_SUCCESS || bytes == 0)
        return NULL;
    const cl_mem buffer =
        clCreateBuffer(device->context, CL_MEM_READ_WRITE | (data ? CL_MEM_COPY_HOST_PTR : 0),
                       bytes, data, status);
    cls_called("clCreateBuffer", *status);
    return buffer;
}

cl_int cls_test_buffer_read(cl_command_queue queue, cl_mem buffer, size_t bytes, void *to)
{
    return bytes == 0
               ? CL_SUCCESS
               : cls_called("clEnqueueReadBuffer", clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0,
                                                                       bytes, to, 0, NULL, NULL));
}

void cls_test_buffers_release(cl_mem *buffers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (buffers[i])
            clReleaseMemObject(buffers[i]);
        buffers[i] = NULL;
    }
}
