/* orders.h - orders of keys, callers' own in OpenCL C and once more in C: keys for them, and a sort by them */
#ifndef CLSORT_TESTS_ORDERS_H
#define CLSORT_TESTS_ORDERS_H

#include "data.h"

#include <stdbool.h>

struct order {
    const char *name;
    clsort_key key;
    uint32_t flags;
    size_t key_size;
    /* Of CLSORT_CUSTOM alone, the last two in C. before is NULL where less is no order. */
    const char *prelude, *key_type, *less;
    bool (*before)(const void *a, const void *b);
    void (*set)(uint64_t random, void *key); /* makes random bytes a key of this order */
};

/* Callers' orders; the last has no name. Those that are no orders are apart. */
extern const struct order orders_custom[], orders_wrong[];

/* One of the library's. */
struct order order_of(clsort_key key, uint32_t flags);

/* Fills keys, of which many are equal. False when the test cannot. */
bool order_fill(const struct order *order, uint64_t seed, void *keys, size_t count);

/* places[j] becomes the index of the key that comes j-th in a stable sort. False when memory runs out. */
bool order_sort(const struct order *order, const void *keys, size_t count, size_t *places);

#endif
