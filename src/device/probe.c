/* probe.c - what only a device's compiler tells */
#include "device/probe.h"

cl_int cls_probe(struct cls_device *device)
{
    static const char *const files[] = {"compress.cl", "probe.cl", NULL};
    const struct cls_code code = {files, "", NULL};
    cl_kernel kernel = NULL;
    if (!(device->caps.type & CL_DEVICE_TYPE_CPU))
        return CL_SUCCESS;
    const cl_int status = cls_kernel_create(device, &code, "can_compress", &kernel);
    device->caps.compresses = status == CL_SUCCESS;
    if (status == CL_SUCCESS)
        return clReleaseKernel(kernel);
    return cls_is_shortage(status) ? status : CL_SUCCESS;
}
