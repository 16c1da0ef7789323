/* reference.c - what a right sort does, written without a line of the library */
#include "reference.h"

#include <stdlib.h>
#include <string.h>

struct item {
    uint64_t rank; /* the part of the key that counts, as a number to sort ascending */
    size_t index;
};

/* NaNs of a numeric sort are data_ordered's largest number; they stay last in descending order. */
static uint64_t rank_of(const struct reference *reference, const void *key)
{
    uint32_t width = (uint32_t)reference->type->size * 8;
    uint64_t all = UINT64_MAX >> (64 - width);
    bool numeric = reference->flags & CLSORT_FLOAT_NUMERIC;
    uint64_t number = data_ordered(reference->type, numeric, key);
    if (reference->flags & CLSORT_DESCENDING && !(numeric && number == all))
        number = all - number;
    uint32_t bits = (reference->end_bit ? reference->end_bit : width) - reference->begin_bit;
    return bits ? number >> reference->begin_bit & UINT64_MAX >> (64 - bits) : 0;
}

/* One stable pass of a radix sort over a byte of the rank. */
static void pass(const struct item *from, struct item *to, size_t count, unsigned shift,
                 const size_t counts[256])
{
    size_t starts[256];
    size_t sum = 0;
    for (size_t d = 0; d < 256; d++) {
        starts[d] = sum;
        sum += counts[d];
    }
    for (size_t i = 0; i < count; i++)
        to[starts[from[i].rank >> shift & 255]++] = from[i];
}

bool reference_order(const struct reference *reference, const void *keys, size_t count,
                     size_t *order)
{
    struct item *items = malloc((2 * count + 1) * sizeof *items);
    if (!items)
        return false;
    size_t counts[8][256] = {{0}};
    for (size_t i = 0; i < count; i++) {
        uint64_t rank = rank_of(reference, (const char *)keys + i * reference->type->size);
        items[i] = (struct item){rank, i};
        for (size_t b = 0; b < 8; b++)
            counts[b][rank >> 8 * b & 255]++;
    }

    struct item *from = items;
    struct item *to = items + count;
    for (unsigned b = 0; b < 8 && count; b++) {
        if (counts[b][from[0].rank >> 8 * b & 255] == count)
            continue;
        pass(from, to, count, 8 * b, counts[b]);
        struct item *swap = from;
        from = to;
        to = swap;
    }
    for (size_t i = 0; i < count; i++)
        order[i] = from[i].index;
    free(items);
    return true;
}

/* -- sorts that are not stable -------------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, const uint8_t *bytes, size_t size)
{
    for (size_t at = 0; at < size; at += 8) {
        uint64_t word = 0;
        memcpy(&word, bytes + at, size - at < 8 ? size - at : 8);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    return hash;
}

/* The element's item: what tells it from others in place of the rank. */
static struct item item_of(const struct reference *reference,
                           const struct reference_elements *elements, size_t index)
{
    size_t size = reference->type->size;
    size_t value_size = elements->value_size;
    uint64_t hash = mix(1, elements->keys + index * size, size);
    return (struct item){mix(hash, elements->values + index * value_size, value_size), index};
}

static int compare_items(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* Where the elements with the rank of the one at `first` of the order end. */
static size_t end_of_rank(const struct reference *reference, const uint8_t *keys, size_t count,
                          const size_t *order, size_t first)
{
    size_t size = reference->type->size, end = first + 1;
    uint64_t rank = rank_of(reference, keys + order[first] * size);
    while (end < count && rank_of(reference, keys + order[end] * size) == rank)
        end++;
    return end;
}

static bool is_same(const struct reference *reference, const struct reference_elements *given,
                    size_t from, const struct reference_elements *found, size_t to)
{
    size_t key = reference->type->size, value = given->value_size;
    return memcmp(given->keys + from * key, found->keys + to * key, key) == 0 &&
           memcmp(given->values + from * value, found->values + to * value, value) == 0;
}

bool reference_follow(const struct reference *reference, const struct reference_elements *given,
                      const struct reference_elements *found, size_t count, size_t *order)
{
    struct item *from = malloc((2 * count + 1) * sizeof *from), *to = from + count;
    if (!from)
        return false;
    for (size_t first = 0, end; first < count; first = end) {
        size_t moved = 0;
        end = end_of_rank(reference, given->keys, count, order, first);
        for (size_t i = first; i < end; i++)
            if (!is_same(reference, given, order[i], found, i)) {
                from[moved] = item_of(reference, given, order[i]);
                to[moved++] = item_of(reference, found, i);
            }
        qsort(from, moved, sizeof *from, compare_items);
        qsort(to, moved, sizeof *to, compare_items);
        for (size_t i = 0; i < moved; i++)
            order[to[i].index] = from[i].index;
    }
    free(from);
    return true;
}

void reference_value(size_t index, size_t size, void *value)
{
    for (size_t at = 0; at < size; at += 8) {
        uint64_t bits = (index + 1) * 0x9e3779b97f4a7c15u + at * 0xbf58476d1ce4e5b9u;
        bits = (bits ^ bits >> 31) * 0x94d049bb133111ebu;
        bits ^= bits >> 29;
        memcpy((char *)value + at, &bits, size - at < 8 ? size - at : 8);
    }
}
