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
    uint64_t chunk;       /* elements of each chunk but the last */
    uint64_t slice_bytes; /* of a work-item's slice of scratch */
    unsigned samples;     /* keys in the sample */
    unsigned max_leaf;    /* maximum number of keys of the sample in a child that is never split */
    unsigned bin_bits;    /* log2 of the number of bins */
};

#endif
