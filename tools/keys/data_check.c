/* data_check.c - the library clsort-keys: order checks and checksums */
#include "bits.h"
#include "data.h"

enum { EQUAL_BLOCK = 64 }; /* keys that are compared without a branch for each */

/* Inlined with constant sizes, so that the load of an element is one instruction. */
static inline uint64_t checksum(const unsigned char *p, size_t size, size_t count)
{
    uint64_t sum = 0;

    /* bits_mix(0) is 0; the offset makes zeros contribute to the sum. */
    for (size_t i = 0; i < count; i++)
        sum += bits_mix(bits_load(p + i * size, size) + BITS_GAMMA);
    return sum;
}

/* The same for keys of 8 or 16 bits, of which sorted ones have long parts of equal keys. */
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
                           : checksum(block, size, EQUAL_BLOCK);
    }
    return sum + checksum(p + i * size, size, count - i);
}

uint64_t data_checksum(const void *elements, size_t size, size_t count)
{
    switch (size) {
    case 1:
        return checksum_narrow(elements, 1, count);
    case 2:
        return checksum_narrow(elements, 2, count);
    case 4:
        return checksum(elements, 4, count);
    case 8:
        return checksum(elements, 8, count);
    default:
        return checksum(elements, size, count);
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

/* Returns the index of the first of these keys that is out of order; before: the order of the key that precedes
 * them. */
static size_t find_disorder(const struct data_type *type, uint32_t flags, const unsigned char *p,
                            size_t count, uint64_t before)
{
    for (size_t i = 0; i < count; i++) {
        const uint64_t ordered = order_of(type, flags, bits_load(p + i * type->size, type->size));

        if (ordered < before)
            return i;
        before = ordered;
    }
    return count;
}

/* Inlined with a constant size and kind, so that the loop has few instructions. is_float: in total order; otherwise the
 * bits are mapped by the mask alone. */
static inline size_t disorder(const struct data_type *type, uint32_t flags, const unsigned char *p,
                              size_t size, size_t count, bool is_float)
{
    const uint64_t sign = bits_sign(type), all = bits_all(type);
    const uint64_t mask =
        (bits_signed_integer(type) ? sign : 0) ^ (flags & CLSORT_DESCENDING ? all : 0);
    uint64_t before = 0;

    for (size_t at = 0, block; at < count; at += block) {
        const uint64_t first = before;
        bool is_wrong = false;

        block = count - at < CHECK_BLOCK ? count - at : CHECK_BLOCK;
        for (size_t i = at; i < at + block; i++) {
            const uint64_t bits = bits_load(p + i * size, size);
            const uint64_t ordered = (is_float ? bits ^ (bits & sign ? all : sign) : bits) ^ mask;

            is_wrong |= ordered < before;
            before = ordered;
        }
        if (is_wrong)
            return at + find_disorder(type, flags, p + at * size, block, first);
    }
    return count;
}

size_t data_disorder(const struct data_type *type, uint32_t flags, const void *keys, size_t count)
{
    const bool is_float = data_type_is_float(type);

    if (is_float && flags & CLSORT_FLOAT_NUMERIC)
        return find_disorder(type, flags, keys, count, 0);
    switch (type->size) {
    case 1:
        return disorder(type, flags, keys, 1, count, false);
    case 2:
        return is_float ? disorder(type, flags, keys, 2, count, true)
                        : disorder(type, flags, keys, 2, count, false);
    case 4:
        return is_float ? disorder(type, flags, keys, 4, count, true)
                        : disorder(type, flags, keys, 4, count, false);
    default:
        return is_float ? disorder(type, flags, keys, 8, count, true)
                        : disorder(type, flags, keys, 8, count, false);
    }
}
