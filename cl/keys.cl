// keys.cl - keys as unsigned numbers of the same order
//
// KEY_ORDER    0: integers, 1: floats in IEEE total order, 2: floats with -0 == +0 and NaNs last; 3: custom,
//              where keys are no numbers and this file has nothing to say
//
// Keys are never changed, only looked at through ordered(): what numeric order folds together could not
// be told apart again. Direction and sign are one XOR with `flip`: 0 for ascending unsigned, the sign bit
// for ascending signed and float keys, and the complement of those for descending ones.

#if !defined(KEY_BYTES) || !defined(KEY_ORDER)
#error "keys.cl needs types.cl"
#endif

#if KEY_ORDER != 3

#define KEY_BITS (8 * KEY_BYTES)
#define KEY_SIGN ((key_t)((key_t)1 << (KEY_BITS - 1)))
#define KEY_REST ((key_t)(KEY_SIGN - 1))
#if KEY_BYTES == 2
#define KEY_INFINITY ((key_t)0x7c00)
#elif KEY_BYTES == 4
#define KEY_INFINITY ((key_t)0x7f800000)
#elif KEY_BYTES == 8
#define KEY_INFINITY ((key_t)0x7ff0000000000000)
#endif

static inline key_t ordered(key_t key, const key_t flip)
{
#if KEY_ORDER == 2
    if ((key & KEY_REST) > KEY_INFINITY)
        return (key_t) ~(key_t)0;
    if ((key & KEY_REST) == 0)
        key = 0;
#endif
#if KEY_ORDER > 0
    // Negative floats count downwards: flip their other bits too.
    return key ^ flip ^ ((key_t)((signed_key_t)key >> (KEY_BITS - 1)) & KEY_REST);
#else
    return key ^ flip;
#endif
}

#if KEY_ORDER != 2
// ordered(), undone.
static inline key_t unordered(const key_t number, const key_t flip)
{
    const key_t key = number ^ flip;
#if KEY_ORDER > 0
    return key ^ ((key_t)((signed_key_t)key >> (KEY_BITS - 1)) & KEY_REST);
#else
    return key;
#endif
}
#endif

// The digit of `mask + 1` values that starts at bit `shift` of the ordered key.
static inline uint digit_of(const key_t key, const key_t flip, const uint shift, const uint mask)
{
    return (uint)(ordered(key, flip) >> shift) & mask;
}

#endif
