/* tuning.h - tuning and schedule of quicksort */
#ifndef CLSORT_ALGO_QUICK_TUNING_H
#define CLSORT_ALGO_QUICK_TUNING_H

struct cls_quick_tuning {
    unsigned max_levels; /* log2 of the maximum number of segments */
    unsigned min_items;  /* minimum number of elements in a segment */
};

struct cls_quick_schedule {
    unsigned levels; /* log2 of the number of segments */
};

#endif
