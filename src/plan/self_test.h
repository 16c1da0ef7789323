/* self_test.h - tests whether kernels, as compiled by this driver, sort correctly on this device */
#ifndef CLSORT_PLAN_SELF_TEST_H
#define CLSORT_PLAN_SELF_TEST_H

#include "plan/stage.h"

enum cls_self_test_state { CLS_UNTESTED, CLS_PASSED, CLS_FAILED };

/* Looks up the verdict of the programs that a choice would run, before anything is compiled. Appends the finding if they
 * failed. */
enum cls_self_test_state cls_self_test_lookup(struct cls_device *device,
                                              const struct cls_request *request,
                                              const struct cls_choice *choice,
                                              struct cls_text *finding);

/* Sorts small inputs with the kernels of the stage and compares the results with those of the host. Stores the verdict
 * (verdicts.h), which holds for all sorts that run the same programs. Returns CLSORT_E_SELF_TEST and appends the finding
 * if a result is wrong. OpenCL errors are returned and are not recorded as verdicts. Waits for the device. */
clsort_status cls_self_test(struct cls_device *device, const struct cls_request *request,
                            const struct cls_stage *stage, struct cls_text *finding);

#endif
