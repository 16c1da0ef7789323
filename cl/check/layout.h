/* layout.h - the scratch of CLSORT_CHECK and the argument struct of its kernels, for the host and
 * the kernels */
#ifndef CLSORT_CHECK_LAYOUT_H
#define CLSORT_CHECK_LAYOUT_H

#include "common/shared_types.h"

/* Scratch begins with this struct. For each chunk, the index of its first violation follows, of 64
 * bits, which is valid only if there is one. */
typedef struct {
    cls_u32 first_chunk; /* the first chunk that is known to have a violation; CHECK_NONE: none */
    cls_u32 unused;
} cls_check_control;

#define CHECK_NONE 0xffffffffu

typedef struct {
    cls_u64 count;    /* elements */
    cls_u64 chunk;    /* elements of each chunk but the last */
    cls_u64 multiple; /* chunks of a count in device memory are multiples of it */
    cls_u64 block;    /* elements after which a work-item reads first_chunk, for CPUs */
} cls_check_args;

#endif
