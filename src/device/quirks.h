/* quirks.h - what some drivers do and do not say: limits that no query tells, answers that are wrong
 *
 * Each row about a driver that tests meet in continuous integration is shown by a minimal kernel in tests/kernel/. */
#ifndef CLSORT_DEVICE_QUIRKS_H
#define CLSORT_DEVICE_QUIRKS_H

#include "device/caps.h"

/* Corrects caps, whose texts and limits have been asked for. */
void cls_quirks_apply(struct cls_caps *caps);

#endif
