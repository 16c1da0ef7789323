/* request.c - reads a descriptor: checks it and converts it to normal form */
#include "plan/request.h"

#include "plan/operation.h"

#include <string.h>

enum { MAX_VALUE_BYTES = 1 << 30, MAX_CUSTOM_KEY_BYTES = 1 << 20 };

struct key_class {
    const char *name;
    unsigned bytes;
    enum { UNSIGNED, SIGNED, FLOAT } kind;
};

static const struct key_class KEYS[] = {
    [CLSORT_U8] = {"u8", 1, UNSIGNED},   [CLSORT_U16] = {"u16", 2, UNSIGNED},
    [CLSORT_U32] = {"u32", 4, UNSIGNED}, [CLSORT_U64] = {"u64", 8, UNSIGNED},
    [CLSORT_I8] = {"i8", 1, SIGNED},     [CLSORT_I16] = {"i16", 2, SIGNED},
    [CLSORT_I32] = {"i32", 4, SIGNED},   [CLSORT_I64] = {"i64", 8, SIGNED},
    [CLSORT_F16] = {"f16", 2, FLOAT},    [CLSORT_F32] = {"f32", 4, FLOAT},
    [CLSORT_F64] = {"f64", 8, FLOAT},
};

clsort_status cls_versioned_copy(const void *from, void *to, size_t size)
{
    size_t given;
    memcpy(&given, from, sizeof given);
    /* In every version, the size is a multiple of that of size_t. Other sizes would end inside a field. */
    if (given < sizeof given || given % sizeof given != 0)
        return CLSORT_E_ARGUMENT;
    const unsigned char *bytes = from;
    for (size_t i = size; i < given; i++)
        if (bytes[i] != 0)
            return CLSORT_E_VERSION;
    memset(to, 0, size);
    memcpy(to, from, given < size ? given : size);
    return CLSORT_OK;
}

bool cls_count_fits(const struct cls_spec *spec, uint64_t count)
{
    const uint64_t max = SIZE_MAX / 256;
    return count <= max / spec->key_bytes &&
           (spec->value_bytes == 0 || count <= max / spec->value_bytes);
}

/* Sets the order and the masks of ordered() in cl/common/keys.cl. */
static void set_order(struct cls_spec *spec, const struct key_class *key, uint32_t flags)
{
    const unsigned bits = 8 * key->bytes;
    const uint64_t all = UINT64_MAX >> (64 - bits), sign = (uint64_t)1 << (bits - 1);
    spec->descending = flags & CLSORT_DESCENDING;
    spec->order = key->kind != FLOAT             ? CLS_ORDER_INTEGER
                  : flags & CLSORT_FLOAT_NUMERIC ? CLS_ORDER_NUMERIC
                                                 : CLS_ORDER_FLOAT;
    spec->flip = (key->kind == UNSIGNED ? 0 : sign) ^ (spec->descending ? all : 0);
    if (key->kind != FLOAT)
        spec->pad = all ^ spec->flip;
    else if (spec->descending && spec->order == CLS_ORDER_FLOAT)
        spec->pad = all; /* the lowest NaN */
    else
        spec->pad = all ^ sign; /* the highest NaN */
}

static clsort_status set_compared_bits(struct cls_spec *spec, uint32_t begin_bit, uint32_t end_bit)
{
    const unsigned width = 8 * spec->key_bytes;
    if (end_bit == 0)
        end_bit = width;
    if (begin_bit > end_bit || end_bit > width)
        return CLSORT_E_BITS;
    spec->begin_bit = begin_bit;
    spec->end_bit = end_bit;
    return CLSORT_OK;
}

static bool is_empty(const char *text)
{
    return !text || text[strspn(text, " \t\r\n")] == '\0';
}

/* Reads a descriptor with a custom order. */
static clsort_status read_custom(const clsort_desc *desc, struct cls_spec *spec)
{
    if (desc->flags & (CLSORT_DESCENDING | CLSORT_FLOAT_NUMERIC))
        return CLSORT_E_FLAGS;
    if (desc->begin_bit != 0 || desc->end_bit != 0)
        return CLSORT_E_BITS;
    if (desc->key_size == 0 || desc->key_size > MAX_CUSTOM_KEY_BYTES || is_empty(desc->key_type) ||
        is_empty(desc->less))
        return CLSORT_E_ORDER;
    spec->key_name = "custom";
    spec->key_bytes = (unsigned)desc->key_size;
    spec->end_bit = 8 * spec->key_bytes;
    spec->order = CLS_ORDER_CUSTOM;
    spec->custom =
        (struct cls_custom){desc->prelude ? desc->prelude : "", desc->key_type, desc->less};
    return CLSORT_OK;
}

static clsort_status read_key(const clsort_desc *desc, struct cls_spec *spec)
{
    if (desc->key == CLSORT_CUSTOM)
        return read_custom(desc, spec);
    if (desc->key < CLSORT_U8 || desc->key > CLSORT_F64)
        return CLSORT_E_KEY;
    const struct key_class *key = &KEYS[desc->key];
    if (desc->flags & CLSORT_FLOAT_NUMERIC && key->kind != FLOAT)
        return CLSORT_E_FLAGS;
    if (desc->key_size != 0 || desc->key_type || desc->less || desc->prelude)
        return CLSORT_E_ORDER;
    spec->key_name = key->name;
    spec->key_bytes = key->bytes;
    set_order(spec, key, desc->flags);
    return set_compared_bits(spec, desc->begin_bit, desc->end_bit);
}

clsort_status cls_request_read(const clsort_desc *desc, struct cls_request *request)
{
    clsort_desc d;
    *request = (struct cls_request){0};
    clsort_status status = cls_versioned_copy(desc, &d, sizeof d);
    if (status != CLSORT_OK)
        return status;
    if (d.flags & ~(CLSORT_DESCENDING | CLSORT_FLOAT_NUMERIC | CLSORT_UNSTABLE | CLSORT_NO_SCRATCH))
        return CLSORT_E_FLAGS;
    if (!cls_operation_at(d.operation))
        return CLSORT_E_OPERATION;
    if (d.reserved != 0)
        return CLSORT_E_VERSION;
    if (d.value_size > MAX_VALUE_BYTES)
        return CLSORT_E_ARGUMENT;
    struct cls_spec *spec = &request->spec;
    status = read_key(&d, spec);
    if (status != CLSORT_OK)
        return status;
    spec->operation = (enum cls_operation)d.operation;
    spec->value_bytes = d.value_size;
    spec->stable =
        !(d.flags & CLSORT_UNSTABLE) && (spec->value_bytes > 0 || cls_equal_keys_may_differ(spec));
    if (!cls_count_fits(spec, d.max_count))
        return CLSORT_E_COUNT;
    request->max_count = d.max_count;
    request->no_scratch = d.flags & CLSORT_NO_SCRATCH;
    if (!d.algorithm || strcmp(d.algorithm, "auto") == 0)
        return CLSORT_OK;
    return cls_algorithm_name_read(d.algorithm, strlen(d.algorithm), &request->algorithm)
               ? CLSORT_OK
               : CLSORT_E_ALGORITHM;
}
