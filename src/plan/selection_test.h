/* selection_test.h - tests whether the kernels of a selection select correctly on this device */
#ifndef CLSORT_PLAN_SELECTION_TEST_H
#define CLSORT_PLAN_SELECTION_TEST_H

#include "plan/selection.h"
#include "plan/self_test.h"

/* Sets the subject of the verdict: everything that it depends on. */
void cls_selection_subject(const struct cls_selection *selection,
                           const struct cls_program_spec *program,
                           char subject[CLS_SELECTION_SUBJECT]);

/* Returns whether the program has passed its self-test; if it has failed, sets the error. */
enum cls_self_test_state cls_selection_verdict(struct cls_device *device,
                                               const struct cls_selection *selection,
                                               const struct cls_program_spec *program);

/* Tests the kernels, which are compiled from the program, and stores the verdict. Returns
 * CLSORT_E_SELF_TEST if they are wrong, and errors of OpenCL. */
clsort_status cls_selection_test(struct cls_device *device, const struct cls_selection *selection,
                                 const struct cls_program_spec *program);

#endif
