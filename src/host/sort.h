/* sort.h - sorts in the calling thread, for arrays too small to benefit from a device and as the reference of the
 * self-test */
#ifndef CLSORT_HOST_SORT_H
#define CLSORT_HOST_SORT_H

#include "base/spec.h"

#include <clsort.h>

/* Stable. spec->value_bytes is the size of the caller's values. The arrays are unchanged if it returns
 * CLSORT_E_MEMORY. */
clsort_status cls_host_sort(const struct cls_spec *spec, size_t count, void *keys, void *values);

#endif
