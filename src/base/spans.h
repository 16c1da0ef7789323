/* spans.h - arrays in host memory that must not overlap */
#ifndef CLSORT_BASE_SPANS_H
#define CLSORT_BASE_SPANS_H

#include <clsort.h>

/* An array in host memory. */
struct cls_host_span {
    const char *name;
    const void *at; /* NULL: absent */
    size_t bytes;
};

/* Returns CLSORT_E_OVERLAP if one of the first `outputs` arrays overlaps another of all the arrays. */
clsort_status cls_check_host_overlap(const struct cls_host_span *spans, size_t outputs,
                                     size_t arrays);

#endif
