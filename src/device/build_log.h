/* build_log.h - the compiler's messages about a program, as the log of its device */
#ifndef CLSORT_DEVICE_BUILD_LOG_H
#define CLSORT_DEVICE_BUILD_LOG_H

#include "device/device.h"

/* Replaces the device's log by the program's build log. The caller holds the device's mutex. */
void cls_keep_build_log(struct cls_device *device, cl_program program);

#endif
