/* quirks.h - known faults of drivers that no query reports
 *
 * tests/kernel/ has minimal kernels for the faults of the drivers in continuous integration. */
#ifndef CLSORT_DEVICE_QUIRKS_H
#define CLSORT_DEVICE_QUIRKS_H

#include "device/caps.h"

/* Corrects the capabilities of a device whose names and limits have been queried. */
void cls_quirks_apply(struct cls_caps *caps);

#endif
