/* device_semaphore.h - limits how many devices run tasks of groups at the same time, for drivers with a race */
#ifndef CLSORT_GROUP_DEVICE_SEMAPHORE_H
#define CLSORT_GROUP_DEVICE_SEMAPHORE_H

#include "device/caps.h"

/* Waits until fewer than caps->max_group_devices devices hold the semaphore, and acquires it for another one. All
 * groups of the process share it. Does nothing if max_group_devices is 0. A thread acquires it only once at a time. */
void cls_semaphore_acquire(const struct cls_caps *caps);

/* Releases the semaphore that the calling thread has acquired for a device with these capabilities. */
void cls_semaphore_release(const struct cls_caps *caps);

#endif
