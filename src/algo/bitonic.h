/* bitonic.h - what the two shapes of bitonic sort share: bitonic.c for work-groups, bitonic_vector.c for CPUs */
#ifndef CLSORT_ALGO_BITONIC_H
#define CLSORT_ALGO_BITONIC_H

#include "algo/algo.h"

/* The words of the parameter "kernels", their only one; the last is the default. */
extern const char *const cls_bitonic_sets[];

/* That n elements take: log2, rounded up. */
static inline unsigned cls_bitonic_stages(uint64_t n)
{
    unsigned stages = 0;
    while (stages < 63 && (uint64_t)1 << stages < n)
        stages++;
    return stages;
}

#endif
