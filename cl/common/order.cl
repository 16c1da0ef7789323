// order.cl - comparison of two keys
//
// In a custom order (KEY_ORDER 3) the caller's source defines the type clsort_custom_t and the
// function clsort_less; src/device/program.c puts it before the program. Columns (KEY_ORDER 4) are
// compared where they are, by the functions of neighbours.cl. In other orders keys compare as in
// keys.cl.
#ifndef CLSORT_COMMON_ORDER_CL
#define CLSORT_COMMON_ORDER_CL

#include "common/keys.cl"

// What precedes() needs in addition to the keys. A kernel that compares keys has ORDER as its last
// parameters, and initializes an order_t by ORDER_ARGUMENTS. The host sets the arguments by
// cls_arg_order.
typedef struct {
#if KEY_ORDER == 3
    uint unused;
#elif KEY_ORDER == 4
    uint words; // of an element (columns/words.cl)
#else
    key_t flip;   // as in keys.cl
    key_t window; // the bits of the ordered keys that are compared
#endif
} order_t;

#if KEY_ORDER == 3
#define ORDER const uint order_unused
#define ORDER_ARGUMENTS                                                                            \
    {                                                                                              \
        order_unused                                                                               \
    }
#elif KEY_ORDER == 4
#define ORDER const uint order_words
#define ORDER_ARGUMENTS                                                                            \
    {                                                                                              \
        order_words                                                                                \
    }
#else
#define ORDER const key_t order_flip, const key_t order_window
#define ORDER_ARGUMENTS                                                                            \
    {                                                                                              \
        order_flip, order_window                                                                   \
    }
#endif

#if KEY_ORDER == 3
typedef char clsort_key_type_has_not_key_size_bytes[sizeof(clsort_custom_t) == KEY_BYTES ? 1 : -1];
#endif

#if KEY_ORDER != 4
// Returns whether key a must come before key b.
static inline bool precedes(const key_t a, const key_t b, const order_t order)
{
#if KEY_ORDER == 3
    // The copies give the caller's type its alignment, which the arrays may lack.
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
#endif

#endif
