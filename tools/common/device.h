/* device.h - clsort-tool-common: finds and opens an OpenCL device */
#ifndef CLSORT_TOOLS_DEVICE_H
#define CLSORT_TOOLS_DEVICE_H

#include <clsort.h>
#include <stdbool.h>

/* Why a tool that can sort without a device does so. */
enum host_cause { HOST_REQUESTED, HOST_NO_DEVICE, HOST_NO_MEMORY, HOST_FIRST };

struct device {
    cl_device_id id;
    cl_context context;
    clsort_engine *engine;
    clsort_group
        *group; /* several devices, the first of which is this one; NULL: only this one sorts */
    size_t group_count;                        /* devices of the group */
    bool is_failure_printed[CLSORT_MAX_GROUP]; /* of each of them */
    enum host_cause cause;                     /* if engine is NULL */
};

/* Opens the device with this name (the value of --device), as clsort_find_device finds it. If name
 * is NULL, $CLSORT_DEVICE is used, else the best device. Prints an error and returns false on
 * failure. The caller calls device_close in either case. */
bool device_open(struct device *device, const char *name);

/* The same for tools that can sort without a device. If the name is "host", or if no device is named
 * and the system has none, opens nothing and sets device->engine to NULL. */
bool device_open_or_host(struct device *device, const char *name);

/* Returns whether the user names a device, by the value of --device or by $CLSORT_DEVICE. */
bool device_is_named(const char *name);

/* Makes a tool that can sort without a device do so, because memory is short. Prints the reason and
 * returns true, or prints it as an error and returns false if a device is named. */
bool device_use_host(struct device *device, const char *name, const char *reason);

void device_close(struct device *device);

/* Prints the last error of clsort or, if its last call has succeeded, the name of the status. */
void device_print_error(const char *subject, clsort_status status);

/* Returns a string property of a device, such as CL_DEVICE_NAME; the caller frees it. NULL if the
 * query fails or there is no device. */
char *device_text(cl_device_id id, cl_device_info info);

#endif
