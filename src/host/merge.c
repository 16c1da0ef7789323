/* merge.c - merges two sorted parts of a host array */
#include "host/merge.h"

#include "host/key.h"

#include <stdlib.h>
#include <string.h>

/* Elements in host memory; values is unused if the sort spec has none. */
struct elements {
    const struct cls_spec *spec;
    char *keys, *values;
};

static uint64_t ordered_key_at(const struct elements *elements, size_t i)
{
    const struct cls_spec *spec = elements->spec;
    return cls_host_ordered_key(spec, elements->keys + i * spec->key_bytes);
}

static void copy(const struct elements *from, size_t i, const struct elements *to, size_t j,
                 size_t count)
{
    const size_t key = from->spec->key_bytes, value = from->spec->value_bytes;
    memcpy(to->keys + j * key, from->keys + i * key, count * key);
    if (value > 0)
        memcpy(to->values + j * value, from->values + i * value, count * value);
}

clsort_status cls_host_merge(const struct cls_spec *spec, size_t middle, size_t count, void *keys,
                             void *values)
{
    const struct elements all = {spec, keys, values};
    /* Copying the left part is enough: the output never overtakes the right part. */
    char *work = malloc(middle * (spec->key_bytes + spec->value_bytes));
    if (!work)
        return CLSORT_E_MEMORY;
    const struct elements left = {spec, work, work + middle * spec->key_bytes};
    copy(&all, 0, &left, 0, middle);

    size_t i = 0, j = middle, out = 0;
    while (i < middle && j < count) {
        const uint64_t a = ordered_key_at(&left, i), b = ordered_key_at(&all, j);
        if (a <= b)
            copy(&left, i++, &all, out++, 1);
        else
            copy(&all, j++, &all, out++, 1);
    }
    copy(&left, i, &all, out, middle - i);
    free(work);
    return CLSORT_OK;
}
