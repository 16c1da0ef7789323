/* sort.c - sorts in the calling thread, for arrays too small to benefit from a device
 *
 * Each element becomes an entry of its ordered key and its index. The entries are sorted by merge
 * sort if there are few, otherwise by LSD radix sort. Keys and values are then gathered in the
 * order of the entries. */
#include "host/sort.h"

#include "host/key.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    uint64_t key; /* compared bits of the ordered key */
    size_t index;
};

enum {
    RUN = 16,              /* entries sorted by insertion before the first merge */
    MAX_MERGE_COUNT = 512, /* radix sort is faster for more entries (measured) */
    STACK_BYTES = 4096,    /* work space on the stack; larger sorts allocate memory */
    DIGIT_BITS = 8,
    RADIX = 1 << DIGIT_BITS
};

static void insertion_sort(struct entry *entries, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const struct entry entry = entries[i];
        size_t j = i;
        for (; j > 0 && entries[j - 1].key > entry.key; j--)
            entries[j] = entries[j - 1];
        entries[j] = entry;
    }
}

/* Merges the sorted entries [0, first) and [first, count) of `from`. */
static void merge(const struct entry *from, size_t first, size_t count, struct entry *to)
{
    const struct entry *a = from, *b = from + first;
    const struct entry *const a_end = b, *const b_end = from + count;
    while (a < a_end && b < b_end) {
        /* Compilers turn a conditional into a branch, which is hard to predict. */
        const struct entry *const firsts[] = {a, b};
        const size_t is_b = b->key < a->key;
        *to++ = *firsts[is_b];
        a += 1 - is_b;
        b += is_b;
    }
    memcpy(to, a, (size_t)(a_end - a) * sizeof *a);
    memcpy(to + (a_end - a), b, (size_t)(b_end - b) * sizeof *b);
}

static size_t min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Sorts the entries in a, with b as work space. Returns the array that holds the result: a or b. */
static struct entry *merge_sort(struct entry *a, struct entry *b, size_t count)
{
    for (size_t i = 0; i < count; i += RUN)
        insertion_sort(a + i, min_size(RUN, count - i));
    for (size_t run = RUN; run < count; run *= 2) {
        for (size_t i = 0; i < count; i += 2 * run)
            merge(a + i, min_size(run, count - i), min_size(2 * run, count - i), b + i);
        struct entry *const swap = a;
        a = b;
        b = swap;
    }
    return a;
}

/* Sorts the entries in a, with b as work space. Returns the array that holds the result: a or b. */
static struct entry *radix_sort(struct entry *a, struct entry *b, size_t count, uint64_t varying)
{
    for (unsigned shift = 0; shift < 64; shift += DIGIT_BITS) {
        if ((varying >> shift & (RADIX - 1)) == 0)
            continue;
        size_t next[RADIX] = {0}, sum = 0;
        for (size_t i = 0; i < count; i++)
            next[a[i].key >> shift & (RADIX - 1)]++;
        for (size_t d = 0; d < RADIX; d++) {
            const size_t n = next[d];
            next[d] = sum;
            sum += n;
        }
        for (size_t i = 0; i < count; i++)
            b[next[a[i].key >> shift & (RADIX - 1)]++] = a[i];
        struct entry *swap = a;
        a = b;
        b = swap;
    }
    return a;
}

/* Gathers the elements in the order of the entries; copy is work space for count elements. */
static void gather(const struct entry *entries, size_t count, size_t bytes, void *elements,
                   char *copy)
{
    char *to = elements;
    memcpy(copy, elements, count * bytes);
    /* Compilers inline copies whose size is a constant. */
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

/* `work` has space for two arrays of entries, or for one of them and a copy of the keys or the
 * values. */
static void sort_with_work_space(const struct cls_spec *spec, size_t count, void *keys,
                                 void *values, struct entry *work)
{
    uint64_t any = 0, all = UINT64_MAX, last = 0;
    bool sorted = true;
    for (size_t i = 0; i < count; i++) {
        const uint64_t key = cls_host_ordered_key(spec, (const char *)keys + i * spec->key_bytes);
        work[i] = (struct entry){key, i};
        any |= key;
        all &= key;
        sorted &= key >= last;
        last = key;
    }
    if (sorted)
        return;
    const struct entry *entries = count <= MAX_MERGE_COUNT
                                      ? merge_sort(work, work + count, count)
                                      : radix_sort(work, work + count, count, any ^ all);
    if (entries != work) {
        memcpy(work, entries, count * sizeof *work);
        entries = work;
    }
    char *copy = (char *)(work + count);
    gather(entries, count, spec->key_bytes, keys, copy);
    if (spec->value_bytes > 0)
        gather(entries, count, spec->value_bytes, values, copy);
}

clsort_status cls_host_sort(const struct cls_spec *spec, size_t count, void *keys, void *values)
{
    if (count <= 1)
        return CLSORT_OK;
    struct entry stack[STACK_BYTES / sizeof(struct entry)];
    const size_t second =
        spec->value_bytes > sizeof(struct entry) ? spec->value_bytes : sizeof(struct entry);
    if (count > SIZE_MAX / (sizeof(struct entry) + second))
        return CLSORT_E_MEMORY;
    const size_t bytes = count * (sizeof(struct entry) + second);
    struct entry *work = bytes <= sizeof stack ? stack : malloc(bytes);
    if (!work)
        return CLSORT_E_MEMORY;
    sort_with_work_space(spec, count, keys, values, work);
    if (work != stack)
        free(work);
    return CLSORT_OK;
}
