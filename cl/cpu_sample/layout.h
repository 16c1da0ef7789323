/* layout.h - structs and constants of the sample sort for CPUs, for the host and the kernels */
#ifndef CLSORT_CPU_SAMPLE_LAYOUT_H
#define CLSORT_CPU_SAMPLE_LAYOUT_H

#include "common/layout.h"

enum {
    /* A slice begins with the workspace of the quicksort; the keys of a chunk or a bucket follow. */
    CLS_CPU_SAMPLE_WORKSPACE_BYTES = 50 << 10,
    CLS_CPU_SAMPLE_MAX_UNITS = 160 /* further compute units stay idle */
};

/* A chunk's row of the table has the start of each bin's piece, the end of the last one, and whether
 * the pieces are in the input. Keys of the chunk behind the last piece are exceptions. */
#define CLS_CPU_SAMPLE_ROW(bins) ((bins) + 2)

typedef struct {
    cls_control_head head;
    cls_u32 bins, buckets;
    cls_u32 next_chunk; /* the next chunk and the next bucket that no core has taken yet */
    cls_u32 next_bucket;
    cls_u32 is_reversed;                      /* 1: the input only needs to be reversed */
    cls_u32 has_exceptions;                   /* 1: some chunk has keys that are in no piece */
    cls_u32 orders[CLS_CPU_SAMPLE_MAX_UNITS]; /* of each core's share of the input (orders.cl) */
} cls_cpu_sample_control;

/* A bin's part of the output. A bin of one key may be divided into several. */
typedef struct {
    cls_u64 first, count;
    cls_u32 bin;
    cls_u32 is_one_key;
} cls_cpu_sample_bucket;

/* The scalar arguments of all kernels. */
typedef struct {
    cls_u64 count;       /* keys */
    cls_u64 chunk;       /* keys of each chunk but the last */
    cls_u64 flip;        /* XOR that makes ordered keys (keys.cl) */
    cls_u64 slice_bytes; /* scratch of each work-item */
    cls_u32 chunks;
    cls_u32 samples; /* keys in the sample */
    cls_u32 bins;    /* maximum number of bins; there are fewer if keys of the sample are equal */
    cls_u32 units;   /* work-items of the kernels that run on all cores */
    cls_u32 in_place;
    cls_u32 unused;
} cls_cpu_sample_args;

#endif
