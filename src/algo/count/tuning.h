/* tuning.h - tuning and schedules of counting sort */
#ifndef CLSORT_ALGO_COUNT_TUNING_H
#define CLSORT_ALGO_COUNT_TUNING_H

#include <stdbool.h>
#include <stdint.h>

struct cls_count_cores_tuning {
    unsigned bits;  /* of a key */
    unsigned units; /* compute units of the device */
};

struct cls_count_cores_schedule {
    unsigned chunks;
    uint64_t chunk; /* keys of each chunk but the last */
};

struct cls_count_work_group_tuning {
    unsigned copies;    /* of each counter (8-bit keys) */
    unsigned parts;     /* that the counters are divided into (16-bit keys) */
    unsigned bits;      /* of a key */
    unsigned units;     /* compute units that are used */
    unsigned max_tiles; /* of a chunk */
};

struct cls_count_work_group_schedule {
    unsigned chunks;
    uint64_t chunk; /* keys of each chunk but the last: whole tiles */
};

#endif
