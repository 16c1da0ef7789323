/* key_spec.c - the sort specs of built-in key types */
#include "base/key_spec.h"

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

bool cls_key_spec(uint32_t key, uint32_t flags, struct cls_spec *spec)
{
    if (key < CLSORT_U8 || key > CLSORT_F64)
        return false;
    const struct key_class *found = &KEYS[key];
    *spec = (struct cls_spec){.key_name = found->name, .key_bytes = found->bytes};
    set_order(spec, found, flags);
    return true;
}
