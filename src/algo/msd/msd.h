/* msd.h - what hybrid and segmented sorts need of MSD radix sort besides cls_algo_msd */
#ifndef CLSORT_ALGO_MSD_MSD_H
#define CLSORT_ALGO_MSD_MSD_H

#include "algo/algo.h"
#include "cl/msd/layout.h"

/* Returns the input as the only large bucket of round 0. */
cls_msd_input cls_msd_input_of(const struct cls_spec *spec, uint64_t count,
                               const struct cls_msd_schedule *schedule);

/* The tables of cl/msd/layout.h, as regions of scratch. */
enum {
    CLS_MSD_LARGE_BUCKETS = CLS_OWN_REGIONS,
    CLS_MSD_BLOCKS,
    CLS_MSD_TILES,
    CLS_MSD_HISTOGRAMS,
    CLS_MSD_BUCKETS,
    CLS_MSD_DEFERRED,
    CLS_MSD_REGIONS
};

/* Enqueues the kernel that initializes the control block. Only segmented sorts need to. */
cl_int cls_msd_prepare(const struct cls_sort *sort);

/* The two parts of the sort of an input of more than one tile: all rounds, then the sort of the buckets that
 * they leave. Between the two, hybrid enqueues another path. */
cl_int cls_msd_enqueue_rounds(const struct cls_sort *sort);
cl_int cls_msd_enqueue_buckets(const struct cls_sort *sort);

#endif
