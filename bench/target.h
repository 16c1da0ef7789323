/* target.h - the OpenCL device on which clsort sorts */
#ifndef CLSORT_BENCH_TARGET_H
#define CLSORT_BENCH_TARGET_H

#include <clsort.h>
#include <stdbool.h>

struct target {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    clsort_engine *engine;
    char name[256]; /* CL_DEVICE_NAME */

    clsort_group *group; /* of group.h; NULL: none */
    char group_title[64];
    cl_device_id sub_devices[CLSORT_MAX_GROUP]; /* of the group */
    size_t sub_device_count;
};

/* Opens the device that clsort_find_device finds for name. Prints an error and returns false on
 * failure. */
bool target_open(const char *name, struct target *target);

void target_close(struct target *target);

#endif
