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

/* The elements [begin, end). */
struct cls_host_range {
    uint64_t begin, end;
};

/* A walk through segments in the order of their begins, clamped as clsort_segments.h defines it. */
struct cls_segment_walk {
    const struct cls_spec *spec;
    struct cls_host_segments segments; /* in this order */
    size_t count;                      /* elements */
    size_t next;
    uint64_t bound;   /* the largest end so far */
    uint64_t clamped; /* the number of segments that were clamped so far */
    char *memory;
};

/* Begins a walk through the segments of count elements. Errors: CLSORT_E_MEMORY. */
clsort_status cls_segment_walk_open(struct cls_segment_walk *walk, const struct cls_spec *spec,
                                    const struct cls_host_segments *segments, size_t count);

/* Sets *range to the next segment that is not empty. Returns false after the last one. */
bool cls_segment_walk_next(struct cls_segment_walk *walk, struct cls_host_range *range);

void cls_segment_walk_close(struct cls_segment_walk *walk);

/* Adds `first` to the indexes of a range, which count from there. */
void cls_segment_index_from(const struct cls_spec *spec, struct cls_host_range range,
                            uint64_t first, char *indexes);

/* Sorts the segments as clsort_segments.h defines it. Custom orders are not supported, except for
 * arrays of at most one element. Sets *clamped to the number of segments that were clamped. After
 * CLSORT_E_MEMORY each segment has its elements, in any order. */
clsort_status cls_sort_segments(const struct cls_spec *spec,
                                const struct cls_host_segments *segments, size_t count, void *keys,
                                void *values, uint64_t *clamped);

#endif
