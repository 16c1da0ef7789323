/* operation_io.h - takes the arrays of an operation from clsort_io, and sets them there */
#ifndef CLSORT_PLAN_OPERATION_IO_H
#define CLSORT_PLAN_OPERATION_IO_H

#include "algo/algo.h"

/* Members of struct cls_operation_info. */
clsort_status cls_read_sort_io(const clsort_io *io, const struct cls_spec *spec,
                               struct cls_arrays *arrays);
clsort_status cls_read_merge_io(const clsort_io *io, const struct cls_spec *spec,
                                struct cls_arrays *arrays);
clsort_status cls_read_argsort_io(const clsort_io *io, const struct cls_spec *spec,
                                  struct cls_arrays *arrays);
clsort_status cls_read_gather_io(const clsort_io *io, const struct cls_spec *spec,
                                 struct cls_arrays *arrays);
clsort_status cls_read_select_io(const clsort_io *io, const struct cls_spec *spec,
                                 struct cls_arrays *arrays);
clsort_status cls_read_nth_io(const clsort_io *io, const struct cls_spec *spec,
                              struct cls_arrays *arrays);
clsort_status cls_read_unique_io(const clsort_io *io, const struct cls_spec *spec,
                                 struct cls_arrays *arrays);
clsort_status cls_read_check_io(const clsort_io *io, const struct cls_spec *spec,
                                struct cls_arrays *arrays);
void cls_write_merge_io(clsort_io *io, const struct cls_spec *spec);
void cls_write_argsort_io(clsort_io *io, const struct cls_spec *spec);
void cls_write_gather_io(clsort_io *io, const struct cls_spec *spec);
void cls_write_check_io(clsort_io *io, const struct cls_spec *spec);

/* Returns CLSORT_E_COUNT if the selection of k, as in clsort_io, exceeds count elements. */
clsort_status cls_check_selected(const struct cls_spec *spec, size_t count, size_t k);

/* Returns the number of elements of the second input that cls_write_merge_io makes of count. */
uint64_t cls_second_count(uint64_t count);

#endif
