/* copy.h - how fast the device copies, which bounds what sorts can reach */
#ifndef CLSORT_BENCH_COPY_H
#define CLSORT_BENCH_COPY_H

#include "target.h"

/* Bytes a second, those read and those written together, that the fastest copy of arrays far larger than caches moves.
 * 0 when that cannot be measured, which has then been said on standard error. */
double copy_measure(const struct target *target);

#endif
