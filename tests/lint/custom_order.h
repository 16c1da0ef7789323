/* custom_order.h - a custom order of keys of KEY_BYTES bytes, as src/device/program.c puts it before a program */
#ifndef CLSORT_TESTS_LINT_CUSTOM_ORDER_H
#define CLSORT_TESTS_LINT_CUSTOM_ORDER_H

typedef struct {
    uchar x[KEY_BYTES];
} clsort_custom_t;

static inline bool clsort_less(const clsort_custom_t *a, const clsort_custom_t *b)
{
    return a->x[0] < b->x[0];
}

#define key_t clsort_key_t
#define value_t clsort_value_t

#endif
