/* layout.h - structs of sorts by columns, for the host and the kernels */
#ifndef CLSORT_COLUMNS_LAYOUT_H
#define CLSORT_COLUMNS_LAYOUT_H

#include "common/layout.h"

/* Runs of more elements are sorted as segments, others by one work-item each. A window of 64 flags has a run
 * of this length on both sides of 32 elements (runs.cl). */
#define CLS_SHORT_RUN 16

/* The words that the packed word may consist of, from the first one on. */
#define CLS_MAX_PACKED_WORDS 32

/* The part of a word that is a number, or some bytes of a byte string. It is read as a number of `load` bytes,
 * of which the bits above `drop` that `mask` has are the part. */
typedef struct {
    cls_u64 mask;     /* ones in the bits of the part */
    cls_u64 flip;     /* XOR mask of the ordered number */
    cls_u64 sign;     /* floats: the sign bit; otherwise 0 */
    cls_u64 infinity; /* floats in numeric order: the bits of infinity; otherwise 0 */
    cls_u32 buffer;   /* of io.columns; 0 for records */
    cls_u32 stride;   /* bytes from one element to the next */
    cls_u32 offset;   /* of the number in the element, in bytes */
    cls_u32 load;     /* 1, 2, 4 or 8 */
    cls_u32 unit;     /* alignment of the number in bytes, if 4 or more; `load` is a multiple */
    cls_u32 is_big_endian;
    cls_u32 drop;  /* low bits of the number that are not of the part */
    cls_u32 left;  /* number of bits by which the part is shifted up in the word */
    cls_u32 right; /* or shifted down: its low bits are then in the next word */
    cls_u32 unused;
} cls_columns_part;

/* How the packed word takes those bits of a word that vary: as in Warren, "Hacker's Delight", 2nd ed., 2012,
 * section 7-4. */
typedef struct {
    cls_u64 mask;    /* the bits */
    cls_u64 move[6]; /* those that move by 1, 2, 4 .. 32 positions */
    cls_u32 bits;    /* their number */
    cls_u32 shift;   /* if they are adjacent: the number of bits below them */
    cls_u32 is_adjacent;
    cls_u32 unused;
} cls_columns_term;

typedef struct {
    cls_control_head head; /* for the gather of the records */
    cls_u64 first;         /* SEGMENTED: the first element in a segment, or the count */
    cls_u64 base[CLS_MAX_PACKED_WORDS]; /* the words of the first element that is sorted */
    cls_u64
        varying[CLS_MAX_PACKED_WORDS]; /* the bits that differ from them in any sampled element */
    cls_u32
        missed[2 * CLS_MAX_PACKED_WORDS]; /* and in any other element: low halves, high halves */
    cls_u32 is_missed;                    /* 1: the sample has missed bits that vary */
    cls_u32 terms;                        /* the packed word has bits of this many words */
    cls_u32 next; /* the first word that the packed word does not have completely */
    cls_u32 unused;
    cls_columns_term term[CLS_MAX_PACKED_WORDS];
} cls_columns_control;

/* The long runs that begin and end in a chunk. */
typedef struct {
    cls_u64 begins, ends;
} cls_columns_chunk;

typedef struct {
    cls_u64 count; /* elements */
    cls_u64
        chunk; /* elements of each work-group but the last; a multiple of 32 in kernels of runs */
    cls_u32 chunks;   /* of kernels of runs */
    cls_u32 words;    /* of an element */
    cls_u32 level;    /* 0: elements are ordered by the packed word; i: also by i further words */
    cls_u32 is_retry; /* columns_encode: 1: only if the sample has missed bits */
    cls_u64 row;      /* columns_segments: elements of each row; 0: the segments are in the list */
} cls_columns_args;

#endif
