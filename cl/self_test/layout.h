/* layout.h - the input and the results of the kernels of the self-test, for the host and the kernels */
#ifndef CLSORT_SELF_TEST_LAYOUT_H
#define CLSORT_SELF_TEST_LAYOUT_H

#include "common/shared_types.h"

/* Returns a pseudo-random number by multiplicative hashing. Knuth, "The Art of Computer
 * Programming", vol. 3, 2nd ed., 1998, section 6.4. */
static inline cls_u32 cls_scramble(const cls_u32 i)
{
    return (i + 1) * 2654435761u;
}

/* Results of the sub-group operations in one work-item (sub_group.cl). All of them are computed
 * from the numbers of cls_scramble, one per work-item. */
typedef struct {
    cls_u64 local_index; /* first work-item of the sub-group plus the lane */
    cls_u64 ballot;      /* lanes whose number has its highest bit set */
    cls_u64 lanes_below;
    cls_u64 match;       /* lanes whose digit is the same; a digit is the highest 3 bits */
    cls_u64 match_count; /* the number of these lanes */
    cls_u64 mirrored;    /* the number of lane SUB_GROUP_SIZE - 1 - lane_id() */
    cls_u64 scan;        /* inclusive prefix sum of the highest 24 bits */
    cls_u64 neighbour;   /* the number of the next lane, read from local memory after sg_fence */
} cls_sub_group_result;

enum { CLS_SUB_GROUP_TEST_BITS = 3 }; /* a small number, so that many lanes match */

/* The key summary of a work-group, as one work-item receives it. */
typedef struct {
    cls_u64 any, all;
    cls_u64 is_sorted;       /* of a test in which all keys are in order */
    cls_u64 is_sorted_but_1; /* of a test in which the key of one work-item is not in order */
} cls_summary_result;

#endif
