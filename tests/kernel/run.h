/* run.h - runs one kernel that writes numbers */
#ifndef CLSORT_TESTS_RUN_H
#define CLSORT_TESTS_RUN_H

#include "env.h"

/* The exit status of a test if the driver no longer has the fault: CTest's "skipped". */
enum { DRIVER_IS_FIXED = 77 };

/* Builds the kernel `test` of the source. Returns NULL on failure. */
cl_kernel kernel_build(const struct env *env, const char *source);

/* Runs test(__global uint *numbers, uint argument) in work-groups of group_size, and reads the
 * numbers. */
cl_int kernel_run(const struct env *env, cl_kernel kernel, cl_uint argument, size_t items,
                  size_t group_size, cl_uint *numbers, size_t count);

#endif
