/* select_layout.h - structs of selections from segments, for the host and the kernels */
#ifndef CLSORT_SEGMENTS_SELECT_LAYOUT_H
#define CLSORT_SEGMENTS_SELECT_LAYOUT_H

#include "segments/layout.h"

typedef struct {
    cls_u32 next_chunk; /* the next segments that no core has taken yet */
    cls_u32 unused;
} cls_segments_select_control;

typedef struct {
    cls_u64 count;    /* elements */
    cls_u64 segments; /* of the caller */
    cls_u64 row;      /* SEGMENTS_ROWS: elements of each row */
    cls_u64 k;        /* the maximum number of elements to select; is_nth: the element, from 0 */
    cls_u64 places;   /* places of each segment in the outputs */
    cls_u64 chunk;    /* segments that a core takes at a time */
    cls_u32 form;     /* SEGMENTS_ROWS etc. */
    cls_u32 is_nth;   /* 1: one element of each segment is selected */
    cls_u32 has_ks;   /* 1: each segment has a k of its own */
    cls_u32 has_result;
    cls_u32 writes_keys;
    cls_u32 begin_bit; /* the lowest compared bit of the ordered key */
    cls_u32 end_bit;   /* the highest one, plus 1 */
    cls_u32 unused;
} cls_segments_select_args;

/* The arguments of segments_copy: an element consists of units of 1, 2, 4 or 8 bytes. */
typedef struct {
    cls_u64 count; /* elements */
    cls_u64 segments, places;
    cls_u64 units; /* of an element */
    cls_u32 unit;  /* bytes */
    cls_u32 unused;
} cls_segments_copy_args;

#endif
