/* tuning.h - tuning and schedule of onesweep */
#ifndef CLSORT_ALGO_ONESWEEP_TUNING_H
#define CLSORT_ALGO_ONESWEEP_TUNING_H

#include <stdbool.h>
#include <stdint.h>

struct cls_onesweep_tuning {
    unsigned items;     /* elements per work-item in a tile */
    unsigned bits;      /* of a digit, at most */
    unsigned units;     /* compute units of the device */
    unsigned max_tiles; /* of a launch */
};

/* A pass is divided into sections, one launch each; the histograms are counted in chunks. */
struct cls_onesweep_schedule {
    unsigned passes;
    uint64_t tiles;
    uint64_t section_tiles; /* tiles of each section but the last */
    unsigned sections, launches;
    unsigned chunks,
        max_chunks; /* chunks for this count; a bound that never decreases with the count */
    uint64_t chunk; /* elements of each chunk but the last */
    uint64_t
        table_words; /* tickets of the launches, and the rows of the largest possible section */
};

#endif
