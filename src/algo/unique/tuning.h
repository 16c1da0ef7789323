/* tuning.h - tuning and schedule of CLSORT_UNIQUE */
#ifndef CLSORT_ALGO_UNIQUE_TUNING_H
#define CLSORT_ALGO_UNIQUE_TUNING_H

#include "algo/common/chunks.h"

struct cls_unique_tuning {
    struct cls_chunking chunking;
    uint64_t max_width; /* units of a value that one launch copies */
};

struct cls_unique_schedule {
    uint64_t chunk, chunks; /* elements of each chunk but the last, and number of chunks */
};

#endif
