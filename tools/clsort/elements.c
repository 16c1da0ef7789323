/* elements.c - converts elements of .npy files to keys that clsort sorts, and back */
#include "elements.h"

#include <byteswap.h>

static void swap_bytes(const struct npy_array *array, void *elements, size_t count)
{
    uint16_t *u16 = elements;
    uint32_t *u32 = elements;
    uint64_t *u64 = elements;

    if (!array->is_swapped)
        return;
    switch (array->type->size) {
    case 2:
        for (size_t i = 0; i < count; i++)
            u16[i] = bswap_16(u16[i]);
        break;
    case 4:
        for (size_t i = 0; i < count; i++)
            u32[i] = bswap_32(u32[i]);
        break;
    default:
        for (size_t i = 0; i < count; i++)
            u64[i] = bswap_64(u64[i]);
        break;
    }
}

/* Adds a number modulo 2^64 to times that are sorted in ascending order. Subtracting 1 makes NaT,
 * the smallest i64, the largest, and keeps the order of all others. */
static void add_to_times(const struct npy_array *array, uint32_t flags, void *elements,
                         size_t count, uint64_t addend)
{
    uint64_t *times = elements;

    if (!array->is_time || flags & CLSORT_DESCENDING)
        return;
    for (size_t i = 0; i < count; i++)
        times[i] += addend;
}

void elements_to_keys(const struct npy_array *array, uint32_t flags, void *elements, size_t count)
{
    swap_bytes(array, elements, count);
    add_to_times(array, flags, elements, count, UINT64_MAX);
}

void elements_from_keys(const struct npy_array *array, uint32_t flags, void *keys, size_t count)
{
    add_to_times(array, flags, keys, count, 1);
    swap_bytes(array, keys, count);
}
