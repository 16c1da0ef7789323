/* self_test.h - whether kernels, as this driver compiled them, sort right on this device */
#ifndef CLSORT_PLAN_SELF_TEST_H
#define CLSORT_PLAN_SELF_TEST_H

#include "plan/stage.h"

enum cls_recall { CLS_UNTESTED, CLS_PASSED, CLS_FAILED };

/* What is known, before anything is compiled, of the programs that a choice would run; when they failed, the
 * finding says how. */
enum cls_recall cls_self_test_recall(struct cls_device *device, const struct cls_request *request,
                                     const struct cls_choice *choice, struct cls_text *finding);

/* Sorts a little with the stage's kernels and compares with the host. The verdict is kept (verdicts.h) and holds
 * for all sorts that run the same programs. CLSORT_E_SELF_TEST: they sort wrong, the finding says how. Other
 * errors are those of the commands, and no verdict. Waits for the device. */
clsort_status cls_self_test(struct cls_device *device, const struct cls_request *request,
                            const struct cls_stage *stage, struct cls_text *finding);

#endif
