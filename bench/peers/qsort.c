/* qsort.c - peer: the C library's qsort, with one comparison function per key type */
#include "host_array.h"
#include "order.h"
#include "peers.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

/* Floats are compared in IEEE total order, as in clsort: as signed integers, after the bits below
 * the sign of negative numbers are inverted. */
#define AS_IS(key, max) (key)
#define IEEE(bits, max) ((bits) < 0 ? (bits) ^ (max) : (bits))

/* Records begin with the key, so that the same function compares keys and records. */
#define COMPARISON(name, type, order, max)                                                         \
    static int compare_##name(const void *a, const void *b)                                        \
    {                                                                                              \
        type x = *(const type *)a, y = *(const type *)b;                                           \
        x = (type)order(x, max);                                                                   \
        y = (type)order(y, max);                                                                   \
        return (x > y) - (x < y);                                                                  \
    }

COMPARISON(u8, uint8_t, AS_IS, 0)
COMPARISON(u16, uint16_t, AS_IS, 0)
COMPARISON(u32, uint32_t, AS_IS, 0)
COMPARISON(u64, uint64_t, AS_IS, 0)
COMPARISON(i8, int8_t, AS_IS, 0)
COMPARISON(i16, int16_t, AS_IS, 0)
COMPARISON(i32, int32_t, AS_IS, 0)
COMPARISON(i64, int64_t, AS_IS, 0)
COMPARISON(f16, int16_t, IEEE, INT16_MAX)
COMPARISON(f32, int32_t, IEEE, INT32_MAX)
COMPARISON(f64, int64_t, IEEE, INT64_MAX)

static int (*const comparisons[])(const void *, const void *) = {
    [CLSORT_U8] = compare_u8,   [CLSORT_U16] = compare_u16, [CLSORT_U32] = compare_u32,
    [CLSORT_U64] = compare_u64, [CLSORT_I8] = compare_i8,   [CLSORT_I16] = compare_i16,
    [CLSORT_I32] = compare_i32, [CLSORT_I64] = compare_i64, [CLSORT_F16] = compare_f16,
    [CLSORT_F32] = compare_f32, [CLSORT_F64] = compare_f64,
};

static int compare_halves(const void *a, const void *b)
{
    const uint64_t x = order_of_halves(*(const uint64_t *)a);
    const uint64_t y = order_of_halves(*(const uint64_t *)b);
    return (x > y) - (x < y);
}

static int compare_strings(const void *a, const void *b)
{
    return memcmp(a, b, ROWS_STRING_BYTES);
}

static int compare_records(const void *a, const void *b)
{
    return memcmp(a, b, ROWS_RECORD_KEY_BYTES);
}

static int compare_particles(const void *a, const void *b)
{
    return compare_f32(b, a);
}

static int (*comparison_of(const struct spec *spec))(const void *, const void *)
{
    switch (spec->op) {
    case OP_STRINGS:
        return compare_strings;
    case OP_RECORDS:
        return compare_records;
    case OP_PARTICLES:
        return compare_particles;
    case OP_CUSTOM:
        if (spec->type->key == CLSORT_U64)
            return compare_halves;
        break;
    default:
        break;
    }
    return comparisons[spec->type->key];
}

static bool sort(const struct job *job, void *state)
{
    (void)state;
    const struct spec *spec = &job->spec;
    size_t size = spec->value_size ? host_array_record_size(spec) : spec->type->size;
    qsort(host_array(job), job->count, size, comparison_of(spec));
    return true;
}

const struct peer peer_qsort = {
    .name = "qsort",
    .runs_on = "one core",
    .operations = PEER_SORTS | PEER_SORTS_ROWS,
    .version = "glibc " TEXT(__GLIBC__) "." TEXT(__GLIBC_MINOR__),
    .unsupported = host_array_unsupported,
    .prepare = host_array_prepare,
    .sort = sort,
    .finish = host_array_finish,
};
