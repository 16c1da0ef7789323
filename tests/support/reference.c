/* reference.c - an independent stable sort, to compare results of clsort with */
#include "reference.h"

#include <stdlib.h>
#include <string.h>

struct item {
    uint64_t rank; /* a number with the order of the compared bits of the key */
    size_t index;
};

/* In numeric order, data_ordered maps NaNs to the largest number. They come last in descending order, too. */
uint64_t reference_rank(const struct reference *reference, const void *key)
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

/* One stable pass of a radix sort by the byte of the rank at `shift`. */
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

/* Stably sorts the items by the lowest `bytes` bytes of the rank. Uses `other` as scratch, and returns the array that
 * has the result. */
static struct item *sort_items(struct item *items, struct item *other, size_t count, size_t bytes)
{
    size_t counts[8][256] = {{0}};
    for (size_t i = 0; i < count; i++) {
        for (size_t b = 0; b < bytes; b++)
            counts[b][items[i].rank >> 8 * b & 255]++;
    }
    struct item *from = items, *to = other;
    for (unsigned b = 0; b < bytes && count; b++) {
        if (counts[b][from[0].rank >> 8 * b & 255] == count)
            continue;
        pass(from, to, count, 8 * b, counts[b]);
        struct item *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

bool reference_order(const struct reference *reference, const void *keys, size_t count,
                     size_t *order)
{
    struct item *items = malloc((2 * count + 1) * sizeof *items);
    if (!items)
        return false;
    for (size_t i = 0; i < count; i++)
        items[i] = (struct item){
            reference_rank(reference, (const char *)keys + i * reference->type->size), i};
    const struct item *sorted = sort_items(items, items + count, count, reference->type->size);
    for (size_t i = 0; i < count; i++)
        order[i] = sorted[i].index;
    free(items);
    return true;
}

/* -- sorts that are not stable -------------------------------------------------------------------- */

void reference_ties(const struct reference *reference, const void *keys, const size_t *order,
                    size_t count, bool *ties)
{
    const char *key = keys;
    uint64_t previous = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t rank = reference_rank(reference, key + order[i] * reference->type->size);
        ties[i] = i > 0 && rank == previous;
        previous = rank;
    }
}

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

/* Returns an item whose rank is a hash of the element. */
static struct item hash_item(const struct reference_elements *elements, size_t index)
{
    const size_t key = elements->key_size, value = elements->value_size;
    const uint64_t hash = mix(1, elements->keys + index * key, key);
    return (struct item){mix(hash, elements->values + index * value, value), index};
}

static int compare_items(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* Sorts as sort_items does, but not stably. */
static struct item *sort_hashes(struct item *items, struct item *other, size_t count)
{
    enum { FEW = 200 }; /* fewer are sorted faster by qsort */
    if (count >= FEW)
        return sort_items(items, other, count, sizeof items->rank);
    qsort(items, count, sizeof *items, compare_items);
    return items;
}

static bool is_equal(const struct reference_elements *given, size_t from,
                     const struct reference_elements *found, size_t to)
{
    const size_t key = given->key_size, value = given->value_size;
    return memcmp(given->keys + from * key, found->keys + to * key, key) == 0 &&
           memcmp(given->values + from * value, found->values + to * value, value) == 0;
}

bool reference_match(const struct reference_elements *given, const struct reference_elements *found,
                     size_t count, const bool *ties, size_t *order)
{
    struct item *items = malloc((3 * count + 1) * sizeof *items);
    struct item *given_items = items, *found_items = items + count, *other = items + 2 * count;
    if (!items)
        return false;
    for (size_t first = 0, end; first < count; first = end) {
        size_t moved = 0;
        end = first;
        do {
            if (!is_equal(given, order[end], found, end)) {
                given_items[moved] = hash_item(given, order[end]);
                found_items[moved++] = hash_item(found, end);
            }
            end++;
        } while (end < count && ties[end]);
        if (moved == 0)
            continue;
        struct item *scratch = other;
        const struct item *from = sort_hashes(given_items, scratch, moved);
        if (from == scratch)
            scratch = given_items;
        const struct item *to = sort_hashes(found_items, scratch, moved);
        for (size_t i = 0; i < moved; i++)
            order[to[i].index] = from[i].index;
    }
    free(items);
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
