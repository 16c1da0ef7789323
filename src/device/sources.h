/* sources.h - the source of every program, embedded by cmake/EmbedKernels.cmake */
#ifndef CLSORT_DEVICE_SOURCES_H
#define CLSORT_DEVICE_SOURCES_H

struct cls_source {
    const char *name; /* of the root file: "radix/radix.cl" */
    const char *text; /* with all that it includes */
};

extern const struct cls_source cls_sources[]; /* ends with a NULL name */

#endif
