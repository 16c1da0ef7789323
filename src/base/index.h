/* index.h - indexes of 4 or 8 bytes in memory */
#ifndef CLSORT_BASE_INDEX_H
#define CLSORT_BASE_INDEX_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t cls_load_index(const void *at, size_t bytes)
{
    uint32_t narrow;
    uint64_t wide;
    if (bytes == sizeof wide) {
        memcpy(&wide, at, sizeof wide);
        return wide;
    }
    memcpy(&narrow, at, sizeof narrow);
    return narrow;
}

static inline void cls_store_index(uint64_t index, size_t bytes, void *at)
{
    const uint32_t narrow = (uint32_t)index;
    memcpy(at, bytes == sizeof narrow ? (const void *)&narrow : (const void *)&index, bytes);
}

/* Stores the numbers from 0 on. */
static inline void cls_number_elements(size_t bytes, size_t count, char *at)
{
    for (size_t i = 0; i < count; i++)
        cls_store_index(i, bytes, at + i * bytes);
}

#endif
