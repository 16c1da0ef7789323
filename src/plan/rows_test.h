/* rows_test.h - the self-test of algorithms that compare elements by columns where they are: CLSORT_UNIQUE,
 * CLSORT_CHECK and CLSORT_MERGE_SORTED */
#ifndef CLSORT_PLAN_ROWS_TEST_H
#define CLSORT_PLAN_ROWS_TEST_H

#include "plan/self_test.h"

/* Replaces the elements of the plan by those of the test. */
void cls_rows_test_prepare(struct cls_self_test *test);

/* Runs the test. Returns CLSORT_E_SELF_TEST and appends the finding if a result is wrong. */
clsort_status cls_rows_test_run(const struct cls_device *device, cl_command_queue queue,
                                const struct cls_self_test *test, const struct cls_stage *stage,
                                struct cls_text *finding);

#endif
