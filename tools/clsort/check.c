/* check.c - whether keys are in order */
#include "check.h"

#include "say.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* -- values as text ---------------------------------------------------------------------------- */

enum { TEXT_SIZE = 32 };

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

/* The key in decimal, with as many digits as tell a float from its neighbours. */
static void format_key(char text[TEXT_SIZE], const struct data_type *type, const void *key)
{
    union {
        uint8_t u8;
        uint16_t u16;
        uint32_t u32;
        uint64_t u64;
        int8_t i8;
        int16_t i16;
        int32_t i32;
        int64_t i64;
        float f32;
        double f64;
    } value;

    memcpy(&value, key, type->size);
    switch (type->key) {
    case CLSORT_U8:
        snprintf(text, TEXT_SIZE, "%" PRIu8, value.u8);
        break;
    case CLSORT_U16:
        snprintf(text, TEXT_SIZE, "%" PRIu16, value.u16);
        break;
    case CLSORT_U32:
        snprintf(text, TEXT_SIZE, "%" PRIu32, value.u32);
        break;
    case CLSORT_U64:
        snprintf(text, TEXT_SIZE, "%" PRIu64, value.u64);
        break;
    case CLSORT_I8:
        snprintf(text, TEXT_SIZE, "%" PRId8, value.i8);
        break;
    case CLSORT_I16:
        snprintf(text, TEXT_SIZE, "%" PRId16, value.i16);
        break;
    case CLSORT_I32:
        snprintf(text, TEXT_SIZE, "%" PRId32, value.i32);
        break;
    case CLSORT_I64:
        snprintf(text, TEXT_SIZE, "%" PRId64, value.i64);
        break;
    case CLSORT_F16:
        snprintf(text, TEXT_SIZE, "%.5g", half_value(value.u16));
        break;
    case CLSORT_F32:
        snprintf(text, TEXT_SIZE, "%.9g", (double)value.f32);
        break;
    case CLSORT_F64:
        snprintf(text, TEXT_SIZE, "%.17g", value.f64);
        break;
    case CLSORT_CUSTOM: /* of no data_type */
        break;
    }
}

/* -- order --------------------------------------------------------------------------------------- */

bool check_order(const char *name, const struct data_type *type, uint32_t flags, const void *keys,
                 size_t count)
{
    const char *p = keys;
    size_t index = data_disorder(type, flags, keys, count);
    char before[TEXT_SIZE], after[TEXT_SIZE];

    if (index == count)
        return true;
    format_key(before, type, p + (index - 1) * type->size);
    format_key(after, type, p + index * type->size);
    say_trouble(name, "disorder at index %zu: %s after %s", index, after, before);
    return false;
}
