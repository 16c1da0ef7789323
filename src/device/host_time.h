/* host_time.h - how long the host has sorted instead of programs that are not compiled yet
 *
 * The ski-rental problem: if the host sorts until its sorts have taken as long as compiling the
 * programs would, the total time is at most twice the optimum. */
#ifndef CLSORT_DEVICE_HOST_TIME_H
#define CLSORT_DEVICE_HOST_TIME_H

#include "device/device.h"

/* Adds `ns` to the time of the host's sorts that the programs with this subject (self_test.h) could
 * have done, unless the sum would exceed `max_ns`. Returns whether it was added. The sum is kept in
 * memory and, in steps, in the disk cache, so that it includes sorts of other processes.
 * Thread-safe. */
bool cls_host_time_add(struct cls_device *device, const char *subject, uint64_t ns,
                       uint64_t max_ns);

#endif
