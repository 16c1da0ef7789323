// keys.cl - keys as unsigned numbers of the same order
//
// KEY_ORDER    0: integers, 1: floats in IEEE total order, 2: floats with -0 == +0 and NaNs last; 3: custom,
//              where keys are no numbers and this file has nothing to say
//
// Keys are never changed, only looked at through ordered(): what numeric order folds together could not
// be told apart again. Direction and sign are one XOR with `flip`: 0 for ascending unsigned, the sign bit
// for ascending signed and float keys, and the complement of those for descending ones.
#ifndef CLSORT_COMMON_KEYS_CL
#define CLSORT_COMMON_KEYS_CL

#include "common/types.cl"

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

// All bits set where the highest one is.
#define SMEARED(type, keys) ((type)((key_t)0 - (type)((type)(keys) >> (KEY_BITS - 1))))

#if KEY_ORDER > 0
// Negative floats count downwards: their other bits are flipped too.
#define FLIPPED(type, keys) (SMEARED(type, keys) & KEY_REST)
#else
#define FLIPPED(type, keys) (key_t)0
#endif

// The same for one key and for vectors: arithmetic in place of comparisons, whose results differ.
#define ORDERED(name, type)                                                                        \
    static inline type name(const type keys, const key_t flip)                                     \
    {                                                                                              \
        return keys ^ flip ^ FLIPPED(type, keys);                                                  \
    }
#define UNORDERED(name, type)                                                                      \
    static inline type name(const type numbers, const key_t flip)                                  \
    {                                                                                              \
        const type keys = numbers ^ flip;                                                          \
        return keys ^ FLIPPED(type, keys);                                                         \
    }

#if KEY_ORDER == 2
#undef ORDERED
#define ORDERED(name, type)                                                                        \
    static inline type name(const type keys, const key_t flip)                                     \
    {                                                                                              \
        const type rest = keys & KEY_REST;                                                         \
        const type is_nan = SMEARED(type, KEY_INFINITY - rest);                                    \
        const type number = keys & ~SMEARED(type, rest - (key_t)1);                                \
        return (number ^ flip ^ FLIPPED(type, number)) | is_nan;                                   \
    }
#endif

ORDERED(ordered, key_t)
ORDERED(ordered_vector, key_vector_t)
#if KEY_ORDER != 2
UNORDERED(unordered, key_t)
#endif

// The digit of `mask + 1` values that starts at bit `shift` of the ordered key.
static inline uint digit_of(const key_t key, const key_t flip, const uint shift, const uint mask)
{
    return (uint)(ordered(key, flip) >> shift) & mask;
}

// Those of 16 keys.
static inline uint16 digits_of(const key_vector_t keys, const key_t flip, const uint shift,
                               const uint mask)
{
    return convert_uint16(ordered_vector(keys, flip) >> (key_t)shift) & mask;
}

#endif

#endif
