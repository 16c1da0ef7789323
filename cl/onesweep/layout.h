/* layout.h - constants and arguments that the host and the kernels of onesweep share */
#ifndef CLSORT_ONESWEEP_LAYOUT_H
#define CLSORT_ONESWEEP_LAYOUT_H

#include "common/shared_types.h"

/* A word of the table, from the lowest bit: a count, a bit that says whether it is the tile's own
 * count (0) or an inclusive prefix (1), and the epoch of the launch. */
enum {
    CLS_ONESWEEP_COUNT_BITS = 28,
    CLS_ONESWEEP_EPOCH_BITS = 32 - CLS_ONESWEEP_COUNT_BITS - 1,
    CLS_ONESWEEP_EPOCHS = 1 << CLS_ONESWEEP_EPOCH_BITS,
    /* The maximum number of elements of a section. With all count bits set, the complement of a
     * word could be 0, which means that nothing is published. */
    CLS_ONESWEEP_MAX_SECTION = (1 << CLS_ONESWEEP_COUNT_BITS) - 2
};

/* What onesweep_histogram needs besides the arrays. */
typedef struct {
    cls_u64 count;        /* elements to sort */
    cls_u64 chunk;        /* elements of each chunk except the last */
    cls_u64 flip, window; /* keys, as in struct cls_spec */
    cls_u64 table_words;  /* words to clear */
    cls_u32 begin_bit, passes;
} cls_onesweep_histogram_args;

/* What onesweep_plan_passes needs besides the arrays. */
typedef struct {
    cls_u64 window;
    cls_u32 chunks, passes;
    cls_u32 in_place;
    cls_u32 begin_bit, end_bit;
    cls_u32 unused;
} cls_onesweep_plan_args;

/* What a launch of onesweep_pass, for one section of the input, needs besides the arrays. */
typedef struct {
    cls_u64 count;     /* elements to sort */
    cls_u64 first;     /* index of the section's first element */
    cls_u64 flip, pad; /* keys, as in struct cls_spec */
    cls_u32 pass;
    cls_u32 shift, mask; /* the digit: bits of the ordered key */
    cls_u32 launch;      /* the number of this launch in the sort */
    cls_u32 launches;    /* of the whole sort: the table starts with a ticket counter for each */
    cls_u32 row; /* of the array of offsets: where the section's elements of each digit start */
    cls_u32 next_row;       /* the same for the next section, to be written */
    cls_u32 tiles;          /* of the section */
    cls_u32 takes_one_tile; /* 1: each work-group takes a single tile */
    cls_u32 unused;
} cls_onesweep_pass_args;

#endif
