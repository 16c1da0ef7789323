/* verdicts.h - verdicts of self-tests on a device, stored in memory and in the on-disk cache */
#ifndef CLSORT_DEVICE_VERDICTS_H
#define CLSORT_DEVICE_VERDICTS_H

#include "device/device.h"

/* Returns whether a verdict is stored for this subject, device, driver and version of clsort: in
 * memory or, if on_disk, on disk. Appends the finding, which is empty if the test passed.
 * Thread-safe. */
bool cls_verdict_find(struct cls_device *device, const char *subject, bool on_disk,
                      struct cls_text *finding);

/* The same for tests that either pass or fail: sets *status to CLSORT_OK or CLSORT_E_SELF_TEST. */
bool cls_verdict_find_status(struct cls_device *device, const char *subject, clsort_status *status);

/* Stores a verdict in memory and, if on_disk, on disk. If that fails, the self-test runs again the
 * next time. Thread-safe. */
void cls_verdict_keep(struct cls_device *device, const char *subject, bool on_disk,
                      const char *finding);

/* The same for tests that either pass or fail: the test passed if status is CLSORT_OK. */
void cls_verdict_keep_status(struct cls_device *device, const char *subject, clsort_status status);

#endif
