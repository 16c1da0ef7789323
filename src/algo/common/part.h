/* part.h - an algorithm as a part of another one, which has its regions in fewer regions of its own */
#ifndef CLSORT_ALGO_COMMON_PART_H
#define CLSORT_ALGO_COMMON_PART_H

#include "algo/algo.h"

/* An algorithm that sorts the same arrays. */
struct cls_part {
    struct cls_tuning tuning;
    struct cls_schedule schedule;
    clsort_buffer scratch[CLS_MAX_REGIONS];
    struct cls_sort sort; /* points to the other members: do not copy the struct */
};

/* Returns the size of the regions that the algorithm has besides those of all algorithms. */
uint64_t cls_part_table_bytes(const struct cls_schedule *schedule);

/* Sets *part. The part has its control block in `control`, its own regions in `tables`, and the other
 * regions in common with the whole, whose kernels from `kernels` on are its own. */
void cls_part_begin(struct cls_part *part, const struct cls_algo *algo,
                    const struct cls_tuning *tuning, const struct cls_sort *whole,
                    const cl_kernel *kernels, clsort_buffer control, clsort_buffer tables);

#endif
