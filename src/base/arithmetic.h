/* arithmetic.h - minimum, maximum, rounding and logarithms of unsigned integers */
#ifndef CLSORT_BASE_ARITHMETIC_H
#define CLSORT_BASE_ARITHMETIC_H

#include <stdint.h>

static inline uint64_t cls_min(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t cls_max(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static inline uint64_t cls_divide_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

static inline uint64_t cls_round_up(uint64_t a, uint64_t multiple)
{
    return cls_divide_up(a, multiple) * multiple;
}

/* Returns the exponent of the largest power of two that is at most n (n > 0). */
static inline unsigned cls_floor_log2(uint64_t n)
{
    unsigned bits = 0;
    for (unsigned step = 32; step > 0; step /= 2)
        if (n >> step) {
            n >>= step;
            bits += step;
        }
    return bits;
}

/* Returns the exponent of the largest power of two that divides n (n > 0). */
static inline unsigned cls_lowest_bit(uint64_t n)
{
    return cls_floor_log2(n & (~n + 1));
}

/* Returns the exponent of the smallest power of two that is at least n. */
static inline unsigned cls_ceil_log2(uint64_t n)
{
    return n > 1 ? cls_floor_log2(n - 1) + 1 : 0;
}

/* Returns the largest power of two that is at most n and 2^30 (n > 0). */
static inline unsigned cls_floor_power_of_two(uint64_t n)
{
    return 1u << cls_min(cls_floor_log2(n), 30);
}

#endif
