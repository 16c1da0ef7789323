/* tuning.h - tuning and schedule of MSD radix sort */
#ifndef CLSORT_ALGO_MSD_TUNING_H
#define CLSORT_ALGO_MSD_TUNING_H

#include <stdbool.h>
#include <stdint.h>

/* The work-groups of a round have cls_tuning.group_size work-items. */
struct cls_msd_tuning {
    unsigned items;                /* elements per work-item in a tile of a round */
    unsigned units;                /* compute units of the device */
    unsigned unit_size;            /* work-items of a round that run at once on a compute unit */
    unsigned bucket_group_size;    /* work-items of a group that sorts small buckets */
    unsigned bucket_items;         /* elements of a small bucket per work-item */
    unsigned bin_bits;             /* log2 of the number of bins of a small bucket */
    unsigned fallback_group_size;  /* work-items of a group of the fallback kernels */
    unsigned first_bits;           /* of the first round's digit; 0: depends on the count */
    unsigned max_large_buckets;    /* of a round; 0: depends on the count */
    bool launches_rounds_together; /* in msd_rounds */
    bool has_limited_loops;        /* the driver limits the iterations of a work-item */
    bool is_part;                  /* another kernel prepares the rounds */
    /* If not 0, the sort is one of segments with more than this number of elements, which other
     * kernels enter in the tables of round 1; there is no round 0. */
    unsigned max_tiny_segment;
    unsigned next_path;       /* cls_msd_args.next_path */
    unsigned max_sample_bits; /* log2 of the size of the sample of round 0, if there is one */
    bool may_split;           /* round 0 may divide by splitters */
};

struct cls_msd_schedule {
    bool is_single_tile;        /* the input fits in one tile: a single launch */
    unsigned first_bits;        /* of the first round's digit */
    unsigned first_round;       /* 1 for segments, otherwise 0 */
    unsigned rounds;            /* number of the last round in the worst case, plus 1 */
    unsigned uniform_rounds;    /* that uniformly distributed keys need */
    unsigned uniform_bits;      /* of the digits of these rounds together */
    unsigned first_tile;        /* elements of a tile of the first round */
    unsigned max_first_blocks;  /* maximum number of blocks of the first round */
    unsigned block_tiles;       /* tiles per block of later rounds */
    unsigned row_tiles;         /* tiles that share a row of the histograms */
    unsigned sample_bits;       /* cls_msd_input.sample_bits */
    uint64_t max_blocks;        /* of a later round */
    uint64_t max_tiles;         /* of a round */
    uint64_t max_rows;          /* of the histograms of a round */
    uint64_t max_large_buckets; /* of a round */
    uint64_t max_buckets;       /* of all rounds */
};

#endif
