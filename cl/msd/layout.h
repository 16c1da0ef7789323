/* layout.h - MSD radix sort: constants, tables in scratch, and options of the programs
 *
 * The head of round.cl explains the algorithm and its terms. The kernels pass their results to each
 * other in these tables:
 *   control          cls_msd_control: the lengths of the other tables, and the head
 *                    (common/layout.h) that the gather reads; the gather moves wide values after a
 *                    sort of indexes (gather/gather.cl)
 *   large_buckets    cls_msd_large_bucket: one half of the table has the buckets that the current
 *                    round partitions, the other half those of the next round; its entries are
 *                    called slots
 *   blocks           cls_msd_part: the blocks of all large buckets of a round, for msd_histogram
 *   tiles            cls_msd_part: the tiles that a round moves, for msd_partition
 *   histograms       one row per tile of a round, or per block if the sort need not be stable, with a
 *                    count or an offset (see below) for each of the 2^8 digit values; rows are as wide
 *                    for narrower digits
 *   buckets          cls_msd_bucket: the final buckets of all rounds, which no later round
 *                    partitions
 *   deferred         indexes into `buckets`: those that msd_sort_buckets left to the fallback
 * The plan kernel of a round lists the tiles of that round, and the large buckets and the blocks of
 * the next one, for which it also reserves rows of the histograms. Each round overwrites the
 * blocks, the tiles and the histograms. Round 0 has no list of blocks.
 *
 * A large bucket consists of tiles, and its tiles are grouped into blocks of consecutive tiles. One
 * work-group counts a block. In a stable sort (RANK_STABLE) each tile has one row of the histograms. The
 * rows have two states:
 *   1. After msd_histogram the row of tile i > 0 of a block has the counts
 *      of the block's tiles before i. The row of the block's first tile, tile 0, has the counts of
 *      the whole block.
 *   2. After msd_plan_buckets the row of tile 0 has the output offsets of the
 *      block, unless the bucket stays where it is. The other rows are unchanged.
 * From these msd_partition computes the output offsets of a tile: the row of its block's tile 0,
 * plus the tile's own row unless it is tile 0 itself. They do not depend on the order in which
 * work-groups run.
 *
 * In a sort that need not be stable, each tile reserves its output offsets when its keys have been
 * ranked: it adds its counts atomically to the offsets of the bucket's children. Tiles that run at the
 * same time then write to neighbouring addresses. The blocks have one row each:
 *   1. After msd_histogram it has the counts of the block. In round 0, the blocks add them up in the
 *      control block instead, so that the plan need not read all rows.
 *   2. After msd_plan_buckets the first row of the bucket has the offset at which each child starts.
 *   3. msd_partition advances these offsets.
 *
 * The sort compares whole keys, in an order in which only identical keys are equal (KEY_ORDER 0 or
 * 1), and counts elements by 32 bits (INDEX_BITS 32).
 *
 * Options of the programs, besides those of common/types.cl, common/keys.cl and
 * common/sub_group.cl:
 *   GROUP_SIZE          work-items of a work-group
 *   ITEMS               elements per work-item of a tile; odd in sort_buckets.cl, fallback.cl and
 *                       single_tile.cl, so that work-items which access local memory at a stride
 *                       of ITEMS use different banks
 *   BITS                maximum bits of a digit, as in common/rank.cl; buckets.cl defines it as
 *                       CLS_MSD_BITS
 *   SMALL_TILE          (round.cl) maximum number of elements of a small bucket: the tile of
 *                       sort_buckets.cl
 *   RANK_STABLE         (round.cl) 1: keeps the order of equal digits, as in common/rank.cl;
 *                       the other programs define it as 1
 *   VALUES_EXCHANGED    (round.cl, fallback.cl) 1: values are written via local memory, as in
 *                       common/exchange.cl
 *   BIN_BITS            (sort_buckets.cl, single_tile.cl) log2 of the number of bins; that number
 *                       is a multiple of GROUP_SIZE
 *   SPLITS              (round.cl, rounds.cl) 1: round 0 may divide by splitters, as in common/digit.cl
 *   SAMPLES             (rounds.cl) 1: round 0 may count only a sample (sampled_round.cl)
 *   WHOLE_BUCKETS       (sort_buckets.cl) 1: some small buckets are whole segments
 *   SORTS_SKEWED        (sort_buckets.cl) 1: local memory holds the counters of LSD passes, too, so that
 *                       uneven small buckets need not be deferred */
#ifndef CLSORT_MSD_LAYOUT_H
#define CLSORT_MSD_LAYOUT_H

#include "common/layout.h"

enum {
    CLS_MSD_BITS = 8, /* maximum bits of a digit; each large bucket has its own number */
    CLS_MSD_MAX_ROUNDS =
        9, /* round 0 takes 1 bit, or by splitters possibly none; 8 rounds for the others */
    CLS_MSD_MAX_SWEEPS = 20 /* over windows (windows.cl); more would take as long as the fallback */
};

/* The number of elements that a child bucket should have at most, on average. Hardly any bucket of
 * uniformly distributed keys then exceeds `tile`, the tile of sort_buckets.cl. */
#define CLS_MSD_TARGET_COUNT(tile) ((tile) - (tile)*5 / 32)

/* The control block. Element r of an array belongs to round r. The plan kernel of round r adds to
 * tiles[r], and to element r + 1 of large_buckets, blocks and rows. The plan of the last round adds
 * to tiles only, since that round leaves no large bucket. The last element of each array therefore
 * stays 0. */
typedef struct {
    cls_control_head head;     /* is_sorted is 0, which the gather reads after a sort of indexes */
    cls_u32 has_outliers;      /* 1: the keys differ in the bits above the digit of round 0 */
    cls_u32 has_splitters;     /* 1: round 0 divides by splitters, and has the two arrays below */
    cls_u32 first_block_tiles; /* of round 0, if the count is in device memory */
    cls_u32 large_buckets[CLS_MSD_MAX_ROUNDS + 1]; /* number, with those that found no free slot */
    cls_u32 blocks[CLS_MSD_MAX_ROUNDS + 1];        /* number of blocks to count */
    cls_u32 rows[CLS_MSD_MAX_ROUNDS + 1];          /* number of rows of the histograms */
    cls_u32 tiles[CLS_MSD_MAX_ROUNDS + 1];         /* number of tiles to move */
    cls_u32 tickets[CLS_MSD_MAX_ROUNDS + 1];       /* number of tickets that were drawn for tiles */
    /* For msd_rounds: tickets that were drawn for blocks and large buckets, and what is complete. */
    cls_u32 block_tickets[CLS_MSD_MAX_ROUNDS + 1];
    cls_u32 bucket_tickets[CLS_MSD_MAX_ROUNDS + 1];
    cls_u32 counted_blocks[CLS_MSD_MAX_ROUNDS + 1];
    cls_u32 planned_buckets[CLS_MSD_MAX_ROUNDS + 1];
    cls_u32 moved_tiles[CLS_MSD_MAX_ROUNDS + 1];
    cls_u32 buckets;       /* number of final buckets of all rounds */
    cls_u32 final_tickets; /* number of tickets that were drawn for them, beyond one per group */
    cls_u32 deferred;      /* number of deferred buckets */
    /* splitters[i]: the ordered key of node i of the search tree (common/digit.cl). child_tops[d]: the keys of child d
     * are equal in the bits from here on. */
    cls_u64 splitters[1 << CLS_MSD_BITS];
    cls_u32 child_tops[1 << CLS_MSD_BITS];
    /* The number of elements of each child of round 0, if the sort need not be stable; not valid if a child
     * has exceeded its range. */
    cls_u32 children[1 << CLS_MSD_BITS];
    /* Of msd_sampled_round: log2 of the size of the sample, or 0 if none is taken; whether a child has
     * exceeded its range; the tickets that were drawn for parts of the sample and for tiles; how many of these
     * parts have been counted. For each child, the number of its keys in the sample, and where its range begins
     * in scratch. */
    cls_u32 sample_bits;
    cls_u32 exceeds_range;
    cls_u32 sample_tickets, sampled_tickets;
    cls_u32 counted_samples;
    cls_u32 unused;
    cls_u32 samples[1 << CLS_MSD_BITS], ranges[1 << CLS_MSD_BITS];
} cls_msd_control;

/* A bucket that a round partitions by the bits [top - bits, top). If round 0 divides by splitters, bits is
 * CLS_MSD_BITS, and top has no meaning. */
typedef struct {
    cls_u32 start, count; /* its elements in the output */
    cls_u32 array;        /* enum array: where its elements are */
    cls_u32 source;       /* index of the first one there; not `start` after a sampled round */
    cls_u32 top;          /* its keys are equal in the bits from here on */
    cls_u32 bits;         /* width of its digit; 0 for some children of a sampled round */
    cls_u32 first_row;    /* index of its first row in the histograms */
    /* The bits in which its keys differ, from the lowest word; 0 until the bucket has been counted. */
    cls_u32 varying[2];
} cls_msd_large_bucket;

/* A tile or a block of a large bucket. */
typedef struct {
    cls_u32 large_bucket; /* index of the bucket in its table */
    cls_u32 index;        /* index of the tile or block in the bucket */
} cls_msd_part;

#define CLS_MSD_NONE 0xffffffffu /* as the index of a large bucket: there is none */

/* A final bucket: one or several children of a large bucket, or a piece of a child with equal keys.
 * Of several children, the bits [shift, top) of the keys are a number from `digit` to
 * digit + digits - 1. With one child or a piece of it, top equals shift. */
typedef struct {
    cls_u32 start, count; /* its elements in the array */
    cls_u8 array;         /* enum array: where its elements are */
    cls_u8 top;           /* its keys are equal in the bits from here on */
    cls_u8
        shift; /* lowest bit of the digit of the last partition; top, if it is one child or a segment */
    cls_u8 unused;
    cls_u16 digit;  /* the first child's digit; 0 if there is one child */
    cls_u16 digits; /* number of neighbouring children, with the empty ones; 1 for a piece; 0 for a
                       whole segment, of whose keys no digit is known */
} cls_msd_bucket;

/* Arguments of the kernels of rounds. */
typedef struct {
    cls_u32 round;             /* the round of the launch; of msd_rounds, the first one */
    cls_u32 rounds;            /* of the whole sort */
    cls_u32 max_large_buckets; /* slots of the table of large buckets, for one round */
    cls_u32 first_block_tiles; /* tiles per block in round 0 */
    cls_u32 block_tiles;       /* tiles per block in later rounds */
    /* Where the control block of the path that takes over if there are outliers is: its offset in
     * bytes from that of MSD; 0: there is no such path. */
    cls_u32 next_path;
} cls_msd_args;

/* The input as the only large bucket of round 0. */
typedef struct {
    cls_u32 count;
    cls_u32 top, bits; /* as in cls_msd_large_bucket */
    /* What the blocks depend on: the elements of a tile, and how many blocks there should be at most. */
    cls_u32 tile, max_blocks;
    cls_u32 first_block_tiles; /* tiles of each block in round 0 */
    cls_u32 sample_bits; /* log2 of the size of a sample of enough elements; 0: none is taken */
} cls_msd_input;

/* Sets the size of the blocks of round 0 for input->count, which is not 0. */
static inline void cls_msd_divide_input(cls_msd_input *input)
{
    const cls_u32 tiles = (input->count - 1) / input->tile + 1;
    input->first_block_tiles = (tiles - 1) / input->max_blocks + 1;
}

/* Returns the number of blocks of round 0. */
static inline cls_u32 cls_msd_first_blocks(const cls_msd_input *input)
{
    return ((input->count - 1) / input->tile) / input->first_block_tiles + 1;
}

/* The range of a child of which s keys are in the sample is for s + DEVIATIONS sqrt(s) + SAMPLES parts of the input
 * (sampled_round.cl). A sample of more than one key per SAMPLED_BYTES of input saves too little time. */
enum { CLS_MSD_RANGE_DEVIATIONS = 4, CLS_MSD_RANGE_SAMPLES = 12, CLS_MSD_SAMPLED_BYTES = 256 };

/* Returns whether round 0 of a sort of this many keys counts a sample of 2^sample_bits keys; never if that is 0. */
static inline int cls_msd_takes_sample(const cls_u64 count, const cls_u32 key_bytes,
                                       const cls_u32 sample_bits)
{
    return sample_bits > 0 && count * key_bytes >> sample_bits >= CLS_MSD_SAMPLED_BYTES;
}

/* Returns the maximum number of elements by which the ranges of all children together exceed `count`. The
 * sum of sqrt(s) is greatest if all children have equally many keys in the sample: it is then the square root
 * of 2^(CLS_MSD_BITS + sample_bits). Each range may be rounded up, and slightly too large by the rounding of
 * floats. */
static inline cls_u64 cls_msd_slack(const cls_u64 count, const cls_u32 sample_bits)
{
    const cls_u32 bits = CLS_MSD_BITS + sample_bits;
    const cls_u64 root = bits % 2 == 0 ? (cls_u64)1 << bits / 2 : ((cls_u64)182 << bits / 2) / 128;
    const cls_u64 samples =
        CLS_MSD_RANGE_DEVIATIONS * root + ((cls_u64)CLS_MSD_RANGE_SAMPLES << CLS_MSD_BITS);
    return (count * samples >> sample_bits) + count / 65536 + (1 << CLS_MSD_BITS) + 1;
}

#endif
