/* sizes.h - how the sample sort for CPUs divides a number of keys, for the host and the kernels
 *
 * The host computes the sizes, unless the count is in device memory: then each kernel does. */
#ifndef CLSORT_CPU_SAMPLE_SIZES_H
#define CLSORT_CPU_SAMPLE_SIZES_H

#include "cpu_sample/layout.h"

enum {
    CLS_CPU_SAMPLE_SINGLE_MAX =
        1 << 16, /* the largest count for which one launch is faster than four, measured */
    CLS_CPU_SAMPLE_CHUNKS_PER_UNIT = 4, /* for load balance */
    CLS_CPU_SAMPLE_BINS_PER_UNIT = 8,
    CLS_CPU_SAMPLE_MIN_CHUNK = 4096, /* keys */
    CLS_CPU_SAMPLE_MIN_BUCKET = 2048,
    CLS_CPU_SAMPLE_CHUNK_ALIGNMENT = 64,
    /* The part of a slice that a bin of mean size fills. Bins differ in size, since their splitters
     * come from a sample. */
    CLS_CPU_SAMPLE_FILL_PERCENT = 60,
    CLS_CPU_SAMPLE_MAX_PIECES = 1 << 21,
    CLS_CPU_SAMPLE_PER_BIN = 64, /* keys of the sample */
    CLS_CPU_SAMPLE_MIN_SAMPLE = 512
};

/* What the sizes depend on besides the number of keys. */
typedef struct {
    cls_u64 slice_keys; /* that a slice can hold behind the workspace */
    cls_u32 units;
    cls_u32 max_samples; /* that fit in a slice with the workspace of their sort */
} cls_cpu_sample_limits;

/* Upper bounds, which are monotonic in the count. */
typedef struct {
    cls_u64 chunks, bins;
} cls_cpu_sample_bounds;

static inline cls_u64 cls_cpu_sample_ceil(const cls_u64 a, const cls_u64 b)
{
    return a / b + (a % b > 0);
}

/* Returns at least `parts` parts, unless they would be smaller than min_part, but enough parts of at
 * most max_part keys. */
static inline cls_u64 cls_cpu_sample_parts(const cls_u64 count, const cls_u64 parts,
                                           const cls_u64 min_part, const cls_u64 max_part)
{
    const cls_u64 full = cls_cpu_sample_ceil(count, min_part),
                  needed = cls_cpu_sample_ceil(count, max_part);
    const cls_u64 wanted = parts < full ? parts : full;
    return wanted > needed ? wanted : needed;
}

/* Divides the keys into chunks that fit in a slice, and into bins that fill FILL_PERCENT of a slice on
 * average, unless there would be too many pieces. Sets the sizes that depend on args->count, and
 * *bounds. */
static inline void cls_cpu_sample_size(const cls_cpu_sample_limits limits,
                                       cls_cpu_sample_args *args, cls_cpu_sample_bounds *bounds)
{
    const cls_u64 units = limits.units;
    bounds->chunks = cls_cpu_sample_parts(args->count, units * CLS_CPU_SAMPLE_CHUNKS_PER_UNIT,
                                          CLS_CPU_SAMPLE_MIN_CHUNK, limits.slice_keys);
    bounds->bins = cls_cpu_sample_parts(args->count, units * CLS_CPU_SAMPLE_BINS_PER_UNIT,
                                        CLS_CPU_SAMPLE_MIN_BUCKET,
                                        limits.slice_keys * CLS_CPU_SAMPLE_FILL_PERCENT / 100);
    const cls_u64 max_bins = CLS_CPU_SAMPLE_MAX_PIECES / bounds->chunks;
    args->bins = (cls_u32)(bounds->bins < max_bins ? bounds->bins : max_bins);
    args->chunk =
        cls_cpu_sample_ceil(args->count, bounds->chunks * CLS_CPU_SAMPLE_CHUNK_ALIGNMENT) *
        CLS_CPU_SAMPLE_CHUNK_ALIGNMENT;
    args->chunks = (cls_u32)cls_cpu_sample_ceil(args->count, args->chunk);
    cls_u32 samples = args->bins * CLS_CPU_SAMPLE_PER_BIN;
    samples = samples > CLS_CPU_SAMPLE_MIN_SAMPLE ? samples : CLS_CPU_SAMPLE_MIN_SAMPLE;
    args->samples = samples < limits.max_samples ? samples : limits.max_samples;
}

#endif
