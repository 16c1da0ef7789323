/* sweep.h - runs scenarios with the N-th call failing, once and from then on, for N = 0, 1, 2, ... until
 * nothing fails any more
 *
 * The calls are those of OpenCL (layer.h) or of the allocators (alloc.h). A scenario prepares what it needs,
 * arms the sweep, makes one call of the library, and gives its status to sweep_judge; then it checks what
 * the call promises, and that the same call works now. Around it the runner checks that nothing is held that
 * was not before. */
#ifndef CLSORT_TESTS_FAULT_SWEEP_H
#define CLSORT_TESTS_FAULT_SWEEP_H

#include "env.h"
#include "point.h"

#include <clsort.h>

struct sweep {
    const struct scenario *scenario;
    struct env env; /* of all runs; closed in scenarios with a process of their own */
    struct fault_point *point;
    long at; /* the number of the call that fails; below 0: none does, for the first run */
    bool lasting;
    bool reached; /* the number was: something has failed */
};

struct scenario {
    const char *name; /* its first word is the group, which is a test of its own */
    void (*run)(struct sweep *);
    const void *data;      /* what run makes of it */
    clsort_status or_else; /* another status that the call may return, by its contract */
    bool own_process;      /* what it leaves behind cannot be undone: each run is a process */
};

/* The stretch in which the fault falls. sweep_judge checks the status, true when it is success; sweep_judge_made
 * also checks that what the call makes is there exactly then. */
void sweep_arm(struct sweep *sweep);
bool sweep_judge(struct sweep *sweep, clsort_status status);
bool sweep_judge_made(struct sweep *sweep, clsort_status status, const void *made);

/* Ends the program with a message that says which call has failed when this went wrong. */
#define SWEEP_CHECK(sweep, condition)                                                              \
    ((condition) ? (void)0 : sweep_wrong(sweep, #condition, __FILE__, __LINE__))
#define SWEEP_OK(sweep, call) sweep_ok(sweep, call, #call, __FILE__, __LINE__)
_Noreturn void sweep_wrong(const struct sweep *sweep, const char *what, const char *file, int line);
void sweep_ok(const struct sweep *sweep, clsort_status status, const char *call, const char *file,
              int line);

/* All scenarios; ends with a NULL name. */
extern const struct scenario *const sweep_scenarios[];

#endif
