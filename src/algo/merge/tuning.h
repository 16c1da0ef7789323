/* tuning.h - tuning and schedule of merge sort */
#ifndef CLSORT_ALGO_MERGE_TUNING_H
#define CLSORT_ALGO_MERGE_TUNING_H

#include <stdbool.h>
#include <stdint.h>

struct cls_merge_cores_tuning {
    unsigned items; /* elements in a tile */
    unsigned block; /* outputs of a round that are merged in one way */
    unsigned units; /* compute units of the device */
};

struct cls_merge_work_group_tuning {
    unsigned items; /* keys per work-item in a tile */
};

struct cls_merge_work_group_schedule {
    uint64_t tiles;
};

struct cls_merge_rows_tuning {
    unsigned items;     /* elements per work-item in a tile */
    uint64_t max_width; /* units of a record that one launch copies */
};

struct cls_merge_rows_schedule {
    uint64_t tiles;
};

#endif
