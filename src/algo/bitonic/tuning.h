/* tuning.h - tuning and schedule of bitonic sort */
#ifndef CLSORT_ALGO_BITONIC_TUNING_H
#define CLSORT_ALGO_BITONIC_TUNING_H

#include <stdbool.h>
#include <stdint.h>

struct cls_bitonic_vector_tuning {
    unsigned items; /* keys in a tile */
};

struct cls_bitonic_work_group_tuning {
    unsigned items; /* elements per work-item in a tile; 0: no tiles */
    unsigned bits;  /* log2 of the maximum number of elements that a work-item has in registers */
};

/* A sort is a sequence of launches. The first performs all stages within tiles. Each later stage
 * takes launches of up to max_steps steps that compare elements of different tiles, and a last
 * launch for the steps within tiles. */
struct cls_bitonic_schedule {
    unsigned stages;    /* at least 1, so that a single element is copied to the output */
    unsigned tile_bits; /* log2 of the elements of a tile; 0: there are no tiles */
    unsigned max_steps; /* maximum number of steps of a launch between tiles */
};

#endif
