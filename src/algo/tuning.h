/* tuning.h - the tuning of an algorithm for a device and a sort spec; its schedule for a count
 *
 * Both have a union of the algorithms' own structs, which are declared in their folders. */
#ifndef CLSORT_ALGO_TUNING_H
#define CLSORT_ALGO_TUNING_H

#include "algo/bitonic/tuning.h"
#include "algo/check/tuning.h"
#include "algo/count/tuning.h"
#include "algo/cpu_radix/tuning.h"
#include "algo/cpu_sample/tuning.h"
#include "algo/gather/tuning.h"
#include "algo/local/tuning.h"
#include "algo/merge/tuning.h"
#include "algo/msd/tuning.h"
#include "algo/onesweep/tuning.h"
#include "algo/quick/tuning.h"
#include "algo/radix/tuning.h"
#include "algo/unique/tuning.h"

/* Consists of others. */
#include "algo/hybrid/tuning.h"

#include <stddef.h>

enum { CLS_MAX_REGIONS = 10 };

/* Set by cls_algo.supports. The union member is that of the algorithm. */
struct cls_tuning {
    uint64_t max_count; /* maximum number of elements */
    /* Work-items of a work-group. If a compiled kernel does not support as many, the planner calls
     * cls_algo.supports again with a lower limit. */
    unsigned group_size;
    union {
        struct cls_bitonic_vector_tuning bitonic_vector;
        struct cls_bitonic_work_group_tuning bitonic_work_group;
        struct cls_check_tuning check;
        struct cls_count_cores_tuning count_cores;
        struct cls_count_work_group_tuning count_work_group;
        struct cls_cpu_radix_tuning cpu_radix;
        struct cls_cpu_sample_tuning cpu_sample;
        struct cls_gather gather;
        struct cls_hybrid_tuning hybrid;
        struct cls_local_tuning local;
        struct cls_merge_cores_tuning merge_cores;
        struct cls_merge_rows_tuning merge_rows;
        struct cls_merge_work_group_tuning merge_work_group;
        struct cls_msd_tuning msd;
        struct cls_onesweep_tuning onesweep;
        struct cls_quick_tuning quick;
        struct cls_radix_tuning radix;
        struct cls_unique_tuning unique;
    };
};

/* Set by cls_algo.schedule: the scratch regions, and how the work is divided. */
struct cls_schedule {
    size_t regions;
    uint64_t region_bytes[CLS_MAX_REGIONS];
    union {
        struct cls_bitonic_schedule bitonic;
        struct cls_check_schedule check;
        struct cls_count_cores_schedule count_cores;
        struct cls_count_work_group_schedule count_work_group;
        struct cls_cpu_radix_schedule cpu_radix;
        struct cls_cpu_sample_schedule cpu_sample;
        struct cls_merge_rows_schedule merge_rows;
        struct cls_merge_work_group_schedule merge_work_group;
        struct cls_msd_schedule msd;
        struct cls_onesweep_schedule onesweep;
        struct cls_quick_schedule quick;
        struct cls_radix_schedule radix;
        struct cls_unique_schedule unique;
    };
};

#endif
