/* data_check.c - the library clsort-keys: order checks and checksums */
#include "data_loops.h"
#include "data_vectors.h"

enum { EQUAL_BLOCK = 64 }; /* keys that are compared without a branch for each */

/* The checksum of keys of 8 or 16 bits, of which sorted ones have long parts of equal keys. */
static inline uint64_t checksum_narrow(const unsigned char *p, size_t size, size_t count)
{
    uint64_t sum = 0;
    size_t i = 0;

    for (; i + EQUAL_BLOCK <= count; i += EQUAL_BLOCK) {
        const unsigned char *block = p + i * size;
        const uint64_t first = bits_load(block, size);
        uint64_t differ = 0;

        for (size_t j = 1; j < EQUAL_BLOCK; j++)
            differ |= bits_load(block + j * size, size) ^ first;
        sum += differ == 0 ? EQUAL_BLOCK * bits_mix(first + BITS_GAMMA)
                           : data_loop_checksum(block, size, EQUAL_BLOCK);
    }
    return sum + data_loop_checksum(p + i * size, size, count - i);
}

uint64_t data_checksum(const void *elements, size_t size, size_t count)
{
    if ((size == 4 || size == 8) && data_vectors_are_supported())
        return data_vectors_checksum(elements, size, count);
    switch (size) {
    case 1:
        return checksum_narrow(elements, 1, count);
    case 2:
        return checksum_narrow(elements, 2, count);
    case 4:
        return data_loop_checksum(elements, 4, count);
    case 8:
        return data_loop_checksum(elements, 8, count);
    default:
        return data_loop_checksum(elements, size, count);
    }
}

/* data_order of a key with these bits */
static inline uint64_t order_of(const struct data_type *type, uint32_t flags, uint64_t bits)
{
    uint64_t ordered;

    if (flags & CLSORT_FLOAT_NUMERIC && data_type_is_float(type)) {
        if ((bits & ~bits_sign(type)) > bits_infinity(type)) /* NaNs are last in either direction */
            return bits_all(type);
        if (bits == bits_sign(type)) /* -0 */
            bits = 0;
    }
    ordered = bits_to_ordered(type, bits);
    return flags & CLSORT_DESCENDING ? ordered ^ bits_all(type) : ordered;
}

uint64_t data_order(const struct data_type *type, uint32_t flags, const void *key)
{
    return order_of(type, flags, bits_load(key, type->size));
}

uint64_t data_ordered(const struct data_type *type, bool numeric, const void *key)
{
    return data_order(type, numeric ? CLSORT_FLOAT_NUMERIC : 0, key);
}

enum { CHECK_BLOCK = 1024 }; /* keys that are checked without a branch for each */

/* Returns the index of the first key that precedes the one before it, or count. */
static size_t find_disorder(const struct data_type *type, uint32_t flags, const unsigned char *p,
                            size_t count)
{
    uint64_t before = 0;

    for (size_t i = 0; i < count; i++) {
        const uint64_t ordered = order_of(type, flags, bits_load(p + i * type->size, type->size));

        if (ordered < before)
            return i;
        before = ordered;
    }
    return count;
}

/* Returns whether no key precedes the one before it. */
static bool is_ordered(const unsigned char *p, size_t size, size_t count,
                       const struct data_mapping *mapping)
{
    if (size >= 4 && data_vectors_are_supported())
        return data_vectors_are_ordered(p, size, count, mapping);
    switch (size) {
    case 1:
        return data_loop_is_ordered(p, 1, count, mapping, false);
    case 2:
        return mapping->is_float ? data_loop_is_ordered(p, 2, count, mapping, true)
                                 : data_loop_is_ordered(p, 2, count, mapping, false);
    case 4:
        return mapping->is_float ? data_loop_is_ordered(p, 4, count, mapping, true)
                                 : data_loop_is_ordered(p, 4, count, mapping, false);
    default:
        return mapping->is_float ? data_loop_is_ordered(p, 8, count, mapping, true)
                                 : data_loop_is_ordered(p, 8, count, mapping, false);
    }
}

size_t data_disorder(const struct data_type *type, uint32_t flags, const void *keys, size_t count)
{
    const unsigned char *p = keys;
    const struct data_mapping mapping = {.is_float = data_type_is_float(type),
                                         .sign = bits_sign(type),
                                         .all = bits_all(type),
                                         .mask = (bits_signed_integer(type) ? bits_sign(type) : 0) ^
                                                 (flags & CLSORT_DESCENDING ? bits_all(type) : 0)};

    if (mapping.is_float && flags & CLSORT_FLOAT_NUMERIC)
        return find_disorder(type, flags, p, count);
    /* A block begins with the last key of the one before it. */
    for (size_t at = 0, end; at < count; at = end) {
        const size_t first = at > 0 ? at - 1 : 0;

        end = count - at < CHECK_BLOCK ? count : at + CHECK_BLOCK;
        if (!is_ordered(p + first * type->size, type->size, end - first, &mapping))
            return first + find_disorder(type, flags, p + first * type->size, end - first);
    }
    return count;
}
