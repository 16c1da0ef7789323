/* tuning.h - tuning of the sort within one work-group's local memory */
#ifndef CLSORT_ALGO_LOCAL_TUNING_H
#define CLSORT_ALGO_LOCAL_TUNING_H

#include <stdbool.h>
#include <stdint.h>

struct cls_local_tuning {
    unsigned items; /* keys per work-item */
};

#endif
