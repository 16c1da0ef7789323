/* bitonic.h - what the two shapes of bitonic sort share: bitonic.c for work-groups, bitonic_vector.c for CPUs */
#ifndef CLSORT_ALGO_BITONIC_H
#define CLSORT_ALGO_BITONIC_H

#include "algo/algo.h"

/* The words of the parameter "kernels", their only one; the last is the default. */
extern const char *const cls_bitonic_sets[];

/* log2, rounded up: the stages that n elements take. */
static inline unsigned cls_bitonic_stages(uint64_t n)
{
    unsigned stages = 0;
    while (stages < 63 && (uint64_t)1 << stages < n)
        stages++;
    return stages;
}

/* A launch. All zeros stand before the first. */
struct cls_bitonic_step {
    unsigned stage; /* the first launch inside tiles does all stages up to this one */
    unsigned left;  /* steps of the stage, this launch's included; as many as `stage`: it is new */
    unsigned bits;  /* steps in registers; 0: all that are left, inside the tiles */
};

struct cls_bitonic_schedule cls_bitonic_schedule(uint64_t count, unsigned tile_bits,
                                                 unsigned max_bits);

/* Goes on to the next launch; false after the last. */
bool cls_bitonic_next(const struct cls_bitonic_schedule *schedule, struct cls_bitonic_step *step);

/* What `traffic` says: each launch reads and writes everything. */
uint64_t cls_bitonic_bytes_per_element(const struct cls_bitonic_schedule *schedule,
                                       const struct cls_spec *spec);

#endif
