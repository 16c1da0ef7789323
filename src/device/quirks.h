/* quirks.h - known faults of drivers: limits that no query reports, and queries with wrong results
 *
 * tests/kernel/ has a minimal kernel for each fault of a driver that continuous integration uses. */
#ifndef CLSORT_DEVICE_QUIRKS_H
#define CLSORT_DEVICE_QUIRKS_H

#include "device/caps.h"

/* Corrects capabilities after their names and limits have been queried. */
void cls_quirks_apply(struct cls_caps *caps);

#endif
