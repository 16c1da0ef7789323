/* regions.c - regions of scratch memory: parts of one buffer, or buffers of their own */
#include "plan/regions.h"

#include "algo/algo.h"
#include "base/arithmetic.h"

void cls_regions_place(const uint64_t *bytes, size_t count, clsort_buffer scratch,
                       clsort_buffer *region)
{
    for (size_t i = 0; i < count; i++) {
        region[i] = scratch;
        scratch.offset += bytes[i];
    }
}

cl_int cls_regions_allocate(const struct cls_device *device, const uint64_t *bytes, size_t count,
                            clsort_buffer *region)
{
    cl_int status = CL_SUCCESS;
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += bytes[i];
    if (total <= device->caps.max_alloc) {
        clsort_buffer scratch = {NULL, 0};
        status = cls_scratch_create(device, total, &scratch.mem);
        cls_regions_place(bytes, count, scratch, region);
        return status;
    }
    for (size_t i = 0; i < count && status == CL_SUCCESS; i++)
        status =
            cls_scratch_create(device, cls_max(bytes[i], CLS_REGION_ALIGNMENT), &region[i].mem);
    return status;
}

void cls_regions_release(size_t count, const clsort_buffer *region)
{
    for (size_t i = 0; i < count; i++)
        if (region[i].mem && (i == 0 || region[i].mem != region[0].mem))
            clReleaseMemObject(region[i].mem);
}
