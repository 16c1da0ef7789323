/* sweep.h - fault sweep: runs a scenario once for each OpenCL call or allocation in it, which fails, until no fault is
 * reached; then again with all later calls failing as well
 *
 * A scenario prepares its arguments, arms the sweep, calls one function of the library, and passes the status to
 * sweep_judge. Then it checks the function's contract, and that the same call without a fault succeeds. The runner
 * compares the live handles and allocations before and after each run, so that it detects leaks. */
#ifndef CLSORT_TESTS_FAULT_SWEEP_H
#define CLSORT_TESTS_FAULT_SWEEP_H

#include "env.h"
#include "point.h"

#include <clsort.h>

struct sweep {
    const struct scenario *scenario;
    struct env env; /* shared by all runs; closed in scenarios with own_process */
    struct fault_point *point;
    long at; /* the index of the call that fails; negative in the first run, which has no fault */
    bool lasting; /* all later calls fail as well */
    bool reached; /* a call has failed in this run */
};

struct scenario {
    const char *name; /* the first word is the group; each group is a test */
    void (*run)(struct sweep *);
    const void *data; /* for run */
    /* A status that the call may return in addition to success and that of the injected fault. */
    clsort_status other_allowed;
    bool own_process; /* the call changes the state of the process: each run needs a new one */
};

/* Faults occur between sweep_arm and sweep_judge. sweep_judge checks that the status is success or that of the fault,
 * and that clsort_last_error has a text exactly after a failure, and returns whether the status is success.
 * sweep_judge_object also checks that the call returned an object on success, and NULL otherwise. */
void sweep_arm(struct sweep *sweep);
bool sweep_judge(struct sweep *sweep, clsort_status status);
bool sweep_judge_object(struct sweep *sweep, clsort_status status, const void *object);

/* If the check fails, these exit with a message that contains the scenario and the call that was made to fail. */
#define SWEEP_CHECK(sweep, condition)                                                              \
    ((condition) ? (void)0 : sweep_wrong(sweep, #condition, __FILE__, __LINE__))
#define SWEEP_OK(sweep, call) sweep_ok(sweep, call, #call, __FILE__, __LINE__)
_Noreturn void sweep_wrong(const struct sweep *sweep, const char *what, const char *file, int line);
void sweep_ok(const struct sweep *sweep, clsort_status status, const char *call, const char *file,
              int line);

/* Arrays of scenarios, each of which ends with a NULL name. The last pointer is NULL. */
extern const struct scenario *const sweep_scenarios[];

#endif
