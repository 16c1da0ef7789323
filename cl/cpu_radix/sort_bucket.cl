// sort_bucket.cl - one work-item sorts a bucket of any size in its slice of scratch, which stays in its L2
//
// A bucket that is too large for the slice is split into parts by bins of its own (bin_tree.cl), repeatedly if
// necessary. Each part is sorted in the slice, by packed keys (pack.cl) or by LSD passes (lsd_sort.cl), and then written
// to the output by streaming stores; elements that were written one by one would each wait for a line of memory.
//
// Falls back to LSD passes over memory in three cases: the slice is too small for a sample (less than 80 to 100 KiB),
// a part is still too large after 4 splits, or there are too many pending parts.
//
// Cost: a part is read and written once beyond the cache; each split reads its elements twice more and writes them once
// more.
#ifndef CLSORT_CPU_RADIX_SORT_BUCKET_CL
#define CLSORT_CPU_RADIX_SORT_BUCKET_CL

#include "common/compress.cl"
#include "common/streaming_store.cl"
#include "cpu_radix/bin_tree.cl"
#include "cpu_radix/lsd_sort.cl"
#include "cpu_radix/part.cl"

// Where vectors can sort packed keys; it defines SORTS_PACKED_KEYS.
#if defined(COMPRESSES) && KEY_BYTES >= 4 && VALUE_BYTES > 0
#include "cpu_radix/pack.cl"
#endif

#define MAX_SPLIT_BITS 8u
#define MAX_SPLIT_BINS (1u << MAX_SPLIT_BITS)
#define MIN_SPLIT_BITS 3u
#define SPLIT_FINER_BITS                                                                           \
    6u // as CLS_CPU_RADIX_FINER_BITS: exceeds L1, but has fewer nodes to look up (measured)
#define MAX_SPLIT_SAMPLE 2048u
#define MIN_SPLIT_SAMPLE 512u
#define PART_SHARE 8 // a split aims at parts of one PART_SHARE-th of the slice
#define MAX_SPLITS 4 // of a part: samples do not represent a part that is still too large

// The memory and the order that a work-item sorts with.
typedef struct {
    __global uchar *slice;
    ulong slice_bytes;
    key_t flip, window;
    index_t *counters; // COUNTERS of them
    pending_parts_t *pending;
} sorter_t;

static inline void stream_elements(const elements_t from, const elements_t to, const index_t count)
{
    stream_keys(from.keys, to.keys, count);
    VALUES(stream_units((__global const value_unit_t *)from.values,
                        (__global value_unit_t *)to.values,
                        (size_t)count * (VALUE_BYTES / sizeof(value_unit_t)));)
}

// Returns the size of each of two equal arrays of elements that fill the slice.
static inline index_t slice_elements(const sorter_t *sorter)
{
    return (index_t)(sorter->slice_bytes / (2 * (KEY_BYTES + VALUE_BYTES)) / VECTOR_LANES *
                     VECTOR_LANES);
}

#if defined(SORTS_PACKED_KEYS)
// Returns whether packed_sort can sort the part in the slice, and is worth it.
static inline bool uses_packed_keys(const sorter_t *sorter, const bucket_part_t part)
{
    const index_t count = part.count;
    return part.top - part.low > CLS_CPU_RADIX_MAX_DIGIT_BITS && count > MAX_INSERTION &&
           count <= MAX_PACKED &&
           PACKED_WORKSPACE_AT(count) + PACKED_WORKSPACE(count) * KEY_BYTES <= sorter->slice_bytes;
}

// Returns false if there are too many pending parts; `from` and the pending parts are unchanged then.
static inline bool sort_packed_part(const sorter_t *sorter, const bucket_part_t part,
                                    const elements_t from, const elements_t to)
{
    const elements_t sorted = elements_in(sorter->slice, ALIGNED_COUNT(part.count));
    __global key_t *workspace = (__global key_t *)(sorter->slice + PACKED_WORKSPACE_AT(part.count));
    const uint pending = sorter->pending->count;
    if (!packed_sort(from, sorted, part, sorter->flip, sorter->window, workspace,
                     sorter->pending)) {
        sorter->pending->count = pending;
        return false;
    }
    stream_elements(sorted, to, part.count);
    return true;
}
#endif

// Returns whether a part is sorted without a split.
static inline bool is_small(const sorter_t *sorter, const bucket_part_t part)
{
#if defined(SORTS_PACKED_KEYS)
    if (uses_packed_keys(sorter, part))
        return true;
#else
    if (part.count <= slice_elements(sorter))
        return true;
#endif
    return part.count <= MAX_INSERTION || part.top - part.low <= CLS_CPU_RADIX_MAX_DIGIT_BITS;
}

// Sorts a part without a split, from `from` to `to`. `other` is the array that the part is not in, as workspace.
static inline void sort_part(const sorter_t *sorter, const bucket_part_t part,
                             const elements_t from, const elements_t other, const elements_t to)
{
    const index_t count = part.count, fits = slice_elements(sorter);
    const elements_t slice = elements_in(sorter->slice, 2 * (uint)fits),
                     sorted = elements_at(slice, fits);
    if (part.top == part.low) {
        if (from.keys != to.keys)
            stream_elements(from, to, count);
        return;
    }
#if defined(SORTS_PACKED_KEYS)
    if (uses_packed_keys(sorter, part) && sort_packed_part(sorter, part, from, to))
        return;
#endif
    if (count <= fits) {
        sort_elements(from, slice, sorted, sorted, count, sorter->flip, sorter->window, part.low,
                      part.top, sorter->counters);
        stream_elements(sorted, to, count);
    } else {
        sort_elements(from, other, from, to, count, sorter->flip, sorter->window, part.low,
                      part.top, sorter->counters);
    }
}

// The beginning of the slice during a split. The sample follows, and then the bins of the keys.
typedef struct {
    cls_cpu_radix_bin bins[MAX_SPLIT_BINS];
    uchar nodes[BIN_NODES_BYTES(MAX_SPLIT_BITS + SPLIT_FINER_BITS)];
} split_t;

// Returns the size of the sample, as far as the slice allows.
static inline uint split_samples(const sorter_t *sorter)
{
    const ulong bytes = max(sorter->slice_bytes, (ulong)sizeof(split_t)) - sizeof(split_t);
    return (uint)min(bytes / SAMPLE_BYTES(SAMPLES_ALIGNED) * SAMPLES_ALIGNED,
                     (ulong)MAX_SPLIT_SAMPLE);
}

// Computes the histogram of the bins. If `kept` is not 0 it receives the bin of each key, so that bins are looked up
// once. (The last count % 16 bins are not kept.)
static inline void count_bins_of_part(__global const key_t *keys, const index_t count,
                                      const bin_lookup_t lookup, index_t *restrict counts,
                                      __global uchar *restrict kept)
{
    uint bins[VECTOR_LANES];
    index_t i = 0;
    for (; i + VECTOR_LANES <= count; i += VECTOR_LANES) {
        bins_of(lookup, vload16(0, keys + i), bins);
        if (kept)
            vstore16(convert_uchar16(vload16(0, bins)), 0, kept + i);
#pragma unroll
        for (uint j = 0; j < VECTOR_LANES; j++)
            counts[bins[j]]++;
    }
    for (; i < count; i++)
        counts[bin_of(lookup, keys[i])]++;
}

// Scatters the elements to the offsets of their bins.
static inline void scatter_part(const elements_t from, const elements_t to, const index_t count,
                                const bin_lookup_t lookup, index_t *restrict offsets,
                                __global const uchar *restrict kept)
{
    uint bins[VECTOR_LANES];
    index_t i = 0;
    for (; i + VECTOR_LANES <= count; i += VECTOR_LANES) {
        if (kept)
            vstore16(convert_uint16(vload16(0, kept + i)), 0, bins);
        else
            bins_of(lookup, vload16(0, from.keys + i), bins);
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
    const ulong fits = sorter->slice_bytes / (KEY_BYTES + VALUE_BYTES) / PART_SHARE;
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
        if (child.count > 0)
            push_part(pending, child);
        first = ends[bin];
    }
}

// Splits a part that is in `here`: moves it to `other`, and pushes the parts that result. Returns false, and does
// nothing, if these could be too many, or the slice is too small for a sample.
static inline bool split_part(const sorter_t *sorter, const bucket_part_t part,
                              const elements_t here, const elements_t other)
{
    const uint samples = split_samples(sorter);
    if (part.splits == MAX_SPLITS || samples < MIN_SPLIT_SAMPLE ||
        sorter->pending->count + MAX_SPLIT_BINS > MAX_PENDING_PARTS)
        return false;
    const ulong target = target_part_size(sorter);
    const uint bits = clamp(bits_of(part.count / target), MIN_SPLIT_BITS, MAX_SPLIT_BITS);
    const uint max_leaf = max((uint)(samples * target / part.count), 4 * (samples >> bits));
    __global split_t *split = (__global split_t *)sorter->slice;
    const bin_lookup_t lookup =
        choose_bins(here.keys, part.count, tree_limits(samples, bits, SPLIT_FINER_BITS, max_leaf),
                    part.low, part.top, sorter->flip, sorter->window, (__global uchar *)(split + 1),
                    sorter->counters, (__global bin_nodes_t *)split->nodes, split->bins);
    index_t offsets[MAX_SPLIT_BINS] ALIGNED;
    for (uint bin = 0; bin < 1u << bits; bin++)
        offsets[bin] = 0;
    const bool keeps = sizeof(split_t) + part.count <= sorter->slice_bytes;
    __global uchar *kept = keeps ? (__global uchar *)(split + 1) : 0;
    count_bins_of_part(here.keys, part.count, lookup, offsets, kept);
    scan_counters(offsets, bits);
    scatter_part(here, other, part.count, lookup, offsets, kept);
    push_bins(sorter->pending, part, split->bins, offsets, lookup.tree.bins);
    return true;
}

// Sorts a bucket of elements that differ in the bits [low, top) only. Also writes to `from`.
static inline void sort_bucket(const sorter_t *sorter, const index_t count, const uint low,
                               const uint top, const elements_t from, const elements_t to)
{
    pending_parts_t *pending = sorter->pending;
    bucket_part_t part = {0, count, low, top, 0, false};
    for (pending->count = 0;;) {
        const elements_t source = elements_at(from, part.first),
                         target = elements_at(to, part.first);
        const elements_t here = part.in_output ? target : source,
                         other = part.in_output ? source : target;
        if (is_small(sorter, part) || !split_part(sorter, part, here, other))
            sort_part(sorter, part, here, other, target);
        if (pending->count == 0)
            return;
        part = pending->part[--pending->count];
    }
}

#endif
