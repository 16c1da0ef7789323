/* clock.h - the time, to take differences of */
#ifndef CLSORT_BENCH_CLOCK_H
#define CLSORT_BENCH_CLOCK_H

#include <time.h>

/* Seconds since some moment. */
static inline double clock_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

#endif
