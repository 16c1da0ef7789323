/* sort.h - sorts in the calling thread: small arrays, and the reference of the self-test */
#ifndef CLSORT_HOST_SORT_H
#define CLSORT_HOST_SORT_H

#include "base/spec.h"
#include "host/words.h"

#include <clsort.h>

/* Sorts count elements; stable. spec->value_bytes is the size of the caller's values. If values are
 * indexes, the keys are only read, and the values become the permutation that sorts them. Custom
 * orders are not supported. The arrays are unchanged if it returns CLSORT_E_MEMORY. */
clsort_status cls_host_sort(const struct cls_spec *spec, size_t count, void *keys, void *values);

/* The same, by an implementation that the processor supports. */
clsort_status cls_host_sort_by(const struct cls_words *code, const struct cls_spec *spec,
                               size_t count, void *keys, void *values);

#endif
