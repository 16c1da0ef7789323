/* quirks.h - what some drivers do and do not say: limits that no query tells, answers that are wrong
 *
 * Each row is shown by a minimal kernel in tests/kernel/, which fails once the driver is mended. */
#ifndef CLSORT_DEVICE_QUIRKS_H
#define CLSORT_DEVICE_QUIRKS_H

#include "device/caps.h"

/* Corrects caps, whose texts and limits have been asked for. */
void cls_quirks_apply(struct cls_caps *caps);

#endif
