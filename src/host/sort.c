/* sort.c - sorting in the calling thread, for arrays too small to be worth a trip to a device
 *
 * Keys become (rank, index) entries, entries are sorted by LSD radix passes (few of them by insertion),
 * and keys and values are then fetched in the entries' order. */
#include "host/sort.h"

#include "host/key.h"

#include <stdlib.h>
#include <string.h>

struct entry {
    uint64_t rank; /* the ordered key inside the window */
    size_t index;
};

enum {
    INSERTION_MOST = 32,
    STACK_BYTES = 4096, /* up to here no memory is allocated */
    DIGIT_BITS = 8,
    RADIX = 1 << DIGIT_BITS
};

static void insertion_sort(struct entry *entries, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const struct entry entry = entries[i];
        size_t j = i;
        for (; j > 0 && entries[j - 1].rank > entry.rank; j--)
            entries[j] = entries[j - 1];
        entries[j] = entry;
    }
}

/* Returns where the sorted entries are: a or b. */
static struct entry *radix_sort(struct entry *a, struct entry *b, size_t count, uint64_t varying)
{
    for (unsigned shift = 0; shift < 64; shift += DIGIT_BITS) {
        if ((varying >> shift & (RADIX - 1)) == 0)
            continue;
        size_t next[RADIX] = {0}, sum = 0;
        for (size_t i = 0; i < count; i++)
            next[a[i].rank >> shift & (RADIX - 1)]++;
        for (size_t d = 0; d < RADIX; d++) {
            const size_t n = next[d];
            next[d] = sum;
            sum += n;
        }
        for (size_t i = 0; i < count; i++)
            b[next[a[i].rank >> shift & (RADIX - 1)]++] = a[i];
        struct entry *swap = a;
        a = b;
        b = swap;
    }
    return a;
}

/* Puts elements in the order of the entries; copy has room for all of them. */
static void fetch(const struct entry *entries, size_t count, size_t bytes, void *elements,
                  char *copy)
{
    memcpy(copy, elements, count * bytes);
    for (size_t i = 0; i < count; i++)
        memcpy((char *)elements + i * bytes, copy + entries[i].index * bytes, bytes);
}

/* work has room for two arrays of entries, or one and a copy of the wider elements. */
static void sort_in(const struct cls_shape *shape, size_t count, void *keys, void *values,
                    struct entry *work)
{
    uint64_t any = 0, all = UINT64_MAX, last = 0;
    bool sorted = true;
    for (size_t i = 0; i < count; i++) {
        const uint64_t rank = cls_host_rank(shape, (const char *)keys + i * shape->key_bytes);
        work[i] = (struct entry){rank, i};
        any |= rank;
        all &= rank;
        sorted &= rank >= last;
        last = rank;
    }
    if (sorted)
        return;
    struct entry *entries = work;
    if (count <= INSERTION_MOST)
        insertion_sort(entries, count);
    else
        entries = radix_sort(work, work + count, count, any ^ all);
    if (entries != work) {
        memcpy(work, entries, count * sizeof *work);
        entries = work;
    }
    char *copy = (char *)(work + count);
    fetch(entries, count, shape->key_bytes, keys, copy);
    if (shape->value_bytes > 0)
        fetch(entries, count, shape->value_bytes, values, copy);
}

clsort_status cls_host_sort(const struct cls_shape *shape, size_t count, void *keys, void *values)
{
    if (count <= 1)
        return CLSORT_OK;
    struct entry few[STACK_BYTES / sizeof(struct entry)];
    const size_t second =
        shape->value_bytes > sizeof(struct entry) ? shape->value_bytes : sizeof(struct entry);
    if (count > SIZE_MAX / (sizeof(struct entry) + second))
        return CLSORT_E_MEMORY;
    const size_t bytes = count * (sizeof(struct entry) + second);
    struct entry *work = bytes <= sizeof few ? few : malloc(bytes);
    if (!work)
        return CLSORT_E_MEMORY;
    sort_in(shape, count, keys, values, work);
    if (work != few)
        free(work);
    return CLSORT_OK;
}
