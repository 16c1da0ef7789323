/* limits.h - device limits and costs that several algorithms need in supports() and schedule() */
#ifndef CLSORT_ALGO_COMMON_LIMITS_H
#define CLSORT_ALGO_COMMON_LIMITS_H

#include "algo/algo.h"
#include "base/arithmetic.h"
#include "device/sub_group.h"

/* Returns the maximum count that the index type of the kernels allows. */
static inline uint64_t cls_max_countable(const struct cls_caps *caps, const struct cls_spec *spec)
{
    return spec->index_bits == 32 ? caps->index32_max : UINT64_MAX >> 8;
}

/* Halves the group size until the device supports it. */
static inline unsigned cls_fit_group_size(const struct cls_caps *caps, unsigned group_size)
{
    while (group_size > caps->group_size && group_size > 1)
        group_size /= 2;
    return group_size;
}

/* Returns whether a work-item may iterate over a whole array, as in variants with one work-item per
 * core. Otherwise sets *why. */
static inline bool cls_allows_long_work_items(const struct cls_caps *caps, const char **why)
{
    if (!(caps->type & CL_DEVICE_TYPE_CPU)) {
        *why = "the algorithm runs one work-item per core, which suits CPUs only";
        return false;
    }
    if (caps->max_iterations < UINT64_MAX) {
        *why = "the algorithm runs one work-item per core, and this driver aborts long loops";
        return false;
    }
    return true;
}

/* Returns whether work-groups that have started are known to make progress while others wait for
 * them, as kernels need whose steps wait for each other (cl/common/steps.cl): on the GPUs of NVIDIA.
 * Groups that are smaller than a sub-group emulate sub-groups, and such kernels failed there. On CPUs
 * groups make progress, too, but those that wait take time from other threads. */
static inline bool cls_started_groups_progress(const struct cls_caps *caps, unsigned group_size)
{
    const bool is_nvidia =
        caps->sub_group_backend == CLS_SUB_GROUP_NVIDIA && group_size >= caps->sub_group_size;
    return caps->max_iterations == UINT64_MAX && (is_nvidia || caps->groups_progress);
}

/* Returns the bytes of a core's private cache, which CPU drivers report as local memory, limited to
 * plausible sizes. */
static inline uint64_t cls_core_cache(const struct cls_caps *caps)
{
    const uint64_t min = 256 << 10, max = 2 << 20;
    return cls_min(cls_max(caps->local_bytes, min), max);
}

/* Returns the bytes that a copy reads and writes per element. */
static inline uint64_t cls_copy_bytes(const struct cls_spec *spec)
{
    return 2 * ((uint64_t)spec->key_bytes + spec->value_bytes);
}

/* Returns the bytes of an element that a comparison reads. */
static inline uint64_t cls_compared_bytes(const struct cls_spec *spec)
{
    return spec->order == CLS_ORDER_COLUMNS ? sizeof(cl_ulong) * (uint64_t)spec->column_words
                                            : spec->key_bytes;
}

/* Returns an upper bound of the loop iterations of a comparison of two elements by columns; 0 for keys. A word has at
 * most 8 parts. Words inside of a byte string have one, and those at its ends at most 3 of it. */
static inline uint64_t cls_iterations_per_comparison(const struct cls_spec *spec)
{
    const uint64_t words = spec->column_words;
    const uint64_t parts = cls_min(8 * words, words + 6 * CLSORT_MAX_COLUMNS);
    return words + 2 * parts;
}

/* Returns whether keys are at most max_bytes wide. Otherwise sets *why. Kernels that compare keys of
 * a custom order copy about 20 of them to private memory, which on CPUs is the stack of a thread. Elements
 * that are compared by columns are not copied. */
static inline bool cls_fits_private_memory(const struct cls_spec *spec, unsigned max_bytes,
                                           const char **why)
{
    if (spec->order == CLS_ORDER_COLUMNS || spec->key_bytes <= max_bytes)
        return true;
    *why = "the keys are too large for private memory";
    return false;
}

/* Returns whether the driver copies and reads the keys of a custom order correctly. Otherwise sets
 * *why. The self-test cannot detect such an error, since it sorts keys whose bytes are all zero.
 * Packed structs are recognized by the word "pack" in the caller's source. */
static inline bool cls_copies_keys(const struct cls_caps *caps, const struct cls_spec *spec,
                                   const char **why)
{
    const struct cls_custom *custom = &spec->custom;
    if (spec->order != CLS_ORDER_CUSTOM || !caps->miscopies_structs)
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
