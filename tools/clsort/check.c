/* check.c - clsort --check */
#include "check.h"

#include "bits.h"
#include "elements.h"
#include "print.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* -- values as text ---------------------------------------------------------------------------- */

enum { TEXT_SIZE = 32 };

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

/* Formats the key in decimal, floats with as many digits as distinguish neighbouring values. */
static void format_key(char text[TEXT_SIZE], const struct data_type *type, const void *key)
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

/* Formats a key of a .npy file as its element. */
static void format_element(char text[TEXT_SIZE], const struct npy_array *array, uint32_t flags,
                           const char *key)
{
    struct npy_array native = *array;
    uint64_t element = 0;

    native.is_swapped = false;
    memcpy(&element, key, array->type->size);
    elements_from_keys(&native, flags, &element, 1);
    if (array->is_time && element == bits_sign(array->type))
        strcpy(text, "NaT");
    else
        format_key(text, array->type, &element);
}

/* -- order ------------------------------------------------------------------------------------- */

struct check {
    const struct rows *rows;
    const struct data_type *type;
    uint32_t flags;
    bool found;
    size_t row, position; /* of the first key that is out of order */
};

/* Any status other than CLSORT_OK ends the visits. */
static clsort_status check_row(void *context, void *row, size_t index)
{
    struct check *check = context;

    check->position = data_disorder(check->type, check->flags, row, check->rows->length);
    check->row = index;
    check->found = check->position < check->rows->length;
    return check->found ? CLSORT_E_ARGUMENT : CLSORT_OK;
}

bool check_order(const char *name, const struct npy_array *array, const struct rows *rows,
                 uint32_t flags, void *keys, bool *ordered)
{
    struct check check = {.rows = rows, .type = array->type, .flags = flags};
    char before[TEXT_SIZE], after[TEXT_SIZE], index[ROWS_INDEX_SIZE];
    const char *p = keys;
    size_t key;

    if (rows_visit(rows, keys, false, check_row, &check) == CLSORT_E_MEMORY) {
        print_error(name, "out of memory");
        return false;
    }
    *ordered = !check.found;
    if (*ordered)
        return true;
    key = rows_key(rows, check.row, check.position);
    format_element(after, array, flags, p + key * array->type->size);
    format_element(before, array, flags,
                   p + rows_key(rows, check.row, check.position - 1) * array->type->size);
    rows_format_index(index, array, key);
    print_error(name, "out of order at index %s: %s after %s", index, after, before);
    return true;
}
