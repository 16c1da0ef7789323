/* unique.c - --unique: drops repeats from sorted keys */
#include "unique.h"

#include <string.h>

/* Keys of a constant size whose order is total: equal keys have equal bits. Each key is stored behind
 * the ones that are kept, which needs no branch, and overwritten if it is a repeat. */
#define KEEP_FIRST(type)                                                                           \
    static size_t keep_first_##type(type *keys, size_t count)                                      \
    {                                                                                              \
        size_t kept = 1;                                                                           \
        for (size_t i = 1; i < count; i++) {                                                       \
            const type key = keys[i];                                                              \
            const bool differs = key != keys[kept - 1];                                            \
            keys[kept] = key;                                                                      \
            kept += differs;                                                                       \
        }                                                                                          \
        return kept;                                                                               \
    }

KEEP_FIRST(uint8_t)
KEEP_FIRST(uint16_t)
KEEP_FIRST(uint32_t)
KEEP_FIRST(uint64_t)

/* Does the same for floats in numeric order, in which equal keys may have different bits. */
static size_t keep_first_number(const struct data_type *type, uint32_t flags, char *keys,
                                size_t count)
{
    const size_t size = type->size;
    uint64_t last = data_order(type, flags, keys);
    size_t kept = 1;

    for (size_t i = 1; i < count; i++) {
        const uint64_t order = data_order(type, flags, keys + i * size);

        if (order == last)
            continue;
        memmove(keys + kept * size, keys + i * size, size);
        last = order;
        kept++;
    }
    return kept;
}

size_t unique_keys(const struct data_type *type, uint32_t flags, void *keys, size_t count)
{
    if (count == 0)
        return 0;
    if (flags & CLSORT_FLOAT_NUMERIC)
        return keep_first_number(type, flags, keys, count);
    switch (type->size) {
    case 1:
        return keep_first_uint8_t(keys, count);
    case 2:
        return keep_first_uint16_t(keys, count);
    case 4:
        return keep_first_uint32_t(keys, count);
    default:
        return keep_first_uint64_t(keys, count);
    }
}
