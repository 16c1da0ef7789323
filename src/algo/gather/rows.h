/* rows.h - how the gather kernels divide rows, which are values, and their columns (cl/gather/rows.cl) */
#ifndef CLSORT_ALGO_GATHER_ROWS_H
#define CLSORT_ALGO_GATHER_ROWS_H

#include "algo/algo.h"
#include "cl/gather/layout.h"

/* Returns the gather of values of this size on such a device. */
struct cls_gather cls_gather_rows_for(const struct cls_caps *caps, const struct cls_spec *spec,
                                      size_t value_bytes);

/* Describes a program whose root file includes gather/rows.cl. */
void cls_gather_rows_program(const struct cls_gather *gather, unsigned key_bytes, const char *root,
                             const char *const *kernels, struct cls_program_spec *program);

/* Returns the number of columns of a row. */
uint64_t cls_gather_columns(const struct cls_gather *gather);

/* Returns the maximum number of columns that one launch moves: at most `wanted`. */
uint64_t cls_gather_max_columns(const struct cls_gather *gather, uint64_t wanted);

/* Returns how the work-groups divide the rows if `width` columns move. */
cls_gather_rows cls_gather_divide(const struct cls_gather *gather, uint64_t count, uint64_t width);

/* Adds the rows as the last argument, and enqueues the launch. */
cl_int cls_gather_run(struct cls_chain *chain, struct cls_launch *launch,
                      const struct cls_gather *gather, clsort_buffer count,
                      const cls_gather_rows *rows);

#endif
