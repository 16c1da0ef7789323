/* msd.h - what hybrid needs of MSD radix sort besides cls_algo_msd */
#ifndef CLSORT_ALGO_MSD_MSD_H
#define CLSORT_ALGO_MSD_MSD_H

#include "algo/algo.h"
#include "cl/msd/layout.h"

/* Returns the input as the only large bucket of round 0. */
cls_msd_input cls_msd_input_of(const struct cls_spec *spec, uint64_t count,
                               const struct cls_msd_schedule *schedule);

#endif
