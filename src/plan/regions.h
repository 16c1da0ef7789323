/* regions.h - regions of scratch memory: parts of one buffer, or buffers of their own */
#ifndef CLSORT_PLAN_REGIONS_H
#define CLSORT_PLAN_REGIONS_H

#include "device/device.h"

/* Places regions in one buffer. Their sizes are multiples of CLS_REGION_ALIGNMENT. */
void cls_regions_place(const uint64_t *bytes, size_t count, clsort_buffer scratch,
                       clsort_buffer *region);

/* Allocates regions: in one buffer or, if that exceeds the device's largest buffer, in a buffer each.
 * The caller releases them by cls_regions_release, also after a failure. region[] must be clear. */
cl_int cls_regions_allocate(const struct cls_device *device, const uint64_t *bytes, size_t count,
                            clsort_buffer *region);

/* Releases allocated regions. OpenCL deletes a buffer when the commands that use it have finished. */
void cls_regions_release(size_t count, const clsort_buffer *region);

#endif
