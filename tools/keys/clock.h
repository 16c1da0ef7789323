/* clock.h - the library clsort-keys: a monotonic clock */
#ifndef CLSORT_TOOLS_CLOCK_H
#define CLSORT_TOOLS_CLOCK_H

#include <time.h>

/* Returns seconds since an unspecified start; only differences are meaningful. */
static inline double clock_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

#endif
