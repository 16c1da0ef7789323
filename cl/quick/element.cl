// element.cl - an element in private memory, and moves of elements
#ifndef CLSORT_QUICK_ELEMENT_CL
#define CLSORT_QUICK_ELEMENT_CL

#include "common/elements.cl"
#include "common/order.cl"

typedef struct {
    key_t key;
    VALUES(value_t value;)
} element_t;

// (Writes to *x instead of returning it: the latter makes Clang emit an intrinsic function that
// Oclgrind 21.10 does not support.)
static inline void load_element(const elements_t from, const index_t i, element_t *x)
{
    x->key = from.keys[i];
    VALUES(x->value = from.values[i];)
}

static inline void store_element(const element_t x, const elements_t to, const index_t i)
{
    to.keys[i] = x.key;
    VALUES(to.values[i] = x.value;)
}

static inline void move_element(const elements_t elements, const index_t from, const index_t to)
{
    elements.keys[to] = elements.keys[from];
    VALUES(elements.values[to] = elements.values[from];)
}

static inline void swap_elements(const elements_t elements, const index_t i, const index_t j)
{
    element_t x;
    load_element(elements, i, &x);
    move_element(elements, j, i);
    store_element(x, elements, j);
}

#endif
