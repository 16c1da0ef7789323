/* sort_segments.h - sorts segments of host arrays in the calling thread */
#ifndef CLSORT_API_SORT_SEGMENTS_H
#define CLSORT_API_SORT_SEGMENTS_H

#include "base/spec.h"

#include <clsort.h>

/* How an array in host memory is divided into segments. */
struct cls_host_segments {
    size_t count;
    size_t offset_bytes;        /* size of an offset and of an end */
    const void *offsets, *ends; /* NULL if spec.segments does not use them */
};

/* Sorts the segments as clsort_segments.h defines it. Custom orders are not supported, except for
 * arrays of at most one element. Sets *clamped to the number of segments that were clamped. After
 * CLSORT_E_MEMORY each segment has its elements, in any order. */
clsort_status cls_sort_segments(const struct cls_spec *spec,
                                const struct cls_host_segments *segments, size_t count, void *keys,
                                void *values, uint64_t *clamped);

#endif
