/* tuning.h - tuning and schedule of the radix sort for CPUs */
#ifndef CLSORT_ALGO_CPU_RADIX_TUNING_H
#define CLSORT_ALGO_CPU_RADIX_TUNING_H

#include <stdbool.h>
#include <stdint.h>

struct cls_cpu_radix_tuning {
    unsigned bits;        /* log2 of the maximum number of bins */
    unsigned units;       /* compute units that are used */
    uint64_t cache_bytes; /* of a core's own cache */
};

struct cls_cpu_radix_schedule {
    bool is_single; /* one launch of one work-item */
    unsigned chunks;
    uint64_t slice_bytes; /* of a work-item's slice of scratch */
};

#endif
