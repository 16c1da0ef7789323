// keys.cl - ordered keys: unsigned numbers that are in the same order as the keys
//
// The input and the output hold the keys themselves. Most kernels map them by ordered() where they
// read them. Some keep ordered keys in local memory, in scratch or between launches, and map them
// back when they write the output. KEY_ORDER 2 maps -0 and +0 to one number and all NaNs to
// another, so it has no inverse. Direction and sign are one XOR with `flip`: 0 for ascending
// unsigned keys, the sign bit for ascending signed and float keys, and the complement of these for
// descending keys. `pad`, an argument of several kernels, is a key whose ordered key has all bits
// set: no key sorts after it, so it fills up incomplete tiles.
//
// Option:
//   KEY_ORDER    0: integers; 1: floats in IEEE total order; 2: floats with -0 == +0 and NaNs last;
//                3: custom order; 4: order of columns: for these, this file defines nothing
#ifndef CLSORT_COMMON_KEYS_CL
#define CLSORT_COMMON_KEYS_CL

#include "common/types.cl"

#if KEY_ORDER < 3

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

// A number all of whose bits equal the highest bit of `keys`.
#define SMEARED(type, keys) ((type)((key_t)0 - (type)((type)(keys) >> (KEY_BITS - 1))))

#if KEY_ORDER > 0
// The bits to flip besides `flip`: negative floats are in descending order of their other bits.
#define FLIPPED(type, keys) (SMEARED(type, keys) & KEY_REST)
#else
#define FLIPPED(type, keys) (key_t)0
#endif

// The mapping and its inverse, for single keys and for vectors. They use arithmetic instead of
// comparisons, because the results of comparisons are different for vectors.
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

// Returns the digit that starts at bit `shift` of the ordered key; it has mask + 1 values.
static inline uint digit_of(const key_t key, const key_t flip, const uint shift, const uint mask)
{
    return (uint)(ordered(key, flip) >> shift) & mask;
}

// Returns the digits of 16 keys.
static inline uint16 digits_of(const key_vector_t keys, const key_t flip, const uint shift,
                               const uint mask)
{
    return convert_uint16(ordered_vector(keys, flip) >> (key_t)shift) & mask;
}

#endif

#endif
