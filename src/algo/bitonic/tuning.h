/* tuning.h - tuning and schedule of bitonic sort */
#ifndef CLSORT_ALGO_BITONIC_TUNING_H
#define CLSORT_ALGO_BITONIC_TUNING_H

#include <stdbool.h>
#include <stdint.h>

struct cls_bitonic_vector_tuning {
    unsigned items; /* keys of a tile */
};

struct cls_bitonic_work_group_tuning {
    unsigned items; /* elements per work-item in a tile; 0: no tiles */
    unsigned bits;  /* log2 of the elements that a work-item holds in registers */
};

/* A sort is a sequence of launches: all stages that fit into tiles are done within tiles by one launch. Each later
 * stage takes launches of as many steps as registers hold, and a last one for the steps that fit into tiles. */
struct cls_bitonic_schedule {
    unsigned stages;    /* at least one: a single element is moved to the output, too */
    unsigned tile_bits; /* log2 of a tile; 0: there are no tiles */
    unsigned max_bits;  /* steps of a launch in registers */
};

#endif
