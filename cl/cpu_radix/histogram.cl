// histogram.cl - counts the keys of each bin in each chunk, and computes the key summary
//
// The summary of a block of keys comes first. If the block is in ascending or descending order, the
// keys of a bin are adjacent, and few of them are read to count them all.
//
// If a tree finds the bins, and the sort is not in place, the bin of each key is stored where the
// output will be. The scatter reads it from there instead of descending the tree again.
#ifndef CLSORT_CPU_RADIX_HISTOGRAM_CL
#define CLSORT_CPU_RADIX_HISTOGRAM_CL

#include "common/key_summary.cl"
#include "cpu_radix/args.cl"
#include "cpu_radix/bins.cl"
#include "cpu_radix/chunk.cl"
#include "cpu_radix/lsd_sort.cl"

// -- the key summary ------------------------------------------------------------------------------

static inline cls_cpu_radix_summary merge_chunk_summaries(const cls_cpu_radix_summary a,
                                                          const cls_cpu_radix_summary b)
{
    const cls_cpu_radix_summary summary = {merge_summaries(a.keys, b.keys),
                                           a.is_reversed & b.is_reversed};
    return summary;
}

static inline cls_cpu_radix_summary summary_of_no_keys(void)
{
    const cls_cpu_radix_summary summary = {summary_of_nothing(), 1};
    return summary;
}

// Returns the summary of the keys [first, last) of n. They are in order if no key is greater than
// its successor, which for the last one may be outside the range, and reversed if each key is.
OUTLINED cls_cpu_radix_summary summarize_keys(__global const key_t *restrict keys, index_t first,
                                              const index_t last, const index_t n, const key_t flip,
                                              const key_t window)
{
    // A step is 0 where a key is not greater than its successor.
    key_vector_t any = 0, all = LARGEST_KEY, any_step = 0, min_step = LARGEST_KEY;
    for (; first + VECTOR_LANES < last; first += VECTOR_LANES) {
        const key_vector_t x = ordered_vector(vload16(0, keys + first), flip),
                           next = ordered_vector(vload16(0, keys + first + 1), flip) & window;
        const key_vector_t step = max(x & window, next) ^ next;
        any |= x;
        all &= x;
        any_step |= step;
        min_step = min(min_step, step);
    }
    cls_cpu_radix_summary summary = summary_of_no_keys();
    for (; first < last; first++) {
        const key_t key = ordered(keys[first], flip);
        const key_t next = first + 1 < n ? ordered(keys[first + 1], flip) : LARGEST_KEY;
        const cls_cpu_radix_summary more = {summary_of_key(key, next, window),
                                            first + 1 == n || (key & window) > (next & window)};
        summary = merge_chunk_summaries(summary, more);
    }
    key_t lanes[4][VECTOR_LANES];
    vstore16(any, 0, lanes[0]);
    vstore16(all, 0, lanes[1]);
    vstore16(any_step, 0, lanes[2]);
    vstore16(min_step, 0, lanes[3]);
    for (uint lane = 0; lane < VECTOR_LANES; lane++) {
        const cls_cpu_radix_summary more = {
            {lanes[0][lane], lanes[1][lane], lanes[2][lane] == 0, 0}, lanes[3][lane] != 0};
        summary = merge_chunk_summaries(summary, more);
    }
    return summary;
}

// -- the counters ---------------------------------------------------------------------------------

// If there are few bins, each has several counters, one in each table of 2^table_bits counters.
// Consecutive keys use different tables, so that an increment does not wait for the store of the
// previous one to the same counter.
#define BIN_COUNTERS (2 * MAX_BINS)

static inline uint table_bits(const uint bins)
{
    return bits_of(bins - 1);
}

// Returns the number of tables.
static inline uint table_count(const uint bits)
{
    return min((uint)VECTOR_LANES, BIN_COUNTERS >> bits);
}

// Counts the bins of the keys. If `kept` is not 0, it receives the bins of all keys but the last
// (last - first) % 16.
OUTLINED void count_bins(__global const key_t *restrict keys, const index_t first,
                         const index_t last, const bin_lookup_t lookup, index_t *restrict counts,
                         __global ushort *restrict kept)
{
    // Vectors find the bins; the counters are incremented one by one.
    const uint bits = table_bits(lookup.tree.bins), table_mask = table_count(bits) - 1;
    uint bins[VECTOR_LANES];
    index_t i = first;
    for (; i + VECTOR_LANES <= last; i += VECTOR_LANES) {
        bins_of(lookup, vload16(0, keys + i), bins);
        if (kept) {
            vstore16(convert_ushort16(vload16(0, bins)), 0, kept + i);
        }
#pragma unroll
        for (uint j = 0; j < VECTOR_LANES; j++) {
            counts[bins[j] + ((j & table_mask) << bits)]++;
        }
    }
    for (; i < last; i++) {
        counts[bin_of(lookup, keys[i])]++;
    }
}

// Counts keys that are in ascending or descending order. The keys of a bin are then adjacent, and a
// binary search finds where they end. If the keys are in many bins, counting is faster.
#define MAX_SEARCHED_BINS 8u

static inline void count_ordered_bins(__global const key_t *restrict keys, index_t first,
                                      const index_t last, const bin_lookup_t lookup,
                                      index_t *restrict counts, __global ushort *restrict kept)
{
    const uint last_bin = bin_of(lookup, keys[last - 1]);
    if (abs_diff(bin_of(lookup, keys[first]), last_bin) > MAX_SEARCHED_BINS) {
        count_bins(keys, first, last, lookup, counts, kept);
        return;
    }
    while (first < last) {
        const uint bin = bin_of(lookup, keys[first]);
        index_t inside = first, end = last; // the bin of `inside`; the end is in (inside, end]
        if (bin == last_bin) {
            inside = last - 1;
        }
        while (end - inside > 1) {
            const index_t middle = inside + (end - inside) / 2;
            if (bin_of(lookup, keys[middle]) == bin) {
                inside = middle;
            } else {
                end = middle;
            }
        }
        counts[bin] += end - first;
        if (kept) {
            for (index_t i = first; i < end; i++) {
                kept[i] = (ushort)bin;
            }
        }
        first = end;
    }
}

static inline void clear_bin_counts(index_t *restrict counts, const uint bins)
{
    const uint bits = table_bits(bins);
    for (uint i = 0; i < table_count(bits) << bits; i++) {
        counts[i] = 0;
    }
}

// Returns the number of keys of a bin: the sum over the tables.
static inline index_t bin_count(const index_t *restrict counts, const uint bins, const uint bin)
{
    const uint bits = table_bits(bins);
    index_t sum = 0;
    for (uint table = 0; table < table_count(bits); table++) {
        sum += counts[(table << bits) + bin];
    }
    return sum;
}

// -- the kernel -----------------------------------------------------------------------------------

// The summary and the histogram alternate after this many keys, so that the second read hits L1.
#define HISTOGRAM_BLOCK (8192 / KEY_BYTES)

// Returns where the bins of all keys are kept between the histogram and the scatter, so that they
// are looked up once: in the output, which is not in use yet. Returns 0 if the sort is in place, or
// if the look-up is as fast as a read.
static inline __global ushort *kept_bins(const bin_lookup_t lookup, __global const key_t *from,
                                         __global key_t *to)
{
    const bool keeps = KEY_BYTES >= sizeof(ushort) && lookup.tree.children > 0 && from != to;
    return keeps ? (__global ushort *)to : 0;
}

// The table of counts has a row for each bin, with a column for each chunk.
__kernel WORK_ITEM_KERNEL void cpu_radix_histogram(BUFFER(control), BUFFER(nodes),
                                                   BUFFER(last_keys), INPUT(keys), BUFFER(keys_to),
                                                   BUFFER(table), BUFFER(summaries), CPU_RADIX_ARGS)
{
    if (IS_SINGLE) {
        return;
    }
    SIZE_CPU_RADIX_ARGS
    const index_t n = (index_t)args.count;
    const key_t flip = (key_t)args.flip, window = (key_t)args.window;
    const bin_lookup_t lookup =
        lookup_in(AT(const cls_cpu_radix_control, control)->tree, AT(const bin_nodes_t, nodes),
                  AT(const compared_key_t, last_keys), flip, window);
    const uint bins = lookup.tree.bins;
    __global ushort *kept = kept_bins(lookup, AT(const key_t, keys), AT(key_t, keys_to));
    index_t counts[BIN_COUNTERS] ALIGNED;
    clear_bin_counts(counts, bins);
    const cpu_radix_chunk_t chunk = chunk_at(get_group_id(0), (index_t)args.chunk, n);
    cls_cpu_radix_summary all = summary_of_no_keys();
    for (index_t i = chunk.first; i < chunk.last;) {
        const index_t end = i + min(chunk.last - i, (index_t)HISTOGRAM_BLOCK);
        const cls_cpu_radix_summary block =
            summarize_keys(AT(const key_t, keys), i, end, n, flip, window);
        if (block.keys.is_sorted || block.is_reversed) {
            count_ordered_bins(AT(const key_t, keys), i, end, lookup, counts, kept);
        } else {
            count_bins(AT(const key_t, keys), i, end, lookup, counts, kept);
        }
        all = merge_chunk_summaries(all, block);
        i = end;
    }
    __global index_t *column = AT(index_t, table) + get_group_id(0);
    for (uint bin = 0; bin < bins; bin++) {
        column[bin * get_num_groups(0)] = bin_count(counts, bins, bin);
    }
    AT(cls_cpu_radix_summary, summaries)[get_group_id(0)] = all;
}

#endif
