/* bits.h - the library clsort-keys: bit patterns of keys, hashing, ordered keys */
#ifndef CLSORT_TOOLS_BITS_H
#define CLSORT_TOOLS_BITS_H

#include "data.h"

#include <string.h>

/* Increment of the state of SplitMix64 (Steele, Lea and Flood 2014). */
#define BITS_GAMMA UINT64_C(0x9e3779b97f4a7c15)

#define BITS_MIX_1 UINT64_C(0xbf58476d1ce4e5b9)
#define BITS_MIX_2 UINT64_C(0x94d049bb133111eb)

/* The finalizer of SplitMix64: a bijection of 64-bit words. Each input bit affects half of the
 * output bits on average. */
static inline uint64_t bits_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * BITS_MIX_1;
    x = (x ^ (x >> 27)) * BITS_MIX_2;
    return x ^ (x >> 31);
}

/* Loads a number of 1 to 8 bytes. */
static inline uint64_t bits_load(const void *p, size_t size)
{
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64 = 0;

    switch (size) {
    case 1:
        memcpy(&u8, p, 1);
        return u8;
    case 2:
        memcpy(&u16, p, 2);
        return u16;
    case 4:
        memcpy(&u32, p, 4);
        return u32;
    default:
        memcpy(&u64, p, size);
        return u64;
    }
}

/* Return the masks of all bits and of the sign bit of a type. */
static inline uint64_t bits_all(const struct data_type *type)
{
    return UINT64_MAX >> (64 - 8 * type->size);
}

static inline uint64_t bits_sign(const struct data_type *type)
{
    return UINT64_C(1) << (8 * type->size - 1);
}

/* Returns the bits of +infinity of a float type. Without the sign bit, larger patterns are NaNs. */
static inline uint64_t bits_infinity(const struct data_type *type)
{
    return type->size == 2   ? UINT64_C(0x7c00)
           : type->size == 4 ? UINT64_C(0x7f800000)
                             : UINT64_C(0x7ff0000000000000);
}

static inline bool bits_signed_integer(const struct data_type *type)
{
    return type->key >= CLSORT_I8 && type->key <= CLSORT_I64;
}

/* Convert the bits of a key to its ordered key, and back. */
static inline uint64_t bits_to_ordered(const struct data_type *type, uint64_t bits)
{
    uint64_t sign = bits_sign(type);

    if (data_type_is_float(type))
        return bits & sign ? bits ^ bits_all(type) : bits ^ sign;
    return bits_signed_integer(type) ? bits ^ sign : bits;
}

static inline uint64_t bits_from_ordered(const struct data_type *type, uint64_t ordered)
{
    uint64_t sign = bits_sign(type);

    if (data_type_is_float(type))
        return ordered & sign ? ordered ^ sign : ordered ^ bits_all(type);
    return bits_signed_integer(type) ? ordered ^ sign : ordered;
}

#endif
