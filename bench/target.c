/* target.c - the OpenCL device on which clsort sorts */
#include "target.h"

#include "last_error.h"

#include <err.h>
#include <stdlib.h>

static clsort_status open_all(const char *name, struct target *target)
{
    clsort_status status = clsort_find_device(name, &target->device);
    if (status == CLSORT_OK)
        status = clGetDeviceInfo(target->device, CL_DEVICE_NAME, sizeof target->name, target->name,
                                 NULL);
    if (status == CLSORT_OK)
        target->context = clCreateContext(NULL, 1, &target->device, NULL, NULL, &status);
    if (status == CLSORT_OK)
        target->queue = clCreateCommandQueue(target->context, target->device, 0, &status);
    if (status == CLSORT_OK)
        status = clsort_engine_create(target->context, target->device, NULL, &target->engine);
    return status;
}

bool target_open(const char *name, struct target *target)
{
    *target = (struct target){0};
    /* Without pinning, two of PoCL's threads sometimes wake on the same core while others are
     * idle. */
    setenv("POCL_AFFINITY", "1", 0);
    clsort_status status = open_all(name, target);
    if (status == CLSORT_OK)
        return true;
    char text[LAST_ERROR_SIZE];
    warnx("device %s: %s", name ? name : "(the best one)", last_error(status, text));
    target_close(target);
    return false;
}

void target_close(struct target *target)
{
    clsort_engine_destroy(target->engine);
    if (target->queue)
        clReleaseCommandQueue(target->queue);
    if (target->context)
        clReleaseContext(target->context);
}
