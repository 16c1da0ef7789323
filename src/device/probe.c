/* probe.c - what only a device's compiler, or a kernel, tells */
#include "device/probe.h"

#include "device/sub_group.h"
#include "device/verdicts.h"

/* Lanes in local memory: more of them read more of it for a match, fewer need more counters. */
enum { LOCAL_WIDTH = 16 };

static cl_int probe_compress(struct cls_device *device)
{
    const struct cls_program_source source = {"probe/compress.cl", "", NULL};
    cl_kernel kernel = NULL;
    if (!(device->caps.type & CL_DEVICE_TYPE_CPU))
        return CL_SUCCESS;
    const cl_int status = cls_kernel_create(device, &source, "can_compress", &kernel);
    device->caps.compresses = status == CL_SUCCESS;
    if (status == CL_SUCCESS)
        return clReleaseKernel(kernel);
    return cls_is_shortage(status) ? status : CL_SUCCESS;
}

/* CLSORT_OK, a shortage, or what keeps the device from such lanes; remembered but for shortages. */
static cl_int test_once(struct cls_device *device, struct cls_sub_group lanes)
{
    char subject[64], known[64] = "";
    struct cls_text line = CLS_TEXT(subject), finding = CLS_TEXT(known);
    cls_text_add(&line, "lanes %u by %d", lanes.width, (int)lanes.body);
    if (cls_verdict_find(device, subject, &finding))
        return *known ? CLSORT_E_SELF_TEST : CLSORT_OK;
    const cl_int status = cls_sub_group_test(device, lanes);
    if (!cls_is_shortage(status))
        cls_verdict_keep(device, subject, status == CLSORT_OK ? "" : "no such lanes");
    return status;
}

static cl_int settle_lanes(struct cls_device *device)
{
    struct cls_caps *caps = &device->caps;
    struct cls_sub_group offers[CLS_MAX_SUB_GROUP_OFFERS];
    size_t count;
    if (caps->sub_group_size > 0)
        return CL_SUCCESS;
    caps->sub_group_size = 1;
    if (caps->type & CL_DEVICE_TYPE_CPU)
        return CL_SUCCESS;
    cl_int status = cls_sub_group_offers(device, offers, &count);
    for (size_t i = 0; i < count && !cls_is_shortage(status); i++) {
        status = test_once(device, offers[i]);
        if (status == CLSORT_OK) {
            caps->sub_group_backend = offers[i].body;
            caps->sub_group_size = offers[i].width;
            return CL_SUCCESS;
        }
    }
    caps->sub_group_size = LOCAL_WIDTH;
    return cls_is_shortage(status) ? status : CL_SUCCESS;
}

cl_int cls_probe(struct cls_device *device)
{
    const cl_int status = probe_compress(device);
    return status == CL_SUCCESS ? settle_lanes(device) : status;
}
