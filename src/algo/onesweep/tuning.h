/* tuning.h - tuning and schedule of onesweep */
#ifndef CLSORT_ALGO_ONESWEEP_TUNING_H
#define CLSORT_ALGO_ONESWEEP_TUNING_H

#include <stdbool.h>
#include <stdint.h>

enum { CLS_ONESWEEP_MAX_ITEMS = 48 }; /* of the parameter `items` */

struct cls_onesweep_tuning {
    unsigned items;               /* elements per work-item in a tile */
    unsigned bits;                /* maximum number of bits of a digit */
    unsigned units;               /* compute units of the device */
    unsigned groups_per_unit;     /* groups of a pass on a compute unit; 0: each takes one tile */
    unsigned registers;           /* of a work-item of NVIDIA devices; 0: no limit */
    unsigned max_tiles;           /* maximum number of tiles of a section */
    bool launches_steps_together; /* groups that have started are known to make progress */
    bool may_skip;                /* the option MAY_SKIP: a part of hybrid */
    unsigned max_early_chunks;    /* hybrid_choose counts all chunks if there are at most as many */
};

/* A pass is divided into sections. A stage is one pass over one section. The keys are divided into
 * chunks for the histograms. */
struct cls_onesweep_schedule {
    unsigned passes;
    uint64_t tiles;
    uint64_t section_tiles; /* tiles of each section except the last */
    unsigned sections;      /* of a pass */
    unsigned stages;        /* of all passes together */
    unsigned chunks;
    unsigned max_chunks;  /* an upper bound of chunks that never decreases with the count */
    uint64_t chunk;       /* elements of each chunk except the last */
    uint64_t table_words; /* the rows of the largest section */
};

#endif
