/* quicksort_layout.h - the workspace of the vectorised quicksort, for the host and the kernels */
#ifndef CLSORT_COMMON_QUICKSORT_LAYOUT_H
#define CLSORT_COMMON_QUICKSORT_LAYOUT_H

#include "common/shared_types.h"

/* The size in keys of the workspace of quicksort(): the keys and a buffer of the same size, each
 * followed by a vector of 16 keys. */
#define CLS_QUICKSORT_WORKSPACE(count) (2 * ((cls_u64)(count) + 16))

#endif
