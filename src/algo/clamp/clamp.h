/* clamp.h - clamps a count in device memory to its bound, before a sort that reads it (cl/clamp/clamp.cl)
 *
 * This is not an algorithm, but the first step of any algorithm that has the trait CLS_COUNTS. */
#ifndef CLSORT_ALGO_CLAMP_H
#define CLSORT_ALGO_CLAMP_H

#include "algo/algo.h"

/* The size of the clamped count. */
enum { CLS_CLAMPED_BYTES = 8 };

/* Describes the program for a count of this size. */
void cls_clamp_program(unsigned count_bytes, struct cls_program_spec *program);

/* Writes the count of arrays->count_buffer, but at most arrays->count, to `clamped` if it is not NULL.
 * Writes to arrays->result, if there is one, whether the bound was exceeded. */
cl_int cls_clamp_enqueue(cl_kernel kernel, const struct cls_arrays *arrays, clsort_buffer clamped,
                         struct cls_chain *chain);

#endif
