/* tested.h - compiles and tests the kernels of plans that have no stages
 *
 * Segmented sorts and selections have kernels of their own. These are chosen, compiled and tested in the same
 * way, which a table of functions describes. */
#ifndef CLSORT_PLAN_TESTED_H
#define CLSORT_PLAN_TESTED_H

#include "plan/request.h"
#include "plan/self_test.h"

enum { CLS_MAX_TESTED_PROGRAMS = 10, CLS_TESTED_SUBJECT = 128 };

/* `plan` is a struct of the kind of plan that the functions belong to. */
struct cls_tested {
    const char *name; /* "segmented sort" */
    int version;      /* of the test: stored verdicts of other versions are not used */

    /* Sets the plan for a device with such limits. Pure. */
    clsort_status (*choose)(const struct cls_caps *caps, const struct cls_request *request,
                            void *plan);

    /* Returns the work-group size and the sort spec that were chosen. */
    unsigned (*group_size)(const void *plan);
    const struct cls_spec *(*spec)(const void *plan);

    /* Describes the programs. Returns their number, at most CLS_MAX_TESTED_PROGRAMS. */
    size_t (*programs)(const void *plan, struct cls_program_spec *programs);

    clsort_status (*compile)(struct cls_device *device, const struct cls_program_spec *programs,
                             size_t count, void *plan);
    void (*release)(void *plan); /* releases the kernels */

    /* Returns the number of elements of the test, on which the verdict depends. */
    uint64_t (*test_count)(const void *plan);

    /* Runs the kernels and compares the outputs with those of the host. There are two rounds, 0 and 1. If an
     * output is wrong, appends the finding and returns CLSORT_E_SELF_TEST. */
    clsort_status (*test)(const struct cls_device *device, cl_command_queue queue, const void *plan,
                          int round, struct cls_text *finding);
};

/* Chooses, compiles and tests the kernels, with smaller work-groups if the compiled kernels require them, and
 * with those for drivers that miscompile barriers if others fail their test. If the
 * plan will not run (request->is_test) and has passed its test, nothing is compiled. */
clsort_status cls_tested_create(const struct cls_tested *tested, struct cls_device *device,
                                const struct cls_request *request, void *plan);

/* Returns the maximum number of elements that the request wants or, without one, that the device can hold and, if
 * has_indexes, an index of the request can count. */
uint64_t cls_tested_wanted(const struct cls_caps *caps, const struct cls_request *request,
                           bool has_indexes);

/* Fails if the maximum is 0, or less than the request wants. what: "sorted in segments", "selected from" */
clsort_status cls_tested_check_max(const struct cls_request *request, uint64_t wanted, uint64_t max,
                                   const char *what);

/* Sets the subject of the verdict: everything that it depends on. Returns whether it may be stored on disk. */
bool cls_tested_subject(const struct cls_tested *tested, const void *plan,
                        char subject[CLS_TESTED_SUBJECT]);

/* Returns whether the kernels that would run have not been tested on this device, as far as the verdicts show, and
 * sets the subject of their verdict. Sets the plan, which is clear, and compiles nothing. */
bool cls_tested_is_untested(const struct cls_tested *tested, struct cls_device *device,
                            const struct cls_request *request, void *plan,
                            char subject[CLS_TESTED_SUBJECT]);

#endif
