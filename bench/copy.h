/* copy.h - the copy speed of the device, for rooflines */
#ifndef CLSORT_BENCH_COPY_H
#define CLSORT_BENCH_COPY_H

#include "target.h"

/* Returns the speed of the fastest copy of arrays far larger than caches, in bytes read plus bytes
 * written per second. Prints an error and returns 0 on failure. $CLSORT_BENCH_COPY_BYTES lowers the size of
 * the arrays for tests, which need no true speed. */
double copy_measure(const struct target *target);

#endif
