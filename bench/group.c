/* group.c - the group of devices that takes part in sorts of host arrays */
#include "group.h"

#include "last_error.h"

#include <err.h>
#include <stdio.h>

/* Finds the devices of --group. */
static clsort_status find(const struct count_list *indexes, cl_device_id *ids)
{
    clsort_status status = CLSORT_OK;
    for (size_t i = 0; i < indexes->length && status == CLSORT_OK; i++) {
        char name[32];
        snprintf(name, sizeof name, "%zu", indexes->counts[i]);
        status = clsort_find_device(name, &ids[i]);
    }
    return status;
}

static cl_uint compute_units(const struct target *target)
{
    cl_uint units = 0;
    clGetDeviceInfo(target->device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
    return units;
}

/* Divides the compute units of the device, which has at least `count`. */
static clsort_status divide(struct target *target, size_t count)
{
    const cl_device_partition_property how[] = {
        CL_DEVICE_PARTITION_EQUALLY, (cl_device_partition_property)(compute_units(target) / count),
        0};
    cl_device_id all[CLSORT_MAX_GROUP];
    cl_uint created = 0;
    /* If the division leaves a rest, there may be more sub-devices. */
    const cl_int status = clCreateSubDevices(target->device, how, CLSORT_MAX_GROUP, all, &created);
    for (cl_uint i = 0; status == CL_SUCCESS && i < created; i++)
        if (i < count)
            target->sub_devices[target->sub_device_count++] = all[i];
        else
            clReleaseDevice(all[i]);
    return status;
}

/* Creates a group whose option has this name, unless the search for its devices has failed. */
static bool create(struct target *target, const char *option, clsort_status status,
                   const cl_device_id *ids, size_t count)
{
    if (status == CLSORT_OK)
        status = clsort_group_create(ids, count, NULL, &target->group);
    if (status != CLSORT_OK) {
        char text[LAST_ERROR_SIZE];
        warnx("--%s: %s", option, last_error(status, text));
        return false;
    }
    return true;
}

bool group_open(const struct options *options, struct target *target)
{
    const size_t parts = options->sub_devices, count = parts ? parts : options->group.length;
    cl_device_id ids[CLSORT_MAX_GROUP];
    if (parts > compute_units(target)) {
        warnx("--sub-devices: %zu: the device has %u compute units", parts, compute_units(target));
        return false;
    }
    snprintf(target->group_title, sizeof target->group_title, "%zu %s", count,
             parts ? "sub-devices" : "devices");
    if (parts)
        return create(target, "sub-devices", divide(target, parts), target->sub_devices, parts);
    return count == 0 || create(target, "group", find(&options->group, ids), ids, count);
}

void group_close(struct target *target)
{
    clsort_group_destroy(target->group);
    for (size_t i = 0; i < target->sub_device_count; i++)
        clReleaseDevice(target->sub_devices[i]);
}
