/* tuning.h - tuning and schedule of the sample sort for CPUs */
#ifndef CLSORT_ALGO_CPU_SAMPLE_TUNING_H
#define CLSORT_ALGO_CPU_SAMPLE_TUNING_H

#include <stdbool.h>
#include <stdint.h>

struct cls_cpu_sample_tuning {
    unsigned units;       /* compute units that are used */
    uint64_t cache_bytes; /* of a core's own cache */
};

struct cls_cpu_sample_schedule {
    bool is_single; /* one launch of one work-item */
};

#endif
