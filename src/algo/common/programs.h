/* programs.h - describes the programs of an algorithm, and creates their kernels */
#ifndef CLSORT_ALGO_COMMON_PROGRAMS_H
#define CLSORT_ALGO_COMMON_PROGRAMS_H

#include "algo/algo.h"

/* Starts the description of a program, with the options of cl/common/types.cl. The caller adds the
 * options of the algorithm. */
void cls_program_begin(struct cls_program_spec *program, const char *root,
                       const char *const *kernels, size_t group_size, const struct cls_spec *spec);

/* Adds the root file and the options of the program to a hash. */
uint64_t cls_program_hash(uint64_t hash, const struct cls_program_spec *program);

/* Creates the kernels of all programs, at most CLS_MAX_KERNELS, and compiles the programs if
 * needed. `custom` may be NULL. Returns CLSORT_E_UNSUPPORTED if a compiled kernel does not support
 * the group_size of its program. On failure, sets all kernels to NULL. */
cl_int cls_kernels_create(struct cls_device *device, const struct cls_program_spec *programs,
                          size_t count, const struct cls_custom *custom, cl_kernel *kernels);

/* Releases those of the CLS_MAX_KERNELS kernels that are not NULL, and sets all to NULL. */
void cls_kernels_release(cl_kernel *kernels);

#endif
