/* verdicts.h - what self-tests found on this device, kept in memory and, with the binaries, on disk */
#ifndef CLSORT_DEVICE_VERDICTS_H
#define CLSORT_DEVICE_VERDICTS_H

#include "device/device.h"

/* Whether the subject was tested on such a device before, by this version of clsort; adds the finding. */
bool cls_verdict_find(struct cls_device *device, const char *subject, struct cls_text *finding);

/* Best effort: a verdict that cannot be kept is found again by testing. */
void cls_verdict_keep(struct cls_device *device, const char *subject, const char *finding);

#endif
