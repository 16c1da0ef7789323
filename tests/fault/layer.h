/* layer.h - the OpenCL layer under a program that is linked with it, and named in $OPENCL_LAYERS */
#ifndef CLSORT_TESTS_FAULT_LAYER_H
#define CLSORT_TESTS_FAULT_LAYER_H

#include "point.h"

#include <clsort.h>

#define FAULT_LAYER_API __attribute__((visibility("default")))

enum fault_kind {
    FAULT_CONTEXTS,
    FAULT_QUEUES,
    FAULT_BUFFERS,
    FAULT_PROGRAMS,
    FAULT_KERNELS,
    FAULT_EVENTS,
    FAULT_KINDS
};

FAULT_LAYER_API struct fault_point *fault_layer(void);

/* References to handles of a kind that the program holds. */
FAULT_LAYER_API long fault_layer_live(enum fault_kind kind);

/* Commands enqueued since the last clFinish. */
FAULT_LAYER_API long fault_layer_unfinished(void);

/* Whether a call has failed with this code since the layer was armed. */
FAULT_LAYER_API bool fault_layer_gave(cl_int code);

#endif
