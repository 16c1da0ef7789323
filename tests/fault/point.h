/* point.h - of many calls the N-th fails, once or from then on
 *
 * One such point is in the OpenCL layer (layer.c), one before the allocators (alloc.c). */
#ifndef CLSORT_TESTS_FAULT_POINT_H
#define CLSORT_TESTS_FAULT_POINT_H

#include <stdatomic.h>
#include <stdbool.h>

struct fault_point {
    const char *name; /* "opencl" */
    atomic_bool armed;
    atomic_bool lasting;           /* every call from `at` on fails */
    atomic_long at;                /* the number of the call that fails, from 0 */
    atomic_long calls;             /* seen since it was armed */
    _Atomic(const char *) reached; /* the first call that failed since then, or NULL */
};

/* Counts a call; true when it has to fail. */
bool fault_due(struct fault_point *point, const char *call);

void fault_arm(struct fault_point *point, long at, bool lasting);

/* Nothing fails any more. Whether anything has. */
bool fault_disarm(struct fault_point *point);

/* For programs that know nothing of faults: arms the point as the variable says, "7" for once and "7+" for
 * from then on. At its end the program calls fault_report, which adds a line to the file
 * $CLSORT_FAULT_REPORT: "opencl clBuildProgram 3 left", or "opencl - 0 left" when nothing has failed. */
void fault_arm_by_environment(struct fault_point *point, const char *variable);
void fault_report(const struct fault_point *point, long left);

#endif
