/* limits.h - what devices allow, as algorithms' supports() asks for it, and small arithmetic */
#ifndef CLSORT_ALGO_COMMON_LIMITS_H
#define CLSORT_ALGO_COMMON_LIMITS_H

#include "algo/algo.h"

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

/* The exponent of the largest power of two that is at most n (n > 0). */
static inline unsigned cls_floor_log2(uint64_t n)
{
    unsigned bits = 0;
    while (n >>= 1)
        bits++;
    return bits;
}

/* The exponent of the smallest power of two that is at least n. */
static inline unsigned cls_ceil_log2(uint64_t n)
{
    return n > 1 ? cls_floor_log2(n - 1) + 1 : 0;
}

/* The largest power of two that is at most n (n > 0). */
static inline unsigned cls_floor_power_of_two(uint64_t n)
{
    return 1u << cls_min(cls_floor_log2(n), 30);
}

/* The number of elements that the index type of such kernels can count. */
static inline uint64_t cls_max_countable(const struct cls_caps *caps, const struct cls_spec *spec)
{
    return spec->index_bits == 32 ? caps->index32_max : UINT64_MAX >> 8;
}

/* Returns whether one work-item may go through a whole array, as variants with one work-item per core do; otherwise
 * sets *why. */
static inline bool cls_allows_long_work_items(const struct cls_caps *caps, const char **why)
{
    if (!(caps->type & CL_DEVICE_TYPE_CPU)) {
        *why = "it runs one work-item per core, which only suits CPUs";
        return false;
    }
    if (caps->max_iterations < UINT64_MAX) {
        *why = "it runs one work-item per core, and this driver aborts long loops";
        return false;
    }
    return true;
}

/* Bytes of a core's own cache. CPU drivers report it as local memory; the answer is limited to plausible sizes. */
static inline uint64_t cls_core_cache(const struct cls_caps *caps)
{
    const uint64_t min = 256 << 10, max = 2 << 20;
    return cls_min(cls_max(caps->local_bytes, min), max);
}

/* Bytes of reading and writing one element. */
static inline uint64_t cls_copy_bytes(const struct cls_spec *spec)
{
    return 2 * ((uint64_t)spec->key_bytes + spec->value_bytes);
}

/* Returns whether the driver copies and reads the keys of a custom order correctly; otherwise sets *why. The self-test
 * could not tell, since the only keys it knows are zeros. A packed struct shows only by the word in the caller's text. */
static inline bool cls_copies_keys(const struct cls_caps *caps, const struct cls_spec *spec,
                                   const char **why)
{
    const struct cls_custom *custom = &spec->custom;
    if (spec->order != CLS_ORDER_CUSTOM || !caps->rounds_addresses)
        return true;
    if (spec->key_bytes > 2 && spec->key_bytes % 4 != 0) {
        *why = "this driver miscopies structs whose size is not a multiple of 4 bytes";
        return false;
    }
    if (strstr(custom->prelude, "pack") || strstr(custom->key_type, "pack")) {
        *why = "this driver misreads packed structs";
        return false;
    }
    return true;
}

#endif
