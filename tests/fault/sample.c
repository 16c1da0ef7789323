/* sample.c - elements to sort, the expected result, and guarded copies of them in host memory */
#include "sample.h"

#include "reference.h"

#include <stdlib.h>
#include <string.h>

enum { GUARD_BYTES = 64, GUARD = 0xa5 };

static unsigned char *allocate(const struct sweep *sweep, size_t size)
{
    unsigned char *memory = malloc(size);
    SWEEP_CHECK(sweep, memory != NULL);
    return memory;
}

static struct elements allocate_elements(const struct sweep *sweep, size_t key_bytes,
                                         size_t value_bytes)
{
    return (struct elements){allocate(sweep, key_bytes),
                             value_bytes > 0 ? allocate(sweep, value_bytes) : NULL, key_bytes,
                             value_bytes};
}

/* Sorts keys. `copy` is memory for as many keys. */
static void sort_keys(const struct sweep *sweep, const struct reference *reference, size_t count,
                      unsigned char *keys, unsigned char *copy, size_t *order)
{
    const size_t size = reference->type->size;
    SWEEP_CHECK(sweep, reference_order(reference, keys, count, order));
    memcpy(copy, keys, count * size);
    for (size_t i = 0; i < count; i++)
        memcpy(keys + i * size, copy + order[i] * size, size);
}

struct sample sample_make(const struct sweep *sweep, clsort_key key, size_t value_size,
                          size_t count, size_t second)
{
    const struct reference reference = {.type = data_type_of(key)};
    const size_t size = reference.type->size;
    const struct sample sample = {
        .input = allocate_elements(sweep, count * size, count * value_size),
        .sorted = allocate_elements(sweep, count * size, count * value_size)};
    size_t *order = (size_t *)(void *)allocate(sweep, count * sizeof *order);
    SWEEP_CHECK(sweep, data_fill(reference.type, DATA_UNIFORM, 1, sample.input.keys, count));
    if (second > 0) {
        const size_t first = count - second;
        unsigned char *const keys = sample.input.keys, *const copy = sample.sorted.keys;
        sort_keys(sweep, &reference, first, keys, copy, order);
        sort_keys(sweep, &reference, second, keys + first * size, copy, order);
    }
    SWEEP_CHECK(sweep, reference_order(&reference, sample.input.keys, count, order));
    for (size_t i = 0; i < count; i++) {
        memcpy(sample.sorted.keys + i * size, sample.input.keys + order[i] * size, size);
        if (value_size > 0) {
            reference_value(i, value_size, sample.input.values + i * value_size);
            reference_value(order[i], value_size, sample.sorted.values + i * value_size);
        }
    }
    free(order);
    return sample;
}

void sample_free(struct sample *sample)
{
    free(sample->input.keys);
    free(sample->input.values);
    free(sample->sorted.keys);
    free(sample->sorted.values);
}

bool elements_equal(const struct elements *a, const struct elements *b)
{
    return memcmp(a->keys, b->keys, a->key_bytes) == 0 &&
           (a->value_bytes == 0 || memcmp(a->values, b->values, a->value_bytes) == 0);
}

static unsigned char *copy(const struct sweep *sweep, const unsigned char *from, size_t bytes,
                           size_t shift)
{
    if (!from)
        return NULL;
    unsigned char *memory = allocate(sweep, bytes + shift + 2 * GUARD_BYTES);
    memset(memory, GUARD, bytes + shift + 2 * GUARD_BYTES);
    return memcpy(memory + shift + GUARD_BYTES, from, bytes);
}

struct elements elements_copy(const struct sweep *sweep, const struct elements *from, size_t shift)
{
    return (struct elements){copy(sweep, from->keys, from->key_bytes, shift),
                             copy(sweep, from->values, from->value_bytes, shift), from->key_bytes,
                             from->value_bytes};
}

static bool guarded(const unsigned char *data, size_t bytes, size_t shift)
{
    bool intact = true;
    for (size_t i = 0; data && i < shift + GUARD_BYTES; i++)
        intact &= data[-(ptrdiff_t)i - 1] == GUARD;
    for (size_t i = 0; data && i < GUARD_BYTES; i++)
        intact &= data[bytes + i] == GUARD;
    return intact;
}

bool elements_guarded(const struct elements *copy, size_t shift)
{
    return guarded(copy->keys, copy->key_bytes, shift) &&
           guarded(copy->values, copy->value_bytes, shift);
}

void elements_free(struct elements *copy, size_t shift)
{
    free(copy->keys - shift - GUARD_BYTES);
    if (copy->values)
        free(copy->values - shift - GUARD_BYTES);
}
