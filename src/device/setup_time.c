/* setup_time.c - how long programs and self-tests of a device have taken so far */
#include "device/setup_time.h"

#include "base/platform.h"
#include "device/device.h"

struct cls_setup_time cls_setup_time(struct cls_device *device)
{
    pthread_mutex_lock(&device->mutex);
    const struct cls_setup_time time = device->setup_time;
    pthread_mutex_unlock(&device->mutex);
    return time;
}

struct cls_self_test_timer cls_self_test_begin(struct cls_device *device)
{
    return (struct cls_self_test_timer){cls_monotonic_ns(), cls_setup_time(device).build_ns};
}

void cls_self_test_end(struct cls_device *device, const struct cls_self_test_timer *timer)
{
    const uint64_t elapsed = cls_monotonic_ns() - timer->start_ns;
    pthread_mutex_lock(&device->mutex);
    const uint64_t build = device->setup_time.build_ns - timer->build_ns;
    if (elapsed > build) /* other threads may have compiled programs */
        device->setup_time.self_test_ns += elapsed - build;
    pthread_mutex_unlock(&device->mutex);
}
