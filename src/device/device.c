/* device.c - lifetime of a device, and the key of its entries in the on-disk cache */
#include "device/device.h"

#include "base/error.h"
#include "base/hash.h"
#include "device/disk_cache.h"
#include "device/sources.h"

#include <stdlib.h>
#include <string.h>

static atomic_size_t opened_count; /* devices opened so far in this process */

cl_int cls_device_open(cl_context context, cl_device_id id, const char *cache_dir,
                       struct cls_device **opened)
{
    struct cls_device *device = calloc(1, sizeof *device);
    if (!device)
        return CLSORT_E_MEMORY;
    device->number = atomic_fetch_add(&opened_count, 1) + 1;
    device->context = context;
    device->id = id;
    atomic_init(&device->references, 1);
    cl_int status = cls_caps_query(id, &device->caps);
    if (status == CL_SUCCESS)
        status = cls_called("clRetainContext", clRetainContext(context));
    if (status == CL_SUCCESS && pthread_mutex_init(&device->mutex, NULL) != 0) {
        clReleaseContext(context);
        status = CLSORT_E_MEMORY;
    }
    if (status != CL_SUCCESS) {
        free(device);
        return status;
    }
    device->cache_folder = cls_disk_cache_open(cache_dir);
    *opened = device;
    return CL_SUCCESS;
}

void cls_device_retain(struct cls_device *device)
{
    atomic_fetch_add(&device->references, 1);
}

void cls_device_clear(struct cls_device *device)
{
    while (device->programs) {
        struct cls_program *program = device->programs;
        device->programs = program->next;
        clReleaseProgram(program->program);
        free(program);
    }
    while (device->verdicts) {
        struct cls_verdict *verdict = device->verdicts;
        device->verdicts = verdict->next;
        free(verdict);
    }
    while (device->host_times) {
        struct cls_host_time *entry = device->host_times;
        device->host_times = entry->next;
        free(entry);
    }
}

void cls_device_release(struct cls_device *device)
{
    if (atomic_fetch_sub(&device->references, 1) > 1)
        return;
    cls_device_clear(device);
    cls_scratch_trim(device, 0);
    free(device->cache_folder);
    pthread_mutex_destroy(&device->mutex);
    clReleaseContext(device->context);
    free(device);
}

bool cls_is_shortage(clsort_status status)
{
    return status == CLSORT_E_MEMORY || status == CL_OUT_OF_HOST_MEMORY ||
           status == CL_MEM_OBJECT_ALLOCATION_FAILURE;
}

/* Returns the hash of the program with this root file (NULL: of all programs). */
static uint64_t source_hash(const char *root)
{
    static _Atomic uint64_t of_all; /* takes a millisecond to compute; 0: not computed yet */
    uint64_t hash = root ? 0 : atomic_load(&of_all);
    if (hash != 0)
        return hash;
    hash = CLS_HASH_START;
    for (const struct cls_source *source = cls_sources(); source->name; source++)
        if (!root || strcmp(source->name, root) == 0)
            hash = cls_hash(hash, source->text, strlen(source->text) + 1);
    if (!root)
        atomic_store(&of_all, hash);
    return hash;
}

bool cls_device_key(const struct cls_device *device, const char *root, struct cls_text *key)
{
    const struct cls_caps *caps = &device->caps;
    const uint64_t hash = source_hash(root);
    cls_text_add(key, "clsort %s\n%s\n%s\n%s\n%s %s\n%016llx\n", CLSORT_VERSION_STRING, caps->name,
                 caps->vendor, caps->driver, caps->platform_name, caps->platform_version,
                 (unsigned long long)hash);
    return caps->identified && cls_text_fits(key);
}
