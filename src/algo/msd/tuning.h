/* tuning.h - tuning and schedule of MSD radix sort */
#ifndef CLSORT_ALGO_MSD_TUNING_H
#define CLSORT_ALGO_MSD_TUNING_H

#include <stdbool.h>
#include <stdint.h>

struct cls_msd_tuning {
    unsigned items;        /* elements per work-item in a tile of a partition round */
    unsigned bits;         /* of a digit, at most */
    unsigned units;        /* compute units of the device */
    unsigned unit_size;    /* work-items that partition at once on a compute unit */
    unsigned job_size;     /* work-items of a group that sorts a bucket in local memory ... */
    unsigned job_items;    /* ... and elements of each */
    unsigned bin_bits;     /* log2 of the number of bins of such a bucket */
    unsigned settle_size;  /* work-items of a group of the fallback kernels */
    unsigned first_bits;   /* of the first round's digit; 0: chosen by the count */
    unsigned max_segments; /* of a round; 0: chosen by the count */
};

struct cls_msd_schedule {
    bool is_alone;              /* the input fits one tile: a single launch */
    unsigned first_bits;        /* of round 0's digit */
    unsigned rounds;            /* that the worst distribution needs */
    unsigned looks, look_tiles; /* blocks of round 0, and tiles of each */
    unsigned block_tiles;       /* of each block of later rounds */
    uint64_t blocks;            /* that a later round can have */
    uint64_t tiles;             /* likewise; a bound that never decreases with the count */
    uint64_t segments, jobs;    /* capacity of their tables */
};

#endif
