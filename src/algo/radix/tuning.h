/* tuning.h - tuning and schedule of LSD radix sort */
#ifndef CLSORT_ALGO_RADIX_TUNING_H
#define CLSORT_ALGO_RADIX_TUNING_H

#include <stdbool.h>
#include <stdint.h>

struct cls_radix_tuning {
    unsigned items;     /* keys per work-item in a tile */
    unsigned bits;      /* maximum number of bits of a digit */
    bool direct;        /* scatter from registers, without sorting the tile in local memory */
    unsigned units;     /* compute units of the device */
    unsigned max_tiles; /* maximum number of tiles per chunk, from the driver's max_iterations */
};

/* The input is divided into chunks, one for each work-group. */
struct cls_radix_schedule {
    unsigned passes;
    unsigned chunks;
    uint64_t chunk; /* elements of each chunk except the last: a whole number of tiles */
};

#endif
