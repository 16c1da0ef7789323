/* sources.h - the kernels' texts, embedded by cmake/EmbedKernels.cmake */
#ifndef CLSORT_DEVICE_SOURCES_H
#define CLSORT_DEVICE_SOURCES_H

struct cls_source {
    const char *name; /* "radix.cl" */
    const char *text;
};

extern const struct cls_source cls_sources[]; /* ends with a NULL name */

#endif
