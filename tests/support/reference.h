/* reference.h - what a right sort does, written without a line of the library */
#ifndef CLSORT_TESTS_REFERENCE_H
#define CLSORT_TESTS_REFERENCE_H

#include "data.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The order of a sort. */
struct reference {
    const struct data_type *type;
    uint32_t flags;     /* CLSORT_DESCENDING | CLSORT_FLOAT_NUMERIC */
    uint32_t begin_bit; /* as in clsort_desc */
    uint32_t end_bit;
};

/* order[j] becomes the index of the key that comes j-th. False when memory runs out. */
bool reference_order(const struct reference *reference, const void *keys, size_t count,
                     size_t *order);

/* Keys with their values of value_size bytes; none for 0. */
struct reference_elements {
    const uint8_t *keys;
    const uint8_t *values;
    size_t value_size;
};

/* For sorts that are not stable: in order, which reference_order has made, given elements of equal rank change places
 * so that each comes where an element like it was found. What is not found stays somewhere. False when memory
 * runs out. */
bool reference_follow(const struct reference *reference, const struct reference_elements *given,
                      const struct reference_elements *found, size_t count, size_t *order);

/* The index-th value, size bytes that tell where it came from. */
void reference_value(size_t index, size_t size, void *value);

#endif
