/* verify_neighbours.h - verification of operations that compare neighbouring keys */
#ifndef CLSORT_BENCH_VERIFY_NEIGHBOURS_H
#define CLSORT_BENCH_VERIFY_NEIGHBOURS_H

#include "job.h"

/* Verifies the number of runs of equal keys, and that the result begins with the first key of each.
 * Returns NULL, or what is wrong. */
const char *verify_unique(const struct job *job);

/* Verifies the index of the first key that precedes the one before it. Returns NULL, or what is
 * wrong. */
const char *verify_check(const struct job *job);

#endif
