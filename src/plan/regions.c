/* regions.c - regions of scratch memory: parts of one buffer, or buffers of their own */
#include "plan/regions.h"

#include "algo/algo.h"
#include "base/arithmetic.h"

uint64_t cls_regions_round(uint64_t *bytes, size_t count)
{
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++) {
        bytes[i] = cls_round_up(bytes[i], CLS_REGION_ALIGNMENT);
        total += bytes[i];
    }
    return total;
}

/* Places regions in one buffer. */
static void place(const uint64_t *bytes, size_t count, clsort_buffer scratch, clsort_buffer *region)
{
    for (size_t i = 0; i < count; i++) {
        region[i] = scratch;
        scratch.offset += bytes[i];
    }
}

cl_int cls_regions_open(const struct cls_device *device, const uint64_t *bytes, size_t count,
                        clsort_buffer scratch, clsort_buffer *region)
{
    cl_int status = CL_SUCCESS;
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += bytes[i];
    if (scratch.mem || total <= device->caps.max_alloc) {
        if (!scratch.mem && total > 0)
            status = cls_scratch_create(device, total, &scratch.mem);
        place(bytes, count, scratch, region);
        return status;
    }
    for (size_t i = 0; i < count && status == CL_SUCCESS; i++)
        status =
            cls_scratch_create(device, cls_max(bytes[i], CLS_REGION_ALIGNMENT), &region[i].mem);
    return status;
}

void cls_regions_close(clsort_buffer scratch, size_t count, const clsort_buffer *region)
{
    for (size_t i = 0; i < count && !scratch.mem; i++)
        if (region[i].mem && (i == 0 || region[i].mem != region[0].mem))
            clReleaseMemObject(region[i].mem);
}
