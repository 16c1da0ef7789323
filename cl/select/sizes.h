/* sizes.h - how a selection divides the input, and its bracket, for the host and the kernels
 *
 * The host computes the sizes, unless the count is in device memory: then the kernel select_size does. */
#ifndef CLSORT_SELECT_SIZES_H
#define CLSORT_SELECT_SIZES_H

#include "select/layout.h"

enum {
    CLS_SELECT_TILE_ITEMS = 16, /* keys of a work-item in a tile: WORK_ITEM_KEYS in tiles.cl */
    /* The elements for each key of the sample, unless it would have fewer than MIN_SAMPLES or more than MAX_SAMPLES
     * keys. CPUs take a larger sample, since it leaves fewer candidates. */
    CLS_SELECT_CPU_KEYS_PER_SAMPLE = 1024,
    CLS_SELECT_GPU_KEYS_PER_SAMPLE = 4096,
    /* Of few selected elements, all have ranks near 0 in the sample, whatever its size is. A smaller one takes less
     * time than the additional candidates. */
    CLS_SELECT_GPU_KEYS_PER_SAMPLE_OF_FEW = 2 * CLS_SELECT_GPU_KEYS_PER_SAMPLE,
    CLS_SELECT_FEW = CLS_SELECT_GPU_KEYS_PER_SAMPLE,
    CLS_SELECT_MIN_SAMPLES = 1 << 10,
    CLS_SELECT_MAX_SAMPLES = 1 << 16,
    /* If k is at most this part of the input, all elements of the output are candidates. */
    CLS_SELECT_CANDIDATES_DIVISOR = 16
};

static inline cls_u64 cls_select_ceil(const cls_u64 a, const cls_u64 b)
{
    return a / b + (a % b > 0);
}

/* Returns the square root, rounded up. */
static inline cls_u64 cls_select_root(const cls_u64 x)
{
    cls_u64 low = 0, high = 0xffffffff;
    while (low < high) {
        const cls_u64 middle = low + (high - low) / 2;
        if (middle * middle < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns the number of elements per key of the sample, at least 1, for the wanted number. Monotonic. */
static inline cls_u64 cls_select_keys_per_sample(const cls_u64 count, const cls_u64 wanted)
{
    const cls_u64 few = cls_select_ceil(count, CLS_SELECT_MIN_SAMPLES),
                  many = cls_select_ceil(count, CLS_SELECT_MAX_SAMPLES),
                  usual = few < wanted ? few : wanted, keys = usual > many ? usual : many;
    return keys > 0 ? keys : 1;
}

/* Sets the ranks of the bracket's ends in the sample. The rank of the threshold in the sample has a
 * binomial distribution with expectation k * samples / count; the ends are four standard deviations
 * and four ranks from it. If the output is small, there is no lower end, so that all elements of
 * the output are candidates; the n-th element always is one. */
static inline void cls_select_set_ranks(cls_select_args *args)
{
    const cls_u64 rank = args->samples > 0 ? args->k / (args->count / args->samples) : 0,
                  expected = rank < args->samples ? rank : args->samples,
                  above = args->samples - expected;
    const cls_u64 deviation = cls_select_root(expected < above ? expected : above) + 1,
                  distance = 4 * deviation + 4;
    const int wants_low = args->is_nth || args->k > args->count / CLS_SELECT_CANDIDATES_DIVISOR;
    args->low_rank = wants_low && expected > distance ? (cls_u32)(expected - distance) : 0;
    args->high_rank = (cls_u32)(expected + distance + 1);
}

/* Sets what depends on args->count, args->k, args->keys_per_sample and args->is_nth, for a number of chunks, which
 * is at least 1. A tile is tile_items elements. */
static inline void cls_select_set_sizes(cls_select_args *args, const cls_u64 chunks,
                                        const cls_u64 tile_items)
{
    const cls_u64 share = cls_select_ceil(args->count, chunks);
    args->chunk = cls_select_ceil(share, tile_items) * tile_items;
    args->samples =
        (cls_u32)(args->count / cls_select_keys_per_sample(args->count, args->keys_per_sample));
    cls_select_set_ranks(args);
}

#endif
