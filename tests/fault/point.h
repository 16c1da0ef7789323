/* point.h - fault injection: counts calls and makes the N-th fail, alone or with all later ones
 *
 * The OpenCL layer (layer.c) has one fault point, and the wrapped allocators (alloc.c) have another. */
#ifndef CLSORT_TESTS_FAULT_POINT_H
#define CLSORT_TESTS_FAULT_POINT_H

#include <stdatomic.h>
#include <stdbool.h>

struct fault_point {
    const char *name; /* "opencl" */
    atomic_bool armed;
    atomic_bool lasting;           /* all later calls fail as well */
    atomic_long at;                /* the index of the call that fails */
    atomic_long calls;             /* the number of calls since the point was armed */
    _Atomic(const char *) reached; /* the name of the first call that failed since then, or NULL */
};

/* Counts a call. Returns true if it has to fail. */
bool fault_due(struct fault_point *point, const char *call);

void fault_arm(struct fault_point *point, long at, bool lasting);

/* Ends the injection of faults. Returns whether a call has failed. */
bool fault_disarm(struct fault_point *point);

/* For programs that are not written for fault injection. fault_arm_by_environment arms the point if the environment
 * variable is set: "7" makes call 7 fail, and "7+" all later calls as well. fault_report runs at exit and appends a
 * line to the file $CLSORT_FAULT_REPORT: the point, the first call that failed or "-", the number of handles or
 * allocations that leak, and that of all calls, as in "opencl clBuildProgram 3 left, 120 calls". */
void fault_arm_by_environment(struct fault_point *point, const char *variable);
void fault_report(const struct fault_point *point, long left);

#endif
