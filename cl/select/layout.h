/* layout.h - the scratch of the selection and the argument struct of its kernels, for the host and
 * the kernels */
#ifndef CLSORT_SELECT_LAYOUT_H
#define CLSORT_SELECT_LAYOUT_H

#include "common/layout.h"

/* Candidates are stored in blocks of this many elements. Block i is the first block of chunk i. The
 * other blocks of a chunk are allocated when they are needed, and linked in the order of the
 * input. */
enum { SELECT_BLOCK = 256 };

/* Where the rounds of the radix select, and the counts of a chunk, take the keys from. */
enum {
    SELECT_FROM_LOW,        /* no rounds: the threshold is the lower end of the bracket */
    SELECT_FROM_HIGH,       /* no rounds: the threshold is the upper end of the bracket */
    SELECT_FROM_CANDIDATES, /* all keys of the range are among the candidates */
    SELECT_FROM_INPUT
};

/* What is written of the selected elements. */
enum { SELECT_KEYS = 1, SELECT_INDEXES = 2 };

/* The steps of select_rounds: the plan, one for each digit of 8 bytes, and one at the end. */
enum { SELECT_STEPS = 10 };

/* All keys in this struct are ordered keys without the bits that are not compared. */
typedef struct {
    cls_control_head head; /* is_sorted is 0 */
    /* The results, valid after the kernel select_offsets: */
    cls_u64 threshold; /* the k-th key */
    cls_u64 below;     /* number of keys before the threshold, less than k */
    cls_u64 ties;      /* number of keys equal to the threshold among the first k: k - below */
    cls_u64 equal;     /* number of all keys equal to the threshold */
    /* The bracket: */
    cls_u64 low, high;
    /* The threshold is the key of this rank, counted from 1, among the keys of this range. It is
     * known if first == last. */
    cls_u64 first, last, rank;
    cls_u32 source;      /* SELECT_FROM_... */
    cls_u32 next_block;  /* the next block to allocate */
    cls_u32 is_overflow; /* 1: some candidates were dropped, because all blocks were allocated */
    cls_u32 unused;
    /* If the count is in device memory, the arguments that depend on it; and the number of elements that are
     * written to the outputs: */
    cls_u64 count, k, chunk;
    cls_u32 samples, low_rank, high_rank;
    cls_u32 unused_2;
    cls_u64 written;
    /* Of the steps of select_rounds (cl/common/steps.cl): */
    cls_u32 tickets[SELECT_STEPS], complete[SELECT_STEPS];
} cls_select_control;

/* The counts of a chunk of the input, and what it contributes to the output. */
typedef struct {
    cls_u64 below, equal_low;   /* keys before the lower end of the bracket, and equal to it */
    cls_u64 inside, equal_high; /* candidates, and keys equal to the upper end of the bracket */
    cls_u64 less, ties;         /* keys before the threshold, and equal to it */
    cls_u64 offset, emitted;    /* its elements in the output: offset of the first, and number */
    cls_u64 first_tie, end_tie; /* it emits those of its ties with an ordinal in this range. In a
                                   partition, first_tie is the number of ties before the chunk. */
} cls_select_chunk;

typedef struct {
    cls_u64 count; /* elements of the input */
    cls_u64 k;     /* the threshold is the k-th key, counted from 1 */
    cls_u64 chunk; /* elements of each chunk but the last */
    cls_u64 flip, window;
    /* Offsets in scratch, in bytes: */
    cls_u64 chunks_at;  /* a cls_select_chunk for each chunk */
    cls_u64 table_at;   /* histograms of cls_u32: a row for each chunk, or one that several share */
    cls_u64 sample_at;  /* compared keys (key_t) */
    cls_u64 links_at;   /* cls_u32: the next block of each block */
    cls_u64 keys_at;    /* keys of the candidates (key_t) */
    cls_u64 indexes_at; /* indexes of the candidates (index_t) */
    cls_u32 chunks;     /* number of chunks */
    cls_u32 part_chunks; /* chunks of a part of a round: a power of 2, at most the group size */
    cls_u32 blocks;      /* number of blocks */
    cls_u32 samples;     /* keys of the sample */
    cls_u32 low_rank;    /* rank of the lower end of the bracket in the sample; 0: no lower end */
    cls_u32 high_rank;   /* the same for the upper end; more than `samples`: no upper end */
    cls_u32 begin_bit;   /* the lowest compared bit of the ordered key */
    cls_u32 end_bit;     /* the highest one, plus 1 */
    cls_u32 is_nth;      /* 1: emit only the k-th element */
    cls_u32 outputs;     /* SELECT_KEYS, SELECT_INDEXES */
    cls_u32 partitions;  /* 1: emit all elements: those before the threshold, equal, and after it */
    cls_u32 keys_per_sample; /* the wanted number of elements for each key of the sample */
    cls_u32 rows;            /* of the table */
    cls_u32 unused;
} cls_select_args;

#endif
