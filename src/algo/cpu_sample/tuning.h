/* tuning.h - tuning and schedule of the sample sort for CPUs */
#ifndef CLSORT_ALGO_CPU_SAMPLE_TUNING_H
#define CLSORT_ALGO_CPU_SAMPLE_TUNING_H

#include <stdbool.h>
#include <stdint.h>

struct cls_cpu_sample_tuning {
    unsigned units;       /* compute units that are used */
    uint64_t cache_bytes; /* of a core's own cache */
};

/* Scratch is laid out by the max_ fields, which are monotonic in the count. */
struct cls_cpu_sample_schedule {
    bool is_single; /* one launch of one work-item */
    uint64_t chunk; /* keys of each chunk but the last */
    unsigned chunks, bins;
    unsigned samples;     /* keys in the sample */
    uint64_t slice_bytes; /* of a work-item's slice of scratch */
    uint64_t max_chunks, max_bins, max_pieces;
};

#endif
