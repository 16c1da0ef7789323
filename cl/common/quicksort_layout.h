/* quicksort_layout.h - the memory that the quicksort by vectors needs, for the host and the kernels */
#ifndef CLSORT_COMMON_QUICKSORT_LAYOUT_H
#define CLSORT_COMMON_QUICKSORT_LAYOUT_H

#include "common/shared_types.h"

/* The workspace of quicksort(), in keys: the keys and a copy of them, each with a vector of 16 behind it. */
#define CLS_QUICKSORT_WORKSPACE(count) (2 * ((cls_u64)(count) + 16))

#endif
