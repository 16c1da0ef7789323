/* sources.h - the sources of all programs, embedded by cmake/EmbedKernels.cmake */
#ifndef CLSORT_DEVICE_SOURCES_H
#define CLSORT_DEVICE_SOURCES_H

struct cls_source {
    const char *name; /* root file: "radix/radix.cl" */
    const char *text; /* the root file with all files that it includes */
};

extern const struct cls_source cls_sources[]; /* ends with a NULL name */

#endif
