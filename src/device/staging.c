/* staging.c - memory of the host through which large arrays are copied to and from a device
 *
 * On an H100's host, 64 MiB take 10 ms to allocate and pin. Each 64 MiB that are copied through them
 * take 2 ms instead of 6 to 10 ms. */
#include "device/staging.h"

#include "device/device.h"

bool cls_staging_take(struct cls_device *device, uint64_t bytes, struct cls_staging *staging)
{
    pthread_mutex_lock(&device->mutex);
    device->copied_bytes += bytes;
    const bool is_free = !device->is_staging && device->copied_bytes >= device->caps.direct_bytes;
    if (is_free) {
        *staging = device->kept.staging;
        device->kept.staging = (struct cls_staging){NULL, NULL};
        device->is_staging = true;
    }
    pthread_mutex_unlock(&device->mutex);
    if (!is_free || staging->mem)
        return is_free;
    if (cls_create_in_pages(device, CLS_STAGING_BYTES, &staging->mem, &staging->at))
        return true;
    cls_staging_give(device, (struct cls_staging){NULL, NULL});
    return false;
}

void cls_staging_give(struct cls_device *device, struct cls_staging staging)
{
    pthread_mutex_lock(&device->mutex);
    device->kept.staging = staging;
    device->is_staging = false;
    pthread_mutex_unlock(&device->mutex);
}
