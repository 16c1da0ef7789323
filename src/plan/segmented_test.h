/* segmented_test.h - tests whether the kernels of a segmented sort are correct on this device */
#ifndef CLSORT_PLAN_SEGMENTED_TEST_H
#define CLSORT_PLAN_SEGMENTED_TEST_H

#include "plan/segmented.h"
#include "plan/self_test.h"

enum { CLS_SEGMENTED_PROGRAMS = CLS_SEGMENTS_PROGRAMS + 1 };

/* Describes the programs of the sort of segments and, if there is one, of the gather. Returns their
 * number. */
size_t cls_segmented_programs(const struct cls_segmented *segmented,
                              struct cls_program_spec *programs);

/* Sets the subject of the verdict: everything that it depends on. */
void cls_segmented_subject(const struct cls_segmented *segmented,
                           const struct cls_program_spec *programs, size_t count,
                           char subject[CLS_SEGMENTED_SUBJECT]);

/* Returns whether the programs have passed their self-test; if they have failed, sets the error. */
enum cls_self_test_state cls_segmented_verdict(struct cls_device *device,
                                               const struct cls_segmented *segmented,
                                               const struct cls_program_spec *programs,
                                               size_t count);

/* Tests the kernels, which are compiled from the programs, and stores the verdict. Returns
 * CLSORT_E_SELF_TEST if they are wrong, and errors of OpenCL. */
clsort_status cls_segmented_test(struct cls_device *device, const struct cls_segmented *segmented,
                                 const struct cls_program_spec *programs, size_t count);

#endif
