/* layout.h - merge sort: structs that the host and the kernels share, and options of the programs
 *
 * Options of both variants, besides those of common/types.cl and common/keys.cl:
 *   CHECKED      1: the runs may be out of order, because a custom order is inconsistent or an
 *                input is not sorted. The output is then still a permutation of the input; the
 *                heads of the variants say how
 * Options of work_group.cl and merge_rows.cl:
 *   GROUP_SIZE   work-items per group; merge_split has smaller groups, see below
 *   ITEMS        keys per work-item in a tile */
#ifndef CLSORT_MERGE_LAYOUT_H
#define CLSORT_MERGE_LAYOUT_H

#include "common/layout.h"

typedef struct {
    cls_control_head head;
    cls_u32 out_of_order; /* 1: merge_split has found runs out of order */
    cls_u32 unused;
} cls_merge_control;

/* The outputs of a launch of merge_rows (merge_rows.cl). */
typedef struct {
    cls_u32 index_bytes; /* size of an index in the output: 4 or 8; 0: the output has records */
    cls_u32 row_units;   /* units of a record */
    cls_u32 column;      /* the units of each record that the launch copies: the first one, */
    cls_u32 width;       /* and their number */
} cls_merge_rows_args;

/* Work-items of a group of merge_split, if the other kernels have group_size work-items. Small
 * groups spread over more compute units, which then have more reads in flight. */
#define CLS_MERGE_SPLIT_GROUP(group_size) ((group_size) < 32 ? (group_size) : 32)

/* Tiles whose starts such a group writes. It also computes the start of the tile before them, to
 * compare with. */
#define CLS_MERGE_SPLIT_TILES(group_size)                                                          \
    (CLS_MERGE_SPLIT_GROUP(group_size) > 1 ? CLS_MERGE_SPLIT_GROUP(group_size) - 1 : 1)

#endif
