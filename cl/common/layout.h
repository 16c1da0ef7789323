/* layout.h - structs in scratch that several algorithms use, for the host and the kernels */
#ifndef CLSORT_COMMON_LAYOUT_H
#define CLSORT_COMMON_LAYOUT_H

#include "common/shared_types.h"

/* The head of every algorithm's control block. The gather (gather/gather.cl) reads is_sorted, and
 * every sort writes it if values are indexes. Only sorts that compute a key summary
 * (key_summary.cl) compute `varying`. */
typedef struct {
    cls_u64 varying;    /* the bits of the compared range in which ordered keys differ */
    cls_u32 is_sorted;  /* 1: the input is in order; 0: it is not, or the sort does not check */
    cls_u32 is_skipped; /* 1: another path of `hybrid` sorts the input; onesweep reads it with the
                         * option MAY_SKIP only (lsd_passes.cl) */
} cls_control_head;

/* The key summary of a set of keys (key_summary.cl). */
typedef struct {
    cls_u64 any;       /* OR of the ordered keys */
    cls_u64 all;       /* AND of them */
    cls_u32 is_sorted; /* 1: they are in order, and the key after them does not precede the last */
    cls_u32
        common; /* the bits in which all keys differ from the first key of the input that are not equal
                        * to it (onesweep/histogram.cl); 0: not known. All bits if all are equal to it */
} cls_key_summary;

/* One pass of an LSD sort. */
typedef struct {
    cls_u32 active; /* 0: it is not needed, and does nothing */
    cls_u32 source; /* enum array in arrays.cl */
    cls_u32 target;
} cls_lsd_pass;

enum { CLS_MAX_LSD_PASSES = 64 }; /* 1-bit digits of a 64-bit key */

/* The control block of an LSD sort. */
typedef struct {
    cls_control_head head;
    cls_u32 result; /* enum array: the target of the last active pass */
    cls_u32 unused;
    cls_lsd_pass pass[CLS_MAX_LSD_PASSES];
} cls_lsd_control;

/* The bit of a result that says that a count in device memory exceeds its bound: CLSORT_COUNT_EXCEEDED. */
#define COUNT_EXCEEDED ((cls_u64)1 << 63)

/* Copies of each counter in rank_atomic.cl. */
#define CLS_RANK_COPIES 2u

#endif
