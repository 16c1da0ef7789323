/* tuning.h - tuning and schedule of LSD radix sort */
#ifndef CLSORT_ALGO_RADIX_TUNING_H
#define CLSORT_ALGO_RADIX_TUNING_H

#include <stdbool.h>
#include <stdint.h>

struct cls_radix_tuning {
    unsigned items; /* keys per work-item in a tile */
    unsigned bits;  /* of a digit, at most */
    bool direct;    /* scatter straight from registers, without sorting the tile in local memory */
    unsigned units; /* compute units of the device */
    unsigned max_tiles; /* of a chunk */
};

/* The input is divided into chunks, one for each work-group. */
struct cls_radix_schedule {
    unsigned passes;
    unsigned chunks;
    uint64_t chunk; /* elements of each chunk but the last: whole tiles */
};

#endif
