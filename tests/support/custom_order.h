/* custom_order.h - custom orders of keys for tests, each in OpenCL C and in C */
#ifndef CLSORT_TESTS_CUSTOM_ORDER_H
#define CLSORT_TESTS_CUSTOM_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct custom_order {
    const char *name;
    size_t key_size;
    const char *prelude, *key_type, *less; /* as in clsort_desc */
    /* The same relation as `less`, in C. NULL: `less` is not a strict weak order. */
    bool (*precedes)(const void *a, const void *b);
    /* Turns a key of random bytes into a valid key. Many of these are equal. */
    void (*set)(uint64_t random, void *key);
};

/* Strict weak orders, and relations that are not. The last entry of each list has no name. */
extern const struct custom_order custom_orders[], custom_orders_invalid[];

/* Returns NULL if neither list has an order of this name. */
const struct custom_order *custom_order_find(const char *name);

void custom_order_fill(const struct custom_order *order, uint64_t seed, void *keys, size_t count);

/* A stable sort: indexes[j] becomes the index of the key that is j-th in order. Returns false if memory runs out. */
bool custom_order_sort(const struct custom_order *order, const void *keys, size_t count,
                       size_t *indexes);

#endif
