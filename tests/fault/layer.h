/* layer.h - control of the OpenCL layer, for programs that are linked with it; $OPENCL_LAYERS has to name it, too */
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

/* Returns the number of references to handles of a kind that have not been released. */
FAULT_LAYER_API long fault_layer_live(enum fault_kind kind);

/* Returns the number of commands enqueued since the last clFinish. */
FAULT_LAYER_API long fault_layer_unfinished(void);

/* Returns whether a call was made to fail with this code in this process. */
FAULT_LAYER_API bool fault_layer_returned(cl_int code);

#endif
