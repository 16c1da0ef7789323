// histogram.cl - counts the keys of each bin in each chunk, and computes the key summary
#ifndef CLSORT_CPU_RADIX_HISTOGRAM_CL
#define CLSORT_CPU_RADIX_HISTOGRAM_CL

#include "common/key_summary.cl"
#include "cpu_radix/bins.cl"
#include "cpu_radix/chunk.cl"
#include "cpu_radix/lsd_sort.cl"

// -- the key summary ------------------------------------------------------------------------------

// Returns the summary of the keys [first, last) of n. They are in order if no key is greater than
// its successor, which for the last one may be outside the range.
OUTLINED cls_key_summary summarize_keys(__global const key_t *restrict keys, index_t first,
                                        const index_t last, const index_t n, const key_t flip,
                                        const key_t window)
{
    key_vector_t any = 0, all = LARGEST_KEY, descents = 0;
    for (; first + VECTOR_LANES < last; first += VECTOR_LANES) {
        const key_vector_t x = ordered_vector(vload16(0, keys + first), flip),
                           next = ordered_vector(vload16(0, keys + first + 1), flip) & window;
        any |= x;
        all &= x;
        descents |= max(x & window, next) ^ next;
    }
    cls_key_summary summary = summary_of_nothing();
    for (; first < last; first++) {
        const key_t key = ordered(keys[first], flip);
        const key_t next = first + 1 < n ? ordered(keys[first + 1], flip) : LARGEST_KEY;
        summary = merge_summaries(summary, summary_of_key(key, next, window));
    }
    key_t lanes[3][VECTOR_LANES];
    vstore16(any, 0, lanes[0]);
    vstore16(all, 0, lanes[1]);
    vstore16(descents, 0, lanes[2]);
    for (uint lane = 0; lane < VECTOR_LANES; lane++) {
        const cls_key_summary more = {lanes[0][lane], lanes[1][lane], lanes[2][lane] == 0};
        summary = merge_summaries(summary, more);
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

OUTLINED void count_bins(__global const key_t *restrict keys, const index_t first,
                         const index_t last, const bin_lookup_t lookup, index_t *restrict counts)
{
    // Vectors find the bins; the counters are incremented one by one.
    const uint bits = table_bits(lookup.tree.bins), table_mask = table_count(bits) - 1;
    uint bins[VECTOR_LANES];
    index_t i = first;
    for (; i + VECTOR_LANES <= last; i += VECTOR_LANES) {
        bins_of(lookup, vload16(0, keys + i), bins);
#pragma unroll
        for (uint j = 0; j < VECTOR_LANES; j++) {
            counts[bins[j] + ((j & table_mask) << bits)]++;
        }
    }
    for (; i < last; i++) {
        counts[bin_of(lookup, keys[i])]++;
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

// The table of counts has a row for each bin, with a column for each chunk.
__kernel WORK_ITEM_KERNEL void cpu_radix_histogram(BUFFER(control), BUFFER(nodes), INPUT(keys),
                                                   BUFFER(table), BUFFER(summaries),
                                                   const cls_cpu_radix_args args)
{
    const index_t n = (index_t)args.count;
    const key_t flip = (key_t)args.flip, window = (key_t)args.window;
    const bin_lookup_t lookup = lookup_in(AT(const cls_cpu_radix_control, control)->tree,
                                          AT(const bin_nodes_t, nodes), flip, window);
    const uint bins = lookup.tree.bins;
    index_t counts[BIN_COUNTERS] ALIGNED;
    clear_bin_counts(counts, bins);
    const cpu_radix_chunk_t chunk = chunk_at(get_group_id(0), (index_t)args.chunk, n);
    cls_key_summary all = summary_of_nothing();
    for (index_t i = chunk.first; i < chunk.last;) {
        const index_t end = i + min(chunk.last - i, (index_t)HISTOGRAM_BLOCK);
        all = merge_summaries(all, summarize_keys(AT(const key_t, keys), i, end, n, flip, window));
        count_bins(AT(const key_t, keys), i, end, lookup, counts);
        i = end;
    }
    __global index_t *column = AT(index_t, table) + get_group_id(0);
    for (uint bin = 0; bin < bins; bin++) {
        column[bin * get_num_groups(0)] = bin_count(counts, bins, bin);
    }
    AT(cls_key_summary, summaries)[get_group_id(0)] = all;
}

#endif
