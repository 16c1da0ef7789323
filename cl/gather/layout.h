/* layout.h - the argument struct of the gather kernels, for the host and the kernels */
#ifndef CLSORT_GATHER_LAYOUT_H
#define CLSORT_GATHER_LAYOUT_H

#include "common/shared_types.h"

/* A launch moves some columns of all rows. A row is a value; a column is a unit of UNIT_BYTES. */
typedef struct {
    cls_u64 count;       /* rows */
    cls_u64 chunk;       /* rows of a work-group */
    cls_u64 first_count; /* rows of the first input; the others come from the second input */
    cls_u32 width;       /* columns to move */
    cls_u32 from_stride, from_column;
    cls_u32 to_stride, to_column;
    cls_u32 in_place; /* 1: input and output are the same array */
    cls_u32 has_gaps; /* 1: rows whose index has only one-bits do not move */
    cls_u32 unused;
} cls_gather_rows;

#endif
