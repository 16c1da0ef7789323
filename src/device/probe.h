/* probe.h - what only a device's compiler, or a kernel, tells */
#ifndef CLSORT_DEVICE_PROBE_H
#define CLSORT_DEVICE_PROBE_H

#include "device/program.h"

/* Completes the device's capabilities. */
cl_int cls_probe(struct cls_device *device);

#endif
