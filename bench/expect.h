/* expect.h - detects peers that are far slower than their libraries should be */
#ifndef CLSORT_BENCH_EXPECT_H
#define CLSORT_BENCH_EXPECT_H

#include "contest.h"

/* A peer with a slow_cause should be at least this many times as fast as std::sort, with at least
 * this many keys. */
#define EXPECT_MIN_SPEEDUP 1.5
#define EXPECT_MIN_COUNT (1 << 20)

/* Sets suspect of the contestants that are slower than expected, and prints a warning for each.
 * Judges only contests of uniform keys in a built-in order, without values, in which std::sort took
 * part. */
void expect_judge(const struct job *job, enum data_dist dist, struct contestant *contestants,
                  size_t count);

#endif
