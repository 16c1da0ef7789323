/* group.c - public functions of groups of devices */
#include "group/group.h"

#include "api/engine.h"
#include "api/host.h"
#include "base/error.h"
#include "device/process.h"
#include "group/device_semaphore.h"
#include "group/memory.h"

#include <stdlib.h>

/* -- groups ------------------------------------------------------------------------------------ */

/* Creates an engine for a device, in a context of its own. */
static clsort_status open_device(cl_device_id device, const clsort_engine_options *options,
                                 clsort_engine **engine)
{
    cl_int status;
    const cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    if (status != CL_SUCCESS)
        return cls_called("clCreateContext", status);
    status = clsort_engine_create(context, device, options, engine);
    clReleaseContext(context);
    return status;
}

static void close_devices(struct clsort_group *group)
{
    for (size_t i = 0; i < group->count; i++)
        clsort_engine_destroy(group->engines[i]);
}

static clsort_status open_devices(struct clsort_group *group, const cl_device_id *devices,
                                  size_t count, const clsort_engine_options *options)
{
    clsort_status status = CLSORT_OK;
    while (group->count < count && status == CLSORT_OK) {
        status = open_device(devices[group->count], options, &group->engines[group->count]);
        group->count += status == CLSORT_OK;
    }
    if (status == CLSORT_OK && pthread_mutex_init(&group->mutex, NULL) != 0)
        status = CLSORT_E_MEMORY;
    if (status != CLSORT_OK)
        close_devices(group);
    return status;
}

static clsort_status create(const cl_device_id *devices, size_t count,
                            const clsort_engine_options *options, struct clsort_group **group)
{
    if (!group)
        return cls_fail(CLSORT_E_ARGUMENT, "group is NULL");
    *group = NULL;
    if (!devices)
        return cls_fail(CLSORT_E_ARGUMENT, "devices is NULL");
    if (count == 0 || count > CLSORT_MAX_GROUP)
        return cls_fail(CLSORT_E_ARGUMENT, "device_count is %zu: 1 to %d", count, CLSORT_MAX_GROUP);
    clsort_status status = cls_check_process();
    if (status != CLSORT_OK)
        return status;
    struct clsort_group *created = calloc(1, sizeof *created);
    if (!created)
        return CLSORT_E_MEMORY;
    status = open_devices(created, devices, count, options);
    if (status == CLSORT_OK)
        *group = created;
    else
        free(created);
    return status;
}

clsort_status clsort_group_create(const cl_device_id *devices, size_t device_count,
                                  const clsort_engine_options *options, clsort_group **group)
{
    cls_error_begin(0);
    return cls_error_end(create(devices, device_count, options, group));
}

void clsort_group_destroy(clsort_group *group)
{
    if (!group || !cls_process_may_use_opencl())
        return;
    cls_group_trim(group);
    close_devices(group);
    pthread_mutex_destroy(&group->mutex);
    free(group);
}

clsort_status clsort_group_trim(clsort_group *group)
{
    cls_error_begin(0);
    clsort_status status =
        group ? cls_check_process() : cls_fail(CLSORT_E_ARGUMENT, "group is NULL");
    if (status == CLSORT_OK)
        cls_group_trim(group);
    for (size_t i = 0; status == CLSORT_OK && i < group->count; i++)
        status = clsort_engine_trim(group->engines[i], 0);
    return cls_error_end(status);
}

/* -- sorts ------------------------------------------------------------------------------------- */

/* Returns whether clsort_host sorts without the help of other devices. */
static bool sorts_alone(const struct clsort_group *group, const struct cls_request *request,
                        size_t count)
{
    return group->count == 1 || !cls_process_may_use_opencl() ||
           cls_host_is_small(request, count, CLS_MAX_HOST_COUNT);
}

/* In a child process, another thread of the parent may have held the mutex during the fork. */
void cls_group_clear_shares(struct clsort_group *group)
{
    if (!cls_process_may_use_opencl())
        return;
    pthread_mutex_lock(&group->mutex);
    memset(group->last, 0, sizeof group->last);
    pthread_mutex_unlock(&group->mutex);
}

/* Sorts by clsort_host, which uses a device only if the group has no other. In a child process, another thread of the
 * parent may have held the mutex of the semaphore during the fork. */
static clsort_status sort_alone(struct clsort_group *group, const clsort_desc *desc, size_t count,
                                void *keys, void *values)
{
    const struct cls_caps *caps = &group->engines[0]->device->caps;
    const bool uses_device = group->count == 1 && cls_process_may_use_opencl();
    if (uses_device)
        cls_semaphore_acquire(caps);
    const clsort_status status = clsort_host(group->engines[0], NULL, desc, count, keys, values);
    if (uses_device)
        cls_semaphore_release(caps);
    return status;
}

static clsort_status sort(struct clsort_group *group, const clsort_desc *desc, size_t count,
                          void *keys, void *values)
{
    struct cls_request request;
    if (!group)
        return cls_fail(CLSORT_E_ARGUMENT, "group is NULL");
    clsort_status status = cls_host_read(desc, count, keys, values, &request);
    if (status == CLSORT_OK && !sorts_alone(group, &request, count))
        return cls_group_sort(group, desc, &request, count, keys, values);
    if (status == CLSORT_OK)
        status = sort_alone(group, desc, count, keys, values);
    cls_group_clear_shares(group);
    return status;
}

clsort_status clsort_group_host(clsort_group *group, const clsort_desc *desc, size_t count,
                                void *keys, void *values)
{
    cls_error_begin(0);
    return cls_error_end(sort(group, desc, count, keys, values));
}

clsort_status clsort_group_share(clsort_group *group, size_t device, size_t *elements,
                                 clsort_status *failure)
{
    struct cls_share share = {0, 0, 0, CLSORT_OK};
    cls_error_begin(0);
    clsort_status status = cls_check_process();
    if (!group)
        status = cls_fail(CLSORT_E_ARGUMENT, "group is NULL");
    else if (device >= group->count)
        status =
            cls_fail(CLSORT_E_ARGUMENT, "device is %zu: the group has %zu", device, group->count);
    else if (status == CLSORT_OK) {
        pthread_mutex_lock(&group->mutex);
        share = group->last[device];
        pthread_mutex_unlock(&group->mutex);
    }
    if (elements)
        *elements = share.elements;
    if (failure)
        *failure = share.failure;
    return cls_error_end(status);
}
