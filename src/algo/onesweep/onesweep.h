/* onesweep.h - what hybrid needs of onesweep besides cls_algo_onesweep */
#ifndef CLSORT_ALGO_ONESWEEP_ONESWEEP_H
#define CLSORT_ALGO_ONESWEEP_ONESWEEP_H

#include "algo/algo.h"

/* Returns the number of kernels. */
unsigned cls_onesweep_kernels(const struct cls_tuning *tuning);

#endif
