/* random_columns.h - random columns, elements that have them, and the order of these
 *
 * An element is a record, or all columns of an element together if these have a buffer each. */
#ifndef CLSORT_TESTS_RANDOM_COLUMNS_H
#define CLSORT_TESTS_RANDOM_COLUMNS_H

#include "bits.h"

#include <clsort.h>
#include <stdbool.h>
#include <stdint.h>

struct random_columns {
    clsort_column columns[CLSORT_MAX_COLUMNS];
    size_t column_count;
    bool has_buffers;
    size_t element_size; /* of a record, or of all columns */
};

/* Returns a random number below `end`. */
static inline size_t random_below(uint64_t *random, size_t end)
{
    return (size_t)(bits_mix(*random += BITS_GAMMA) % end);
}

/* Draws columns, records or byte strings, and sets the members of *desc that describe them. */
void random_columns_draw(uint64_t *random, clsort_desc *desc, struct random_columns *layout);

/* Returns a number of elements: few, near a multiple of 1024, near a power of two or any other. */
size_t random_columns_count(uint64_t *random, unsigned max_power);

void random_columns_fill(uint64_t *random, const struct random_columns *layout, uint8_t *elements,
                         size_t count);

size_t random_columns_size(const clsort_column *column);

/* Returns where column c of an element is. */
const uint8_t *random_columns_at(const struct random_columns *layout, const uint8_t *elements,
                                 size_t c, size_t i);

/* Returns a negative number if element a precedes element b, 0 if they are equal, and else a positive number. */
int random_columns_compare(const struct random_columns *layout, const uint8_t *elements, size_t a,
                           size_t b);

/* Sets order[0] to order[count - 1] to the indexes of the elements in their order. It has space for 2 * count
 * numbers. */
void random_columns_order(const struct random_columns *layout, const uint8_t *elements,
                          size_t count, size_t *order);

#endif
