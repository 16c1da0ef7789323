/* onesweep.h - what hybrid needs of onesweep besides cls_algo_onesweep */
#ifndef CLSORT_ALGO_ONESWEEP_ONESWEEP_H
#define CLSORT_ALGO_ONESWEEP_ONESWEEP_H

#include "algo/algo.h"
#include "cl/onesweep/layout.h"

/* Returns the parameters that ask for tiles of this number of elements per work-item; 0: for the default. */
struct cls_parameters cls_onesweep_items(unsigned items);

/* Returns the number of kernels. */
unsigned cls_onesweep_kernels(const struct cls_tuning *tuning);

/* Returns the arguments of the kernels. */
cls_onesweep_args cls_onesweep_args_of(const struct cls_sort *sort);

/* Adds the options of cl/onesweep/histogram.cl. */
void cls_onesweep_histogram_options(const struct cls_caps *caps, const struct cls_tuning *tuning,
                                    const struct cls_spec *spec, struct cls_text *options);

#endif
