/* build_log.h - the error of a program that does not compile, with the build log */
#ifndef CLSORT_DEVICE_BUILD_LOG_H
#define CLSORT_DEVICE_BUILD_LOG_H

#include "base/spec.h"
#include "device/device.h"

/* Fails with the status that clBuildProgram has returned. The error contains the build log, and
 * before it an explanation if no message of the log is clear. custom is the custom order of the
 * program, or NULL. */
cl_int cls_fail_build(const struct cls_device *device, cl_program program,
                      const struct cls_custom *custom, cl_int status);

#endif
