/* tuning.h - tuning and schedule of CLSORT_CHECK */
#ifndef CLSORT_ALGO_CHECK_TUNING_H
#define CLSORT_ALGO_CHECK_TUNING_H

#include "algo/common/chunks.h"

struct cls_check_tuning {
    struct cls_chunking chunking;
    uint64_t block; /* CPUs: elements after which a core may return early */
};

struct cls_check_schedule {
    uint64_t chunk, chunks; /* elements of each chunk but the last, and number of chunks */
};

#endif
