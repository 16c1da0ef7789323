/* segmented_test.h - tests whether the kernels of a segmented sort are correct on this device */
#ifndef CLSORT_PLAN_SEGMENTED_TEST_H
#define CLSORT_PLAN_SEGMENTED_TEST_H

#include "plan/segmented.h"
#include "plan/tested.h"

extern const struct cls_tested cls_segmented_tested;

/* Sets the sort of segments and the gather for a device with such limits: cls_tested.choose. */
clsort_status cls_segmented_choose(const struct cls_caps *caps, const struct cls_request *request,
                                   void *segmented);

#endif
