/* layout.h - structs of segmented sorts, for the host and the kernels */
#ifndef CLSORT_SEGMENTS_LAYOUT_H
#define CLSORT_SEGMENTS_LAYOUT_H

#include "common/layout.h"

/* The forms of segments: the values of clsort_segments. */
enum { SEGMENTS_WHOLE, SEGMENTS_ROWS, SEGMENTS_OFFSETS, SEGMENTS_BEGIN_END };

/* Two for each round, of which there are at most 31, since tiles have 32-bit numbers. */
enum { SEGMENTS_STEPS = 64 };

/* The segments of a chunk. */
typedef struct {
    cls_u64 max_end;   /* the largest end, limited to the number of elements */
    cls_u64 non_empty; /* the number of segments that the list has of the chunk */
    cls_u64 clamped;   /* the number of segments that had to be clamped */
} cls_segments_chunk;

typedef struct {
    cls_control_head head;
    cls_u64 segments;     /* the number of segments in the list, or of rows */
    cls_u32 next_tile;    /* the next tile that no core has taken yet */
    cls_u32 rounds;       /* the maximum number of rounds of a segment */
    cls_u32 out_of_order; /* 1: a split has found runs out of order */
    cls_u32 unused;
    /* Of the steps of all rounds in one launch (cl/common/steps.cl): a split and a merge in each. */
    cls_u32 tickets[SEGMENTS_STEPS], complete[SEGMENTS_STEPS];
} cls_segments_control;

/* The arguments of the kernels in bounds.cl. */
typedef struct {
    cls_u64 count;    /* elements */
    cls_u64 segments; /* of the caller; the maximum if the number is in device memory */
    cls_u64 chunk;    /* segments of each chunk but the last */
    cls_u32 chunks;
    cls_u32 form;       /* SEGMENTS_ROWS etc. */
    cls_u32 has_result; /* 1: the number of clamped segments is wanted */
    cls_u32 unused;
} cls_segments_bounds_args;

/* The arguments of the other kernels. */
typedef struct {
    cls_u64 count;       /* elements */
    cls_u64 row;         /* elements of each row; 0: the segments are in the list */
    cls_u64 tile;        /* elements of each tile but the last */
    cls_u64 pad;         /* a key whose ordered key has only one-bits */
    cls_u64 slice_bytes; /* scratch of each work-item of segments_tiles in cores.cl */
    cls_u32 tiles;
    cls_u32 round; /* of segments_split and segments_round, from 0 */
} cls_segments_args;

/* The arguments of segments_enter_long (long.cl). */
typedef struct {
    cls_u64 row;      /* as in cls_segments_args */
    cls_u64 max_tiny; /* longer segments are entered */
    /* Of the sort by MSD (msd/layout.h): */
    cls_u32 small_tile, target_count; /* elements of a small bucket: at most, and on average */
    cls_u32 block_size, row_size; /* elements of a block of tiles, and per row of the histograms */
    cls_u32 max_large_buckets, rounds;
    cls_u32 end_bit;
    cls_u32 unused;
} cls_segments_long_args;

#endif
