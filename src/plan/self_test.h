/* self_test.h - tests whether kernels, as compiled by this driver, sort correctly on this device */
#ifndef CLSORT_PLAN_SELF_TEST_H
#define CLSORT_PLAN_SELF_TEST_H

#include "plan/stage.h"

/* The self-test of the programs that a choice runs. */
struct cls_self_test {
    struct cls_choice choice; /* compares all bits */
    struct cls_spec spec;     /* that of the caller's elements; compares all bits */
    uint64_t count;           /* cls_algo.self_test_count, limited by the plan and the device */
    bool is_large; /* the plan sorts at least this many, so that all sorts of the test do, too */
    char subject[256];    /* everything that the verdict depends on */
    bool verdict_on_disk; /* false if it also depends on files that custom texts include */
};

/* Returns the self-test of a choice. Pure. */
struct cls_self_test cls_self_test_for(const struct cls_caps *caps,
                                       const struct cls_request *request,
                                       const struct cls_choice *choice);

enum cls_self_test_state { CLS_UNTESTED, CLS_PASSED, CLS_FAILED };

/* Looks up the stored verdict. Appends the finding if the test failed. */
enum cls_self_test_state cls_self_test_lookup(struct cls_device *device,
                                              const struct cls_self_test *self_test,
                                              struct cls_text *finding);

/* Sorts small inputs with the kernels of the stage and compares the results with those of the host.
 * Stores the verdict (verdicts.h), which holds for all sorts that run the same programs. Returns
 * CLSORT_E_SELF_TEST and appends the finding if a result is wrong. OpenCL errors are returned and
 * are not recorded as verdicts. Waits for the device. */
clsort_status cls_self_test_run(struct cls_device *device, const struct cls_self_test *self_test,
                                const struct cls_stage *stage, struct cls_text *finding);

#endif
