/* device.h - choosing an OpenCL device, and opening it */
#ifndef CLSORT_TOOLS_DEVICE_H
#define CLSORT_TOOLS_DEVICE_H

#include <clsort.h>
#include <stdbool.h>

struct device {
    cl_device_id id;
    cl_context context;
    clsort_engine *engine;
};

/* Opens the device of a name as in clsort_find_device; NULL: $CLSORT_DEVICE, else the best. Reports
 * its own trouble and returns false; device_close is needed after that too. */
bool device_open(struct device *device, const char *name);

void device_close(struct device *device);

/* A text that a device has, such as CL_DEVICE_NAME, to be freed. NULL when it cannot be had. */
char *device_text(cl_device_id id, cl_device_info info);

#endif
