/* spec.h - the sort spec: a checked descriptor in normal form, in the terms of the kernels */
#ifndef CLSORT_BASE_SPEC_H
#define CLSORT_BASE_SPEC_H

#include "base/hash.h"

#include <clsort.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The values of KEY_ORDER in cl/common/keys.cl. CLS_ORDER_CUSTOM: see cl/common/order.cl. CLS_ORDER_COLUMNS: of
 * operations that compare elements by columns where they are (cl/columns/words.cl). */
enum cls_order {
    CLS_ORDER_INTEGER,
    CLS_ORDER_FLOAT,
    CLS_ORDER_NUMERIC,
    CLS_ORDER_CUSTOM,
    CLS_ORDER_COLUMNS
};

/* A custom order in OpenCL C, as in clsort_desc. The caller owns the strings; they are valid only
 * while the plan is created. */
struct cls_custom {
    const char *prelude, *key_type, *less;
    unsigned key_bytes;
};

struct cls_spec {
    clsort_operation operation;
    unsigned key_bytes; /* 1, 2, 4 or 8; any number with a custom order and with columns */
    enum cls_order order;
    struct cls_custom custom;
    bool stable;   /* a stable order is requested, and the order of equal elements is observable */
    uint64_t flip; /* XOR mask of ordered() in cl/common/keys.cl */
    uint64_t pad;  /* a key whose ordered key has only one-bits */
    unsigned begin_bit, end_bit; /* the compared bits of the ordered key */
    size_t value_bytes;          /* size of the value that moves with each key; 0: keys only */
    bool value_is_index;         /* the value is the index of the element in the input */
    unsigned index_bits;         /* 32 or 64: type of element counts and indexes in kernels */
    unsigned
        index_bytes; /* CLSORT_UNIQUE, merges of columns: size of an index in index_out; else 0 */
    bool partitions; /* CLSORT_NTH with CLSORT_PARTITION: all elements are written */
    bool descending;
    unsigned segments;       /* a clsort_segments: each segment is sorted on its own */
    unsigned count_bytes;    /* size of the count in device memory; 0: the host knows the count */
    unsigned column_buffers; /* buffers that replace that of the keys, one for each column; or 0 */
    unsigned column_words;   /* CLS_ORDER_COLUMNS: words of 64 bits of an element; else 0 */
    const char *key_name;    /* "u32" */
};

/* Hashes the strings with their terminators, so that ("ab", "c") and ("a", "bc") differ. */
static inline uint64_t cls_custom_hash(const struct cls_custom *custom)
{
    uint64_t hash = cls_hash(CLS_HASH_START, custom->prelude, strlen(custom->prelude) + 1);
    hash = cls_hash(hash, custom->key_type, strlen(custom->key_type) + 1);
    return cls_hash(hash, custom->less, strlen(custom->less) + 1);
}

/* Returns whether keys that compare equal can differ in their bits. */
static inline bool cls_equal_keys_may_differ(const struct cls_spec *spec)
{
    return spec->order == CLS_ORDER_CUSTOM || spec->order == CLS_ORDER_NUMERIC ||
           spec->end_bit - spec->begin_bit < 8 * spec->key_bytes;
}

/* Returns whether elements that compare equal can differ, so that their order is observable. */
static inline bool cls_equal_elements_may_differ(const struct cls_spec *spec)
{
    return spec->value_bytes > 0 || cls_equal_keys_may_differ(spec);
}

/* Returns the mask of the compared bits of the ordered key. */
static inline uint64_t cls_compared_mask(const struct cls_spec *spec)
{
    const unsigned width = spec->end_bit - spec->begin_bit;
    if (width == 0)
        return 0;
    return (UINT64_MAX >> (64 - width)) << spec->begin_bit;
}

/* Returns the bits of +infinity in the float type with this number of bits. */
static inline uint64_t cls_infinity(unsigned bits)
{
    return bits == 16 ? 0x7c00 : bits == 32 ? 0x7f800000 : 0x7ff0000000000000;
}

/* Returns the ordered key: an unsigned number that has the same order as the key, as computed by
 * cl/common/keys.cl. */
static inline uint64_t cls_ordered(const struct cls_spec *spec, uint64_t key)
{
    const unsigned bits = 8 * spec->key_bytes;
    const uint64_t all = UINT64_MAX >> (64 - bits), sign = (uint64_t)1 << (bits - 1);
    if (spec->order == CLS_ORDER_NUMERIC) {
        if ((key & ~sign) > cls_infinity(bits))
            return all;
        if ((key & ~sign) == 0)
            key = 0;
    }
    if (spec->order != CLS_ORDER_INTEGER)
        key ^=
            (0 - (key >> (bits - 1))) & (sign - 1); /* if the sign bit is set, without a branch */
    return key ^ spec->flip;
}

/* Returns the key of an ordered key, if keys that compare equal do not differ. */
static inline uint64_t cls_unordered(const struct cls_spec *spec, uint64_t ordered)
{
    const unsigned bits = 8 * spec->key_bytes;
    const uint64_t sign = (uint64_t)1 << (bits - 1);
    uint64_t key = ordered ^ spec->flip;
    if (spec->order != CLS_ORDER_INTEGER)
        key ^= (0 - (key >> (bits - 1))) & (sign - 1);
    return key;
}

/* Returns the alignment of elements of this size: the largest of 8, 4, 2, 1 that divides it. */
static inline size_t cls_alignment(size_t bytes)
{
    return bytes % 8 == 0 ? 8 : bytes % 4 == 0 ? 4 : bytes % 2 == 0 ? 2 : 1;
}

/* Returns whether the sizes of count keys and values, and sums of several such sizes, fit in
 * size_t. */
static inline bool cls_count_fits(const struct cls_spec *spec, uint64_t count)
{
    const uint64_t max = SIZE_MAX / 256;
    return count <= max / spec->key_bytes &&
           (spec->value_bytes == 0 || count <= max / spec->value_bytes);
}

#endif
