/* columns_input.h - the table of the columns in device memory */
#ifndef CLSORT_PLAN_COLUMNS_INPUT_H
#define CLSORT_PLAN_COLUMNS_INPUT_H

#include "algo/algo.h"
#include "algo/columns/table.h"

struct cls_columns_input {
    unsigned words;        /* of an element */
    uint64_t record_bytes; /* 0: the columns have a buffer each */
    unsigned buffers;      /* their number; 1 for records */
    cl_mem table; /* parts, then firsts (algo/columns/table.h); NULL: there are no columns */
    uint64_t firsts_offset; /* in the table */
};

/* Sets the order of each column, and where it is. ordered has as many elements as there are columns. */
void cls_columns_order(const struct cls_columns *columns, struct cls_ordered_column *ordered);

/* Sets *input to the columns, whose table it creates. The caller releases it, also after a failure. */
clsort_status cls_columns_input_create(const struct cls_device *device,
                                       const struct cls_columns *columns,
                                       struct cls_columns_input *input);
void cls_columns_input_release(const struct cls_columns_input *input);

/* Sets the table in *arrays. */
void cls_columns_input_set(const struct cls_columns_input *input, struct cls_arrays *arrays);

#endif
