/* check.c - clsort --check */
#include "check.h"

#include "bits.h"
#include "print.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* -- values as text ---------------------------------------------------------------------------- */

enum { TEXT_SIZE = 32, ELEMENT_SIZE = 96 };

/* Returns the value of a half-precision float. */
static double half_value(uint16_t half)
{
    int exponent = (half >> 10) & 0x1f;
    int fraction = half & 0x3ff;
    double magnitude;

    if (exponent == 0x1f)
        magnitude = fraction == 0 ? INFINITY : NAN;
    else if (exponent == 0)
        magnitude = ldexp(fraction, -24);
    else
        magnitude = ldexp(0x400 + fraction, exponent - 25);
    return half & 0x8000 ? -magnitude : magnitude;
}

/* Formats the value of a key in decimal, floats with as many digits as distinguish neighbouring
 * values. */
static void format_value(char text[TEXT_SIZE], const struct data_type *type, const void *key)
{
    uint64_t bits = bits_load(key, type->size);
    unsigned unused_bits = 64 - 8 * (unsigned)type->size;
    float single;
    double real;

    if (type->key == CLSORT_F16) {
        snprintf(text, TEXT_SIZE, "%.5g", half_value((uint16_t)bits));
    } else if (type->key == CLSORT_F32) {
        memcpy(&single, key, sizeof single);
        snprintf(text, TEXT_SIZE, "%.9g", (double)single);
    } else if (type->key == CLSORT_F64) {
        memcpy(&real, key, sizeof real);
        snprintf(text, TEXT_SIZE, "%.17g", real);
    } else if (bits_signed_integer(type)) { /* the shifts extend the sign */
        snprintf(text, TEXT_SIZE, "%" PRId64, (int64_t)(bits << unused_bits) >> unused_bits);
    } else {
        snprintf(text, TEXT_SIZE, "%" PRIu64, bits);
    }
}

/* Formats an element as "element 17 (3.5, 0x40600000)". The bits distinguish NaNs, and floats that
 * have the same value in decimal. */
static void format_element(char text[ELEMENT_SIZE], const struct data_type *type, const void *keys,
                           size_t index)
{
    const void *key = (const char *)keys + index * type->size;
    char value[TEXT_SIZE];

    format_value(value, type, key);
    snprintf(text, ELEMENT_SIZE, "element %zu (%s, 0x%0*" PRIx64 ")", index, value,
             2 * (int)type->size, bits_load(key, type->size));
}

/* -- order ------------------------------------------------------------------------------------- */

bool check_order(const char *name, const struct data_type *type, uint32_t flags, const void *keys,
                 size_t count)
{
    size_t index = data_disorder(type, flags, keys, count);
    char value[TEXT_SIZE], before[ELEMENT_SIZE], after[ELEMENT_SIZE];

    if (index == count)
        return true;
    format_value(value, type, (const char *)keys + (index - 1) * type->size);
    format_element(before, type, keys, index - 1);
    format_element(after, type, keys, index);
    if (flags & CLSORT_FLOAT_NUMERIC && strstr(value, "nan") != NULL)
        print_error(name, "%s is a NaN, which --numeric puts after %s", before, after);
    else if (flags & CLSORT_DESCENDING)
        print_error(name, "%s is less than %s; the order is descending", before, after);
    else
        print_error(name, "%s is greater than %s", before, after);
    return false;
}
