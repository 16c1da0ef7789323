/* columns_test.h - tests whether the kernels of a sort by columns are correct on this device */
#ifndef CLSORT_PLAN_COLUMNS_TEST_H
#define CLSORT_PLAN_COLUMNS_TEST_H

#include "plan/columns.h"

extern const struct cls_tested cls_columns_tested;

/* Chooses the kernels of the plan for a device with such limits (cls_tested.choose). */
clsort_status cls_columns_sort_choose(const struct cls_caps *caps,
                                      const struct cls_request *request, void *plan);

#endif
