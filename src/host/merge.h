/* merge.h - merges two sorted parts of a host array */
#ifndef CLSORT_HOST_MERGE_H
#define CLSORT_HOST_MERGE_H

#include "base/spec.h"

#include <clsort.h>

/* Merges the sorted elements [0, middle) and [middle, count); stable. Custom orders are not
 * supported. The arrays are unchanged if it returns CLSORT_E_MEMORY. */
clsort_status cls_host_merge(const struct cls_spec *spec, size_t middle, size_t count, void *keys,
                             void *values);

#endif
