/* layout.h - the scratch of CLSORT_UNIQUE and the argument struct of its kernels, for the host and
 * the kernels */
#ifndef CLSORT_UNIQUE_LAYOUT_H
#define CLSORT_UNIQUE_LAYOUT_H

#include "common/shared_types.h"

/* The outputs that a launch writes: bits of cls_unique_args.outputs. */
enum { UNIQUE_KEYS = 1, UNIQUE_VALUES = 2, UNIQUE_INDEXES = 4 };

/* A chunk of the input. */
typedef struct {
    cls_u64 runs;   /* number of runs that begin in the chunk */
    cls_u64 offset; /* of the first of these in the outputs */
} cls_unique_chunk;

typedef struct {
    cls_u64 count;       /* elements of the input */
    cls_u64 chunk;       /* elements of each chunk but the last */
    cls_u64 multiple;    /* chunks of a count in device memory are multiples of it */
    cls_u32 chunks;      /* number of chunks */
    cls_u32 outputs;     /* UNIQUE_KEYS etc. */
    cls_u32 index_bytes; /* size of an index in the output: 4 or 8 */
    cls_u32 row_units;   /* units of a value */
    cls_u32 column;      /* the units of each value that the launch copies: the first one, */
    cls_u32 width;       /* and their number */
} cls_unique_args;

#endif
