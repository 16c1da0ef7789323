/* probe.h - capabilities that only a compilation or a kernel can determine */
#ifndef CLSORT_DEVICE_PROBE_H
#define CLSORT_DEVICE_PROBE_H

#include "device/program.h"

/* Sets compresses, sub_group_size and sub_group_backend in device->caps. Returns an error only if
 * memory is short. */
cl_int cls_probe(struct cls_device *device);

#endif
