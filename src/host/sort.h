/* sort.h - sorting in the calling thread: for arrays too small to be worth a trip to a device, and as the
 * reference of the self-test */
#ifndef CLSORT_HOST_SORT_H
#define CLSORT_HOST_SORT_H

#include "base/spec.h"

#include <clsort.h>

/* Stable; spec.value_bytes are the caller's. CLSORT_E_MEMORY leaves the arrays as they were. */
clsort_status cls_host_sort(const struct cls_spec *spec, size_t count, void *keys, void *values);

#endif
