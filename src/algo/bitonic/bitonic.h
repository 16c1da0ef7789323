/* bitonic.h - what the two variants of bitonic sort share: work_group.c for work-groups, vector.c
 * for the vectors of CPUs */
#ifndef CLSORT_ALGO_BITONIC_H
#define CLSORT_ALGO_BITONIC_H

#include "algo/algo.h"
#include "cl/bitonic/layout.h"

/* The values of their only parameter, "kernels"; the last is the default. */
extern const char *const cls_bitonic_kernel_sets[];

/* The steps of one launch. All members are 0 before the first launch. */
struct cls_bitonic_steps {
    unsigned stage; /* that the launch belongs to; if it sorts tiles, all earlier stages too */
    unsigned left;  /* steps of the stage that are left, with those of this launch */
    unsigned count; /* steps of this launch; 0: all that are left, which are within tiles */
};

struct cls_bitonic_schedule cls_bitonic_schedule(uint64_t count, unsigned tile_bits,
                                                 unsigned max_steps);

/* Sets *steps to those of the next launch. Returns false after the last launch. */
bool cls_bitonic_next(const struct cls_bitonic_schedule *schedule, struct cls_bitonic_steps *steps);

/* Returns how the first of these steps is performed (cl/bitonic/layout.h). */
unsigned cls_bitonic_first_step(const struct cls_bitonic_steps *steps);

/* The cost model: each launch reads and writes every element once. */
uint64_t cls_bitonic_bytes_per_element(const struct cls_bitonic_schedule *schedule,
                                       const struct cls_spec *spec);

#endif
