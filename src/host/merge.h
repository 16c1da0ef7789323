/* merge.h - merges two sorted runs in host memory, on all cores */
#ifndef CLSORT_HOST_MERGE_H
#define CLSORT_HOST_MERGE_H

#include "base/spec.h"

/* Elements in host memory; values is not read if the sort spec has none. */
struct cls_host_elements {
    void *keys, *values;
};

/* Returns the elements from index i on. */
struct cls_host_elements cls_host_elements_at(const struct cls_spec *spec,
                                              struct cls_host_elements elements, size_t i);

void cls_host_copy(const struct cls_spec *spec, struct cls_host_elements from,
                   struct cls_host_elements to, size_t count);

/* Merges the sorted elements [0, middle) and [middle, count) of `from` into `to`, which does not
 * overlap it; stable. Custom orders are not supported. Uses at most one thread for each core, and at
 * most 64; fewer if they cannot be created. */
void cls_host_merge(const struct cls_spec *spec, struct cls_host_elements from, size_t middle,
                    size_t count, struct cls_host_elements to);

#endif
