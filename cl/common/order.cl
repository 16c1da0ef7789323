// order.cl - which of two keys comes first, for the sorts that compare
//
// In a custom order (KEY_ORDER 3) the caller's text stands before all files: the type clsort_custom_t and the
// function clsort_less (src/device/program.c). Else keys compare as in keys.cl, which has to be there.
#ifndef CLSORT_COMMON_ORDER_CL
#define CLSORT_COMMON_ORDER_CL

#include "common/keys.cl"

// What precedes() needs to know beside the keys: ORDER among a kernel's parameters, order in its code.
typedef struct {
#if KEY_ORDER == 3
    uint unused;
#else
    key_t flip;
    key_t window; // the bits that are compared
#endif
} order_t;

#if KEY_ORDER == 3
#define ORDER const uint order_a
#define ORDER_ARGUMENTS                                                                            \
    {                                                                                              \
        order_a                                                                                    \
    }
#else
#define ORDER const key_t order_a, const key_t order_b
#define ORDER_ARGUMENTS                                                                            \
    {                                                                                              \
        order_a, order_b                                                                           \
    }
#endif

static inline bool precedes(const key_t a, const key_t b, const order_t order)
{
#if KEY_ORDER == 3
    // The caller's type may want more alignment than the arrays have.
    union {
        key_t raw;
        clsort_custom_t key;
    } x, y;
    x.raw = a;
    y.raw = b;
    return clsort_less(&x.key, &y.key);
#else
    return (ordered(a, order.flip) & order.window) < (ordered(b, order.flip) & order.window);
#endif
}

#if KEY_ORDER == 3
typedef char clsort_key_type_has_not_key_size_bytes[sizeof(clsort_custom_t) == KEY_BYTES ? 1 : -1];
#endif

#endif
