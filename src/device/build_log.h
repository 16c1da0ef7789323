/* build_log.h - copies the build log of a program to the log of its device */
#ifndef CLSORT_DEVICE_BUILD_LOG_H
#define CLSORT_DEVICE_BUILD_LOG_H

#include "device/device.h"

/* Replaces the log of the device by the build log of the program. The caller holds the device's
 * mutex. */
void cls_device_log_build(struct cls_device *device, cl_program program);

#endif
