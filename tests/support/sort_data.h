/* sort_data.h - the input of a sort case in host memory, and the expected output */
#ifndef CLSORT_TESTS_SORT_DATA_H
#define CLSORT_TESTS_SORT_DATA_H

#include "sort_case.h"

struct sort_data {
    size_t count; /* of all inputs; those of the second follow those of the first */
    size_t key_size, value_size;
    uint8_t *keys, *values;
    size_t *order; /* the index of the element that belongs at each output position */
    uint8_t *out_keys, *out_values; /* the elements in this order */
};

/* Generates the input and sorts it by the reference. Returns false if memory runs out; sort_data_free is needed then,
 * too. */
bool sort_data_create(struct sort_data *data, const struct sort_case *sort);
void sort_data_free(struct sort_data *data);

/* Compares the output with the expected one. If they differ, writes the first difference to `why`. */
bool sort_data_check(const struct sort_data *data, const struct sort_case *sort,
                     const uint8_t *keys, const uint8_t *values, char *why, size_t why_size);

/* Returns the name of an operation in the text of a case; NULL past the last. */
const char *sort_operation_name(size_t operation);

/* Returns whether the operation has a second input. Such operations have no output in place. */
bool sort_operation_has_two_inputs(size_t operation);

/* Returns whether the output values are the indexes of the elements, and there are no input values. */
bool sort_operation_has_indexes(size_t operation);

#endif
