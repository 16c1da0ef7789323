/* sizes.h - how the radix sort for CPUs divides a number of elements, for the host and the kernels
 *
 * The host computes the sizes, unless the count is in device memory: then each kernel does. */
#ifndef CLSORT_CPU_RADIX_SIZES_H
#define CLSORT_CPU_RADIX_SIZES_H

#include "cpu_radix/layout.h"

/* What the sizes depend on besides the number of elements. */
typedef struct {
    cls_u64 bucket_bytes; /* the size that a bucket should have */
    cls_u32 element_bytes;
    cls_u32 max_bits; /* log2 of the maximum number of bins */
    cls_u32 min_bins; /* for load balance */
    cls_u32 max_samples;
    cls_u32
        leaves; /* a child of the bin tree is split only if it has more than this part of the sample */
    cls_u32 unused;
} cls_cpu_radix_limits;

enum {
    CLS_CPU_RADIX_SINGLE_MAX =
        1 << 16, /* the largest count for which one launch is faster than five, measured */
    CLS_CPU_RADIX_CHUNK_ALIGNMENT = 1024,
    CLS_CPU_RADIX_KEYS_PER_SAMPLE = 1024, /* one key in 1024 is in the sample, within the limits */
    CLS_CPU_RADIX_MIN_SAMPLE = 512,
    CLS_CPU_RADIX_SAMPLE_ALIGNMENT = 64 /* SAMPLES_ALIGNED in bin_tree.cl */
};

/* Returns log2 of the number of bins: enough for buckets that fit in L1, which was measured to gain
 * more than fewer output streams of the partition. */
static inline cls_u32 cls_cpu_radix_bin_bits(const cls_cpu_radix_limits limits, const cls_u64 count)
{
    cls_u32 bits = 0;
    while (bits < limits.max_bits && (count * limits.element_bytes >> bits > limits.bucket_bytes ||
                                      1u << bits < limits.min_bins)) {
        bits++;
    }
    return bits;
}

/* Sets the sizes that depend on args->count. args->chunks is set already. */
static inline void cls_cpu_radix_size(const cls_cpu_radix_limits limits, cls_cpu_radix_args *args)
{
    const cls_u64 chunk_unit = (cls_u64)args->chunks * CLS_CPU_RADIX_CHUNK_ALIGNMENT;
    cls_u64 samples = args->count / CLS_CPU_RADIX_KEYS_PER_SAMPLE / CLS_CPU_RADIX_SAMPLE_ALIGNMENT *
                      CLS_CPU_RADIX_SAMPLE_ALIGNMENT;
    args->chunk =
        (args->count / chunk_unit + (args->count % chunk_unit > 0)) * CLS_CPU_RADIX_CHUNK_ALIGNMENT;
    samples = samples > CLS_CPU_RADIX_MIN_SAMPLE ? samples : CLS_CPU_RADIX_MIN_SAMPLE;
    args->samples = samples > limits.max_samples ? limits.max_samples : (cls_u32)samples;
    args->bin_bits = cls_cpu_radix_bin_bits(limits, args->count);
    args->max_leaf = args->samples / limits.leaves;
}

#endif
