/* layout.h - the argument struct of clamp_count, for the host and the kernel */
#ifndef CLSORT_CLAMP_LAYOUT_H
#define CLSORT_CLAMP_LAYOUT_H

#include "common/shared_types.h"

typedef struct {
    cls_u64 bound;    /* maximum of the count */
    cls_u64 exceeded; /* what the result is if the count exceeds it; otherwise the result is 0 */
    cls_u32 writes_count; /* 1: there is a buffer for the clamped count, or for the result */
    cls_u32 writes_result;
} cls_clamp_args;

#endif
