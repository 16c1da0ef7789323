/* sources.h - the sources of all programs */
#ifndef CLSORT_DEVICE_SOURCES_H
#define CLSORT_DEVICE_SOURCES_H

struct cls_source {
    const char *name; /* root file: "radix/radix.cl" */
    const char *text; /* the root file with all files that it includes */
};

/* Embedded by cmake/EmbedKernels.cmake; ends with a NULL name. */
extern const struct cls_source cls_embedded_sources[];

/* Returns the embedded sources. Tests with edited kernels replace this function. */
const struct cls_source *cls_sources(void);

#endif
