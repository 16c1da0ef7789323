/* devices.c - clsort --devices: sorts on several devices */
#include "devices.h"

#include "print.h"

#include <stdio.h>
#include <stdlib.h>

/* Finds the device with an index. */
static clsort_status find(unsigned index, cl_device_id *id)
{
    char name[16];

    snprintf(name, sizeof name, "%u", index);
    return clsort_find_device(name, id);
}

/* Finds the devices of the list, or all, at most CLSORT_MAX_GROUP. */
static clsort_status find_all(const struct device_list *list, cl_device_id *ids, size_t *count)
{
    clsort_status status = CLSORT_OK;

    *count = 0;
    while (status == CLSORT_OK && *count < (list->is_all ? CLSORT_MAX_GROUP : list->count)) {
        const unsigned index = list->is_all ? (unsigned)*count : list->indexes[*count];

        status = find(index, &ids[*count]);
        *count += status == CLSORT_OK;
    }
    return list->is_all && *count > 0 && status == CLSORT_E_DEVICE ? CLSORT_OK : status;
}

bool devices_open(struct job *job)
{
    cl_device_id ids[CLSORT_MAX_GROUP];
    struct device *device = &job->device;

    if (!job->options.devices.is_given)
        return true;
    clsort_status status = find_all(&job->options.devices, ids, &device->group_count);
    if (status == CLSORT_OK)
        status = clsort_group_create(ids, device->group_count, NULL, &device->group);
    if (status != CLSORT_OK)
        device_print_error("--devices", status);
    return status == CLSORT_OK;
}

bool devices_support(const struct job *job, bool is_large)
{
    if (!job->options.devices.is_given || (!is_large && job->rows.count <= 1))
        return true;
    if (is_large)
        print_error(
            "--devices",
            "a file that is sorted in runs is sorted by one device; raise the limit of memory, "
            "or use --device");
    else
        print_error("--devices",
                    "the array has %zu rows, which one device sorts; use --device, or --axis=none",
                    job->rows.count);
    return false;
}

void devices_print_failures(struct job *job)
{
    struct device *device = &job->device;

    for (size_t i = 0; i < device->group_count; i++) {
        clsort_status failure = CLSORT_OK;

        clsort_group_share(device->group, i, NULL, &failure);
        if (failure == CLSORT_OK || device->is_failure_printed[i])
            continue;
        print_error("--devices",
                    "device %zu of the list has failed (%s); others have done its work", i,
                    clsort_status_string(failure));
        device->is_failure_printed[i] = true;
    }
}

char *devices_title(const struct job *job)
{
    char *name = device_text(job->device.id, CL_DEVICE_NAME);
    char *title;

    if (name == NULL || job->device.group_count <= 1)
        return name;
    const int length = snprintf(NULL, 0, "%s and %zu more", name, job->device.group_count - 1);
    title = malloc((size_t)length + 1);
    if (title != NULL)
        snprintf(title, (size_t)length + 1, "%s and %zu more", name, job->device.group_count - 1);
    free(name);
    return title;
}
