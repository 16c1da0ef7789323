/* layout.h - MSD radix sort: constants, tables in scratch, and options of the programs
 *
 * The head of round.cl explains the algorithm and its terms. The kernels pass their results to each
 * other in these tables:
 *   control          cls_msd_control: the lengths of the other tables
 *   large_buckets    cls_msd_large_bucket: one half of the table has the buckets that the current
 *                    round partitions, the other half those of the next round
 *   blocks           cls_msd_part: the blocks of all large buckets of a round, for msd_histogram
 *   tiles            cls_msd_part: the tiles that a round moves, for msd_partition
 *   histograms       a row per tile of a round: a number for each of the RADIX digit values
 *   buckets          cls_msd_bucket: the finished buckets of all rounds, which no later round
 *                    partitions
 *   deferred         indexes into `buckets`: those that msd_sort_buckets left to the fallback
 *                    kernels
 * Each round overwrites the blocks, the tiles and the histograms. Round 0 has no list of blocks.
 *
 * A large bucket consists of tiles, and its tiles are grouped into blocks of consecutive tiles. One
 * work-group counts a block. Each tile has one row of the histograms. The rows go through three
 * states:
 *   1. msd_histogram: the row of tile i > 0 of a block has the counts of the block's tiles before
 *      i. The row of tile 0 has the counts of the whole block.
 *   2. msd_plan_first, msd_plan_buckets: the row of tile 0 becomes the output offsets of the block.
 *   3. msd_partition: the output offsets of a tile are the row of its block's tile 0, plus the
 *      tile's own row unless it is tile 0 itself. They do not depend on the order in which
 *      work-groups run.
 *
 * Options of the programs, besides those of common/types.cl, common/keys.cl and
 * common/sub_group.cl:
 *   GROUP_SIZE          work-items of a work-group
 *   ITEMS               elements per work-item of a tile; odd in sort_buckets.cl, fallback.cl and
 *                       single_tile.cl, so that work-items which access local memory at a stride
 *                       of ITEMS use different banks
 *   SMALL_TILE          (round.cl) maximum number of elements of a small bucket: the tile of
 *                       sort_buckets.cl
 *   RANK_STABLE         (round.cl) 1: keeps the order of equal digits, as in common/rank.cl
 *   VALUES_EXCHANGED    (round.cl, fallback.cl) 1: values are written via local memory, as in
 *                       common/exchange.cl
 *   BIN_BITS            (sort_buckets.cl, single_tile.cl) log2 of the number of bins; that number
 *                       is a multiple of GROUP_SIZE
 *   REGISTERS           (round.cl, sort_buckets.cl) defined on NVIDIA: registers per work-item */
#ifndef CLSORT_MSD_LAYOUT_H
#define CLSORT_MSD_LAYOUT_H

#include "common/layout.h"

enum {
    CLS_MSD_BITS = 8,       /* maximum bits of a digit; each large bucket has its own number */
    CLS_MSD_MAX_ROUNDS = 9, /* the digit of round 0 may have 1 bit; 8 rounds for 63 bits */
    CLS_MSD_MAX_SWEEPS = 20 /* over windows (windows.cl); more would take as long as the fallback */
};

/* Elements that a child bucket should have, so that hardly any bucket of uniformly distributed keys
 * outgrows a tile of sort_buckets.cl. */
#define CLS_MSD_TARGET_COUNT(tile) ((tile) - (tile)*5 / 32)

/* Counters per round. */
typedef struct {
    cls_control_head head;
    cls_u32 large_buckets[CLS_MSD_MAX_ROUNDS + 1]; /* including those that found no free entry */
    cls_u32 blocks[CLS_MSD_MAX_ROUNDS + 1];
    cls_u32 rows[CLS_MSD_MAX_ROUNDS + 1]; /* of histograms */
    cls_u32 tiles[CLS_MSD_MAX_ROUNDS + 1];
    cls_u32 tickets[CLS_MSD_MAX_ROUNDS + 1]; /* number of tiles that groups have taken */
    cls_u32 buckets;                         /* of all rounds */
    cls_u32 deferred;
} cls_msd_control;

/* A bucket that a round partitions by the bits from top - bits to below top. */
typedef struct {
    cls_u32 start, count; /* its elements in the array */
    cls_u32 array;        /* enum array: where its elements are */
    cls_u32 top;          /* its keys are equal in the bits from here on */
    cls_u32 bits;         /* of its digit */
    cls_u32 first_row;    /* of its histograms */
} cls_msd_large_bucket;

/* A tile or a block of a large bucket. */
typedef struct {
    cls_u32 large_bucket; /* index of the bucket in its table */
    cls_u32 index;        /* of the tile or block in the bucket */
} cls_msd_part;

#define CLS_MSD_NONE 0xffffffffu /* as the index of a large bucket: there is none */

/* A finished bucket: a small or an oversized bucket, or a piece of a bucket of equal keys. It
 * consists of `digits` neighbouring children of one large bucket. If it is one child, `top` is
 * `shift`, `digit` is 0, and its keys are equal in the bits from top on. If it is several, its keys
 * are equal in the bits from top on, and their bits from shift to below top are a number from digit
 * to digit + digits - 1. */
typedef struct {
    cls_u32 start, count; /* its elements in the array */
    cls_u8 array;         /* enum array: where its elements are */
    cls_u8 top;           /* its keys are equal in the bits from here on */
    cls_u8 shift;         /* the large bucket was partitioned by bits from here on */
    cls_u8 unused;
    cls_u16 digit, digits;
} cls_msd_bucket;

/* Arguments of msd_plan_first and msd_plan_buckets. */
typedef struct {
    cls_u32 round;             /* whose children are planned */
    cls_u32 rounds_left;       /* after that round */
    cls_u32 max_large_buckets; /* capacity of the table for one round */
    cls_u32 block_tiles;       /* tiles per block in all rounds but round 0 */
} cls_msd_plan_args;

/* The input as the only large bucket of round 0, for msd_plan_first. */
typedef struct {
    cls_u32 count;
    cls_u32 top, bits;   /* as in cls_msd_large_bucket */
    cls_u32 block_tiles; /* tiles per block of round 0 */
} cls_msd_input;

#endif
