/* program.h - compiles programs, with a cache in memory and on disk */
#ifndef CLSORT_DEVICE_PROGRAM_H
#define CLSORT_DEVICE_PROGRAM_H

#include "base/spec.h"
#include "device/device.h"

/* What a program is compiled from. */
struct cls_program_source {
    const char *root; /* root file in cl/ */
    const char *options;
    const struct cls_custom *custom; /* custom order that precedes the root file, or NULL */
};

/* Creates one kernel of a program, which is taken from memory or disk, or compiled. Returns
 * CLSORT_E_MEMORY or an OpenCL error. Thread-safe. */
cl_int cls_kernel_create(struct cls_device *device, const struct cls_program_source *source,
                         const char *name, cl_kernel *kernel);

#endif
