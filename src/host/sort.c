/* sort.c - sorting in the calling thread, for arrays too small to be worth a trip to a device
 *
 * Keys become (rank, index) entries, entries are sorted by LSD radix passes (few of them by merging), and keys
 * and values are then fetched in the entries' order. */
#include "host/sort.h"

#include "host/key.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    uint64_t rank; /* the ordered key inside the window */
    size_t index;
};

enum {
    RUN = 16,           /* entries that are sorted by insertion */
    MERGE_MAX = 512,    /* from here on counters are worth their clearing (measured) */
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

/* Merges the first entries with those that follow them. */
static void merge(const struct entry *from, size_t first, size_t count, struct entry *to)
{
    const struct entry *a = from, *b = from + first;
    const struct entry *const a_end = b, *const b_end = from + count;
    while (a < a_end && b < b_end) {
        /* A look-up, since which one goes first no branch can foretell, and compilers make one of a choice. */
        const struct entry *const firsts[] = {a, b};
        const size_t is_b = b->rank < a->rank;
        *to++ = *firsts[is_b];
        a += 1 - is_b;
        b += is_b;
    }
    memcpy(to, a, (size_t)(a_end - a) * sizeof *a);
    memcpy(to + (a_end - a), b, (size_t)(b_end - b) * sizeof *b);
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Returns where the sorted entries are: a or b. */
static struct entry *merge_sort(struct entry *a, struct entry *b, size_t count)
{
    for (size_t i = 0; i < count; i += RUN)
        insertion_sort(a + i, smaller(RUN, count - i));
    for (size_t run = RUN; run < count; run *= 2) {
        for (size_t i = 0; i < count; i += 2 * run)
            merge(a + i, smaller(run, count - i), smaller(2 * run, count - i), b + i);
        struct entry *const swap = a;
        a = b;
        b = swap;
    }
    return a;
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
    char *to = elements;
    memcpy(copy, elements, count * bytes);
    /* What compilers know the size of they copy without a call. */
    if (bytes == 4)
        for (size_t i = 0; i < count; i++)
            memcpy(to + 4 * i, copy + 4 * entries[i].index, 4);
    else if (bytes == 8)
        for (size_t i = 0; i < count; i++)
            memcpy(to + 8 * i, copy + 8 * entries[i].index, 8);
    else
        for (size_t i = 0; i < count; i++)
            memcpy(to + i * bytes, copy + entries[i].index * bytes, bytes);
}

/* work has room for two arrays of entries, or one and a copy of the wider elements. */
static void sort_in(const struct cls_spec *spec, size_t count, void *keys, void *values,
                    struct entry *work)
{
    uint64_t any = 0, all = UINT64_MAX, last = 0;
    bool sorted = true;
    for (size_t i = 0; i < count; i++) {
        const uint64_t rank = cls_host_rank(spec, (const char *)keys + i * spec->key_bytes);
        work[i] = (struct entry){rank, i};
        any |= rank;
        all &= rank;
        sorted &= rank >= last;
        last = rank;
    }
    if (sorted)
        return;
    const struct entry *entries = count <= MERGE_MAX
                                      ? merge_sort(work, work + count, count)
                                      : radix_sort(work, work + count, count, any ^ all);
    if (entries != work) {
        memcpy(work, entries, count * sizeof *work);
        entries = work;
    }
    char *copy = (char *)(work + count);
    fetch(entries, count, spec->key_bytes, keys, copy);
    if (spec->value_bytes > 0)
        fetch(entries, count, spec->value_bytes, values, copy);
}

clsort_status cls_host_sort(const struct cls_spec *spec, size_t count, void *keys, void *values)
{
    if (count <= 1)
        return CLSORT_OK;
    struct entry few[STACK_BYTES / sizeof(struct entry)];
    const size_t second =
        spec->value_bytes > sizeof(struct entry) ? spec->value_bytes : sizeof(struct entry);
    if (count > SIZE_MAX / (sizeof(struct entry) + second))
        return CLSORT_E_MEMORY;
    const size_t bytes = count * (sizeof(struct entry) + second);
    struct entry *work = bytes <= sizeof few ? few : malloc(bytes);
    if (!work)
        return CLSORT_E_MEMORY;
    sort_in(spec, count, keys, values, work);
    if (work != few)
        free(work);
    return CLSORT_OK;
}
