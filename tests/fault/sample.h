/* sample.h - elements to sort, the expected result, and guarded copies of them in host memory */
#ifndef CLSORT_TESTS_FAULT_SAMPLE_H
#define CLSORT_TESTS_FAULT_SAMPLE_H

#include "sweep.h"

#include <stddef.h>

/* Elements in host memory. values is NULL for keys without values. */
struct elements {
    unsigned char *keys, *values;
    size_t key_bytes, value_bytes; /* of the whole arrays */
};

struct sample {
    struct elements input, sorted;
};

/* Makes uniform keys, with values, and the same elements in ascending order. If second is not 0, the input consists of
 * two sorted inputs of a merge, of which the second has `second` elements. The caller frees the sample with
 * sample_free. */
struct sample sample_make(const struct sweep *sweep, clsort_key key, size_t value_size,
                          size_t count, size_t second);
void sample_free(struct sample *sample);

bool elements_equal(const struct elements *a, const struct elements *b);

/* Returns a copy between guard bytes. The arrays start `shift` bytes after an aligned address. */
struct elements elements_copy(const struct sweep *sweep, const struct elements *from, size_t shift);
/* Returns whether the guard bytes of a copy are unchanged. */
bool elements_guarded(const struct elements *copy, size_t shift);
void elements_free(struct elements *copy, size_t shift);

#endif
