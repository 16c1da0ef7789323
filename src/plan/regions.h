/* regions.h - regions of scratch memory: parts of one buffer, or buffers of their own */
#ifndef CLSORT_PLAN_REGIONS_H
#define CLSORT_PLAN_REGIONS_H

#include "device/device.h"

/* Rounds the sizes up to multiples of CLS_REGION_ALIGNMENT. Returns their sum. */
uint64_t cls_regions_round(uint64_t *bytes, size_t count);

/* Sets the regions, whose sizes are rounded: parts of the scratch buffer or, if scratch.mem is NULL, allocated
 * memory. That is one buffer or, if their sum exceeds the device's largest buffer, a buffer for each. The caller
 * closes the regions, also after a failure. region[] must be clear. */
cl_int cls_regions_open(const struct cls_device *device, const uint64_t *bytes, size_t count,
                        clsort_buffer scratch, clsort_buffer *region);

/* Releases allocated regions. OpenCL deletes a buffer when the commands that use it have finished. */
void cls_regions_close(clsort_buffer scratch, size_t count, const clsort_buffer *region);

#endif
