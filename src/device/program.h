/* program.h - compiled programs
 *
 * A program is looked up in memory, then on disk where the driver provides binaries, and otherwise compiled. */
#ifndef CLSORT_DEVICE_PROGRAM_H
#define CLSORT_DEVICE_PROGRAM_H

#include "base/spec.h"
#include "device/device.h"

/* What a program is made of. */
struct cls_program_source {
    const char *root; /* its root file in cl/ */
    const char *options;
    const struct cls_custom *custom; /* goes before the root; NULL: none */
};

/* Creates one kernel of a program, which is compiled first where need be. */
cl_int cls_kernel_create(struct cls_device *device, const struct cls_program_source *source,
                         const char *name, cl_kernel *kernel);

#endif
