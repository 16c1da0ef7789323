/* selection_test.h - tests whether the kernels of a selection select correctly on this device */
#ifndef CLSORT_PLAN_SELECTION_TEST_H
#define CLSORT_PLAN_SELECTION_TEST_H

#include "plan/selection.h"
#include "plan/tested.h"

extern const struct cls_tested cls_selection_tested;

/* Sets the selection for a device with such limits, and the maximum numbers of elements: cls_tested.choose. */
clsort_status cls_selection_choose(const struct cls_caps *caps, const struct cls_request *request,
                                   void *selection);

#endif
