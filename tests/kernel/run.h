/* run.h - one kernel that writes numbers */
#ifndef CLSORT_TESTS_RUN_H
#define CLSORT_TESTS_RUN_H

#include "env.h"

/* What a test ends with when its driver turns out to be mended: CTest's "skipped". */
enum { DRIVER_IS_MENDED = 77 };

/* Builds the source's kernel `test`, NULL when that fails. */
cl_kernel kernel_build(const struct env *env, const char *source);

/* Runs it as test(__global uint *numbers, uint argument), in groups of group_size, and reads the numbers. */
cl_int kernel_run(const struct env *env, cl_kernel kernel, cl_uint argument, size_t items,
                  size_t group_size, cl_uint *numbers, size_t count);

#endif
