/* sample.h - data to sort, and what it is when sorted */
#ifndef CLSORT_TESTS_FAULT_SAMPLE_H
#define CLSORT_TESTS_FAULT_SAMPLE_H

#include "sweep.h"

#include <stddef.h>

/* Elements in host memory; values is NULL without any. */
struct elements {
    unsigned char *keys, *values;
    size_t key_bytes, value_bytes; /* of all */
};

struct sample {
    size_t count;
    struct elements input, sorted;
};

/* Uniform keys, ascending when sorted. The last `second` of them, and those before, are in order already: two inputs
 * of a merge, unless it is 0. Freed by the caller with sample_free. */
struct sample sample_make(const struct sweep *sweep, clsort_key key, size_t value_size,
                          size_t count, size_t second);
void sample_free(struct sample *sample);

bool elements_equal(const struct elements *a, const struct elements *b);

/* A copy in new memory, which begins `shift` bytes behind where memory is aligned and has guards around it. */
struct elements elements_copy(const struct sweep *sweep, const struct elements *from, size_t shift);
/* Whether the guards of a copy are as they were. */
bool elements_guarded(const struct elements *copy, size_t shift);
void elements_free(struct elements *copy, size_t shift);

#endif
