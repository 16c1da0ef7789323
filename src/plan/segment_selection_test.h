/* segment_selection_test.h - tests whether the kernels of a selection from segments are correct on this device */
#ifndef CLSORT_PLAN_SEGMENT_SELECTION_TEST_H
#define CLSORT_PLAN_SEGMENT_SELECTION_TEST_H

#include "plan/segment_selection.h"

extern const struct cls_tested cls_segment_selection_tested;

/* Sets the selection for a device with such limits, and the maximum numbers: cls_tested.choose. */
clsort_status cls_segment_selection_choose(const struct cls_caps *caps,
                                           const struct cls_request *request, void *selection);

#endif
