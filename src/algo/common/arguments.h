/* arguments.h - kernel arguments whose types or presence depend on the sort spec, as the macros of cl/common/types.cl
 * and cl/common/order.cl declare them */
#ifndef CLSORT_ALGO_COMMON_ARGUMENTS_H
#define CLSORT_ALGO_COMMON_ARGUMENTS_H

#include "algo/algo.h"

void cls_arg_key(struct cls_launch *launch, const struct cls_spec *spec, uint64_t key);
void cls_arg_index(struct cls_launch *launch, const struct cls_spec *spec, uint64_t index);

/* ORDER in order.cl. */
void cls_arg_order(struct cls_launch *launch, const struct cls_spec *spec);

/* VALUE_BUFFER and VALUE_INPUT in types.cl: nothing where there are no values, or no input values. */
void cls_arg_values(struct cls_launch *launch, const struct cls_spec *spec, clsort_buffer buffer);
void cls_arg_input_values(struct cls_launch *launch, const struct cls_spec *spec,
                          clsort_buffer buffer);

#endif
