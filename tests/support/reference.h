/* reference.h - an independent stable sort, to compare results of clsort with */
#ifndef CLSORT_TESTS_REFERENCE_H
#define CLSORT_TESTS_REFERENCE_H

#include "data.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A built-in order, as in clsort_desc. */
struct reference {
    const struct data_type *type;
    uint32_t flags; /* CLSORT_DESCENDING | CLSORT_FLOAT_NUMERIC */
    uint32_t begin_bit;
    uint32_t end_bit;
};

/* Returns a number that is less for a key that precedes another one, and the same for equal keys. */
uint64_t reference_rank(const struct reference *reference, const void *key);

/* A stable sort: order[j] becomes the index of the key that is j-th in order. Returns false if memory runs out. */
bool reference_order(const struct reference *reference, const void *keys, size_t count,
                     size_t *order);

/* ties[j] becomes whether the keys order[j - 1] and order[j] are equal; false for j == 0. */
void reference_ties(const struct reference *reference, const void *keys, const size_t *order,
                    size_t count, bool *ties);

struct reference_elements {
    const uint8_t *keys;
    const uint8_t *values;
    size_t key_size, value_size;
};

/* Prepares the check of a sort that is not stable. `order` and `ties` are those of a stable sort of the given
 * elements. Within each run of ties, permutes `order` so that order[j] is the index of an element equal to the
 * found element j, as far as there is one. Returns false if memory runs out. */
bool reference_match(const struct reference_elements *given, const struct reference_elements *found,
                     size_t count, const bool *ties, size_t *order);

/* Generates the index-th value of size bytes. Values of 8 bytes and more are distinct, so that they identify the
 * element. */
void reference_value(size_t index, size_t size, void *value);

#endif
