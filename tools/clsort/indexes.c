/* indexes.c - the permutation that --argsort writes */
#include "indexes.h"

#include "bits.h"

#include <string.h>

size_t indexes_size(size_t length)
{
    return length == 0 || length - 1 <= UINT32_MAX ? sizeof(uint32_t) : sizeof(uint64_t);
}

void indexes_widen(uint64_t *to, const void *from, size_t size, size_t count)
{
    const uint32_t *narrow = from;

    if (size == sizeof *to)
        memcpy(to, from, count * sizeof *to);
    else
        for (size_t i = 0; i < count; i++)
            to[i] = narrow[i];
}

void indexes_narrow(void *to, size_t size, const uint64_t *from, size_t count)
{
    if (size == sizeof *from)
        memcpy(to, from, count * sizeof *from);
    else
        for (size_t i = 0; i < count; i++) {
            const uint32_t narrow = (uint32_t)from[i];

            memcpy((char *)to + i * sizeof narrow, &narrow, sizeof narrow); /* memory of any type */
        }
}

void indexes_add(void *indexes, size_t size, size_t count, uint64_t number)
{
    char *at = indexes;

    for (size_t i = 0; i < count; i++, at += size) {
        const uint64_t sum = bits_load(at, size) + number;

        indexes_narrow(at, size, &sum, 1);
    }
}
