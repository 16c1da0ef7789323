// split_part.cl - splits a part of a bucket that is too large for the slice
//
// The bins of a split come from a sample of the part (bin_tree.cl). The part's elements are moved
// to their bins in the other array, and each bin becomes a part.
//
// Cost: a read of the keys to count them, then one read and one write of the elements.
#ifndef CLSORT_CPU_RADIX_SPLIT_PART_CL
#define CLSORT_CPU_RADIX_SPLIT_PART_CL

#include "cpu_radix/bin_tree.cl"
#include "cpu_radix/pack.cl"
#include "cpu_radix/part.cl"

#define MAX_SPLIT_BITS 8u
#define MAX_SPLIT_BINS (1u << MAX_SPLIT_BITS)
#define MIN_SPLIT_BITS 3u
// In place of CLS_CPU_RADIX_FINER_BITS. The table of bins exceeds L1, but fewer nodes are looked
// up, which was measured to be faster.
#define SPLIT_FINER_BITS 6u
#define MAX_SPLIT_SAMPLE 2048u
#define MIN_SPLIT_SAMPLE 512u
#define PARTS_PER_SLICE 8 // the size of parts that a split aims at
#define MAX_SPLITS 4      // of a part: samples do not represent a part that is still too large

// The beginning of the slice during a split. The sample follows, and then the bins of the keys.
typedef struct {
    cls_cpu_radix_bin bins[MAX_SPLIT_BINS];
    compared_key_t last_keys[MAX_SPLIT_BINS + 64 / sizeof(compared_key_t)]; // one more is used
    uchar nodes[BIN_NODES_BYTES(MAX_SPLIT_BITS + SPLIT_FINER_BITS)];
} split_t;

// Returns the size of the sample: MAX_SPLIT_SAMPLE, or as many keys as fit in the slice.
static inline uint split_samples(const sorter_t *sorter)
{
    const ulong bytes = max(sorter->slice_bytes, (ulong)sizeof(split_t)) - sizeof(split_t);
    return (uint)min(bytes / SAMPLE_BYTES(SAMPLES_ALIGNED) * SAMPLES_ALIGNED,
                     (ulong)MAX_SPLIT_SAMPLE);
}

// Computes the histogram of the bins. If `kept` is not 0, it receives the bins of all keys but the
// last count % 16, so that scatter_part need not look them up again.
static inline void count_bins_of_part(__global const key_t *keys, const index_t count,
                                      const bin_lookup_t lookup, index_t *restrict counts,
                                      __global uchar *restrict kept)
{
    uint bins[VECTOR_LANES];
    index_t i = 0;
    for (; i + VECTOR_LANES <= count; i += VECTOR_LANES) {
        bins_of(lookup, vload16(0, keys + i), bins);
        if (kept) {
            vstore16(convert_uchar16(vload16(0, bins)), 0, kept + i);
        }
#pragma unroll
        for (uint j = 0; j < VECTOR_LANES; j++) {
            counts[bins[j]]++;
        }
    }
    for (; i < count; i++) {
        counts[bin_of(lookup, keys[i])]++;
    }
}

// Scatters the elements to the offsets of their bins.
static inline void scatter_part(const elements_t from, const elements_t to, const index_t count,
                                const bin_lookup_t lookup, index_t *restrict offsets,
                                __global const uchar *restrict kept)
{
    uint bins[VECTOR_LANES];
    index_t i = 0;
    for (; i + VECTOR_LANES <= count; i += VECTOR_LANES) {
        if (kept) {
            vstore16(convert_uint16(vload16(0, kept + i)), 0, bins);
        } else {
            bins_of(lookup, vload16(0, from.keys + i), bins);
        }
#pragma unroll
        for (uint j = 0; j < VECTOR_LANES; j++) {
            const index_t offset = offsets[bins[j]]++;
            to.keys[offset] = from.keys[i + j];
            VALUES(to.values[offset] = from.values[i + j];)
        }
    }
    for (; i < count; i++) {
        const index_t offset = offsets[bin_of(lookup, from.keys[i])]++;
        to.keys[offset] = from.keys[i];
        VALUES(to.values[offset] = from.values[i];)
    }
}

// Returns the number of elements that a part should have after a split.
static inline ulong target_part_size(const sorter_t *sorter)
{
    const ulong fits = sorter->slice_bytes / (KEY_BYTES + VALUE_BYTES) / PARTS_PER_SLICE;
#if defined(SORTS_PACKED_KEYS)
    return min(fits, (ulong)MAX_PACKED / 2);
#else
    return fits;
#endif
}

// Pushes the non-empty bins of a part. The scatter has left the end of each bin in `ends`.
static inline void push_bins(pending_parts_t *pending, const bucket_part_t part,
                             __global const cls_cpu_radix_bin *bins, const index_t *ends,
                             const uint count)
{
    index_t first = 0;
    for (uint bin = 0; bin < count; bin++) {
        const uint varying = bits_of(bins[bin].low ^ bins[bin].high);
        const bucket_part_t child = {part.first + first, ends[bin] - first,
                                     part.low,           max(part.low, min(part.top, varying)),
                                     part.splits + 1,    !part.in_output};
        if (child.count > 0) {
            push_part(pending, child);
        }
        first = ends[bin];
    }
}

// Splits a part that is in `here`: moves it to `other`, and pushes the parts that result. Returns
// false, and does nothing, if these could be too many, or the slice is too small for a sample.
static inline bool split_part(const sorter_t *sorter, const bucket_part_t part,
                              const elements_t here, const elements_t other)
{
    const uint samples = split_samples(sorter);
    if (part.splits == MAX_SPLITS || samples < MIN_SPLIT_SAMPLE ||
        sorter->pending->count + MAX_SPLIT_BINS > MAX_PENDING_PARTS) {
        return false;
    }
    const ulong target = target_part_size(sorter);
    const uint bits = clamp(bits_of(part.count / target), MIN_SPLIT_BITS, MAX_SPLIT_BITS);
    const uint max_leaf = max((uint)(samples * target / part.count), 4 * (samples >> bits));
    __global split_t *split = (__global split_t *)sorter->slice;
    const bin_lookup_t lookup = choose_bins(
        here.keys, part.count, tree_limits(samples, bits, bits, SPLIT_FINER_BITS, max_leaf),
        part.low, part.top, sorter->flip, sorter->window, (__global uchar *)(split + 1),
        sorter->counters, (__global bin_nodes_t *)split->nodes, split->last_keys, split->bins);
    index_t offsets[MAX_SPLIT_BINS] ALIGNED;
    for (uint bin = 0; bin < 1u << bits; bin++) {
        offsets[bin] = 0;
    }
    const bool keeps = sizeof(split_t) + part.count <= sorter->slice_bytes;
    __global uchar *kept = keeps ? (__global uchar *)(split + 1) : 0;
    count_bins_of_part(here.keys, part.count, lookup, offsets, kept);
    scan_counters(offsets, bits);
    scatter_part(here, other, part.count, lookup, offsets, kept);
    push_bins(sorter->pending, part, split->bins, offsets, lookup.tree.bins);
    return true;
}

#endif
