/* arguments.h - kernel arguments whose type or presence depends on the sort spec
 *
 * The kernels declare them by macros of cl/common/types.cl, arrays.cl, order.cl and device_count.cl. */
#ifndef CLSORT_ALGO_COMMON_ARGUMENTS_H
#define CLSORT_ALGO_COMMON_ARGUMENTS_H

#include "algo/algo.h"

/* Add an argument of the type key_t or index_t. */
void cls_arg_key(struct cls_launch *launch, const struct cls_spec *spec, uint64_t key);
void cls_arg_index(struct cls_launch *launch, const struct cls_spec *spec, uint64_t index);

/* Adds the arguments that a kernel declares by ORDER. */
void cls_arg_order(struct cls_launch *launch, const struct cls_spec *spec);

/* Elements that are compared by columns. */
struct cls_elements {
    const clsort_buffer *inputs; /* the records, or a buffer for each column */
    unsigned input_count;
    bool has_buffers;            /* columns have a buffer each */
    clsort_buffer parts, firsts; /* the table of the columns (algo/columns/table.h) */
};

/* Adds the arguments that a kernel declares by ELEMENT_ARGUMENTS. */
void cls_arg_elements(struct cls_launch *launch, const struct cls_elements *elements);

/* Adds the arguments that a kernel declares by ELEMENTS_IN: the keys or, in an order of columns, the elements. */
void cls_arg_elements_in(struct cls_launch *launch, const struct cls_sort *sort);

/* Add the argument that a kernel declares by VALUE_BUFFER or VALUE_INPUT, unless the sort spec has
 * no values, or no input values. */
void cls_arg_values(struct cls_launch *launch, const struct cls_spec *spec, clsort_buffer buffer);
void cls_arg_input_values(struct cls_launch *launch, const struct cls_spec *spec,
                          clsort_buffer buffer);

/* Add the arguments that a kernel declares by KEY_ARRAYS and VALUE_ARRAYS: the input, the output
 * and the scratch regions CLS_KEYS and CLS_VALUES. */
void cls_arg_key_arrays(struct cls_launch *launch, const struct cls_sort *sort);
void cls_arg_value_arrays(struct cls_launch *launch, const struct cls_sort *sort);

/* Adds the argument that a kernel declares by COUNT_ARGUMENT, unless the host knows the
 * count. */
void cls_arg_count(struct cls_launch *launch, const struct cls_sort *sort);

#endif
