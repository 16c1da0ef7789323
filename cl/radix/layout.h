/* layout.h - constants and arguments that the host and the kernels of the radix sort share */
#ifndef CLSORT_RADIX_LAYOUT_H
#define CLSORT_RADIX_LAYOUT_H

#include "common/shared_types.h"

/* Local memory of a group's digit counters, unless there is only one copy of each. */
enum { CLS_RADIX_COUNTER_BYTES = 4096 };

/* What the kernels of one pass need besides the arrays. */
typedef struct {
    cls_u64 count;             /* elements to sort */
    cls_u64 chunk;             /* elements of each chunk except the last */
    cls_u64 flip, window, pad; /* keys, as in struct cls_spec */
    cls_u32 pass;
    cls_u32 shift, mask; /* the digit: bits of the ordered key */
    cls_u32 chunks;
} cls_radix_pass_args;

#endif
