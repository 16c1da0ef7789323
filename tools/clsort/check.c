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

enum { TEXT_SIZE = 32, ELEMENT_SIZE = ROWS_INDEX_SIZE + TEXT_SIZE + 40 };

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
 * have the same value in decimal. at: where the element is in the array, counted in keys. */
static void format_element(char text[ELEMENT_SIZE], const struct npy_array *array, uint32_t flags,
                           const void *key, size_t at)
{
    const size_t size = array->type->size;
    struct npy_array native = *array;
    char value[TEXT_SIZE] = "NaT", index[ROWS_INDEX_SIZE];
    uint64_t element = 0;

    native.is_swapped = false;
    memcpy(&element, key, size);
    elements_from_keys(&native, flags, &element, 1);
    if (!array->is_time || element != bits_sign(array->type))
        format_value(value, array->type, &element);
    rows_format_index(index, array, at);
    snprintf(text, ELEMENT_SIZE, "element %s (%s, 0x%0*" PRIx64 ")", index, value, 2 * (int)size,
             bits_load(&element, size));
}

/* -- order ------------------------------------------------------------------------------------- */

struct check {
    const struct rows *rows;
    const struct segments *segments;
    const struct data_type *type;
    uint32_t flags;
    bool found;
    size_t row, position; /* of the first key that is out of order */
};

/* Returns the first key of a row that is out of order, or the length of the row. */
static size_t disorder(const struct check *check, const char *keys)
{
    const struct segments *segments = check->segments;
    const size_t size = check->type->size;

    if (segments->form != CLSORT_OFFSETS)
        return data_disorder(check->type, check->flags, keys, check->rows->length);
    for (size_t i = 0; i < segments->count; i++) {
        const size_t begin = segments_offset(segments, i), end = segments_offset(segments, i + 1);
        const size_t at =
            begin + data_disorder(check->type, check->flags, keys + begin * size, end - begin);

        if (at < end)
            return at;
    }
    return check->rows->length;
}

/* Any status other than CLSORT_OK ends the visits. */
static clsort_status check_row(void *context, const struct row *row)
{
    struct check *check = context;

    check->position = disorder(check, row->keys);
    check->row = row->number;
    check->found = check->position < check->rows->length;
    return check->found ? CLSORT_E_ARGUMENT : CLSORT_OK;
}

void check_print_records(const char *name, size_t at)
{
    print_error(name, "record %zu follows record %zu in the order of --key", at - 1, at);
}

void check_print(const char *name, const struct npy_array *array, uint32_t flags,
                 const void *before, size_t first, const void *after, size_t second)
{
    char first_text[ELEMENT_SIZE], second_text[ELEMENT_SIZE], value[TEXT_SIZE];

    format_element(first_text, array, flags, before, first);
    format_element(second_text, array, flags, after, second);
    format_value(value, array->type, before);
    if (flags & CLSORT_FLOAT_NUMERIC && strstr(value, "nan") != NULL)
        print_error(name, "%s is a NaN, which --numeric puts after %s", first_text, second_text);
    else if (strstr(first_text, "NaT") != NULL)
        print_error(name, "%s comes last, but is before %s", first_text, second_text);
    else if (flags & CLSORT_DESCENDING)
        print_error(name, "%s is less than %s; the order is descending", first_text, second_text);
    else
        print_error(name, "%s is greater than %s", first_text, second_text);
}

bool check_order(const char *name, const struct npy_array *array, const struct rows *rows,
                 const struct segments *segments, uint32_t flags, void *keys, bool *ordered)
{
    struct check check = {.rows = rows, .segments = segments, .type = array->type, .flags = flags};

    if (rows_visit(rows, keys, NULL, false, check_row, &check) == CLSORT_E_MEMORY) {
        print_error(name, "out of memory");
        return false;
    }
    *ordered = !check.found;
    if (*ordered)
        return true;

    const char *bytes = keys;
    const size_t first = rows_key(rows, check.row, check.position - 1);
    const size_t second = rows_key(rows, check.row, check.position);
    const size_t size = array->type->size;
    check_print(name, array, flags, bytes + first * size, first, bytes + second * size, second);
    return true;
}
