/* programs.h - describing an algorithm's programs, and creating their kernels */
#ifndef CLSORT_ALGO_COMMON_PROGRAMS_H
#define CLSORT_ALGO_COMMON_PROGRAMS_H

#include "algo/algo.h"

/* Starts a description with the options of cl/common/types.cl; the caller adds those of the algorithm. */
void cls_program_begin(struct cls_program_spec *program, const char *root,
                       const char *const *kernels, size_t group_size, const struct cls_spec *spec);

/* Adds the program's root and options to a hash that tells programs apart. */
uint64_t cls_program_hash(uint64_t hash, const struct cls_program_spec *program);

/* Creates the kernels of these programs, compiled first where need be, at most CLS_MAX_KERNELS in all. `custom` may be
 * NULL. Fails with CLSORT_E_UNSUPPORTED when a kernel, as compiled, cannot run in groups of its program's group_size.
 * On failure no kernel is left. */
cl_int cls_kernels_create(struct cls_device *device, const struct cls_program_spec *programs,
                          size_t count, const struct cls_custom *custom, cl_kernel *kernels);
void cls_kernels_release(cl_kernel *kernels);

#endif
