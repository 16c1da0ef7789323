// cpu_radix.cl - stable radix sort for CPUs: one partition into bins of even size, then each bucket inside a cache
//
// The keys are partitioned once, into bins that a sample shows to be of about equal size and that fit in a core's own
// cache. Each core then takes bucket after bucket and sorts it in its cache, so that main memory sees each element only
// twice. A work-item stands for a core: work-groups have one work-item and there are no barriers.
//
// Write combining and cache-local sorts: Satish et al., "Fast sort on CPUs and GPUs", SIGMOD 2010, pp. 351-362.
//
// Kernels, in launch order:
//   cpu_radix_sample_bins    one work-item: chooses the bins from a sample (bin_tree.cl)
//   cpu_radix_histogram      per chunk: counts the keys of each bin; key summary
//   cpu_radix_plan_buckets   one work-item: exclusive scan of the counts; lists the buckets
//   cpu_radix_scatter        per chunk: moves the elements to their bins in scratch (write_combine.cl)
//   cpu_radix_sort_buckets   per core: sorts one bucket after the other into the output (sort_bucket.cl)
// Small inputs:
//   cpu_radix_single         one work-item sorts all elements in one launch (lsd_sort.cl)
//
// A bucket whose keys are all equal is written or copied without a sort. Where there are no values and a key can be
// computed from its number, buckets that differ in few bits are counted and written anew.
//
// Cost: the histogram reads the keys, the scatter and the bucket sort each read and write the elements once beyond the
// caches, with stores that need not read their line first: 5 accesses, 20 bytes for a u32 key.
// Measured (PoCL 3.1, 2 cores of a Xeon with AVX-512 at 2 GHz, 2^24 u32 keys with u32 values, whose model is 36 bytes):
// 227 Mkeys/s, 0.24 of that model at the 34 GB/s that copies move. Of 8.5 ns an item and core, the write-combining
// lines cost 3.6, since most of them are in L2 and one branch in 16 keys is mispredicted, the buckets 3.6, and the
// histogram 0.9.
//
// Options, in addition to those of types.cl:
//   PARTITION_BITS   log2 of the maximum number of bins; their write-combining lines must fit in L2
#ifndef CLSORT_CPU_RADIX_CPU_RADIX_CL
#define CLSORT_CPU_RADIX_CPU_RADIX_CL

#include "common/arrays.cl"
#include "common/key_summary.cl"
#include "common/streaming_store.cl"
#include "cpu_radix/bin_tree.cl"
#include "cpu_radix/layout.h"
#include "cpu_radix/sort_bucket.cl"
#include "cpu_radix/write_combine.cl"

#define SINGLE __attribute__((reqd_work_group_size(1, 1, 1)))
// Keys can be computed from their ordered keys, and nothing moves along with them.
#define CAN_REWRITE_KEYS (VALUE_BYTES == 0 && KEY_ORDER <= 1)

// A range of elements.
typedef struct {
    index_t first, last;
} cpu_radix_chunk_t;

static inline cpu_radix_chunk_t chunk_at(const uint number, const index_t chunk, const index_t n)
{
    cpu_radix_chunk_t range;
    range.first = min(n, number * chunk);
    range.last = range.first + min(n - range.first, chunk);
    return range;
}

// Copies a chunk of input that is in order already, unless it is in place. Index values are written in any case.
static inline void copy_sorted_input(const elements_t from, const elements_t to,
                                     const cpu_radix_chunk_t chunk)
{
    const bool in_place = from.keys == to.keys;
#if VALUE_INDEX
    for (index_t i = chunk.first; i < chunk.last; i++)
        to.values[i] = value_of_index(i);
    if (in_place)
        return;
    for (index_t i = chunk.first; i < chunk.last; i++)
        to.keys[i] = from.keys[i];
#else
    if (!in_place)
        copy_elements(elements_at(from, chunk.first), elements_at(to, chunk.first),
                      chunk.last - chunk.first);
#endif
}

// -- the bins -------------------------------------------------------------------------------------

// The slices are its workspace.
__kernel SINGLE void cpu_radix_sample_bins(BUFFER(control), BUFFER(nodes), BUFFER(bins),
                                           INPUT(keys), BUFFER(slices),
                                           const cls_cpu_radix_args args)
{
    const key_t window = (key_t)args.window;
    index_t counters[COUNTERS] ALIGNED;
    const bin_lookup_t lookup = choose_bins(
        AT(const key_t, keys), (index_t)args.count,
        tree_limits(args.samples, args.bin_bits, CLS_CPU_RADIX_FINER_BITS, args.max_leaf),
        window > 0 ? low_bit(window) : 0, bits_of(window), (key_t)args.flip, window,
        AT(uchar, slices), counters, AT(bin_nodes_t, nodes), AT(cls_cpu_radix_bin, bins));
    AT(cls_cpu_radix_control, control)->tree = lookup.tree;
}

// -- the histogram --------------------------------------------------------------------------------

// Returns the summary of the keys [first, last) of n. They are in order if each is in order with the next one.
static inline cls_key_summary summarize_keys(__global const key_t *restrict keys, index_t first,
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

// A histogram of few bins has several counters per bin, in tables of 2^table_bits counters, so that consecutive keys of
// the same bin do not wait for each other's store.
#define HISTOGRAM_COUNTERS (2 * MAX_BINS)

static inline uint table_bits(const uint bins)
{
    return bits_of(bins - 1);
}

// Returns the number of tables.
static inline uint table_count(const uint bits)
{
    return min((uint)VECTOR_LANES, HISTOGRAM_COUNTERS >> bits);
}

static inline void count_bins(__global const key_t *restrict keys, const index_t first,
                              const index_t last, const bin_lookup_t lookup,
                              index_t *restrict counts)
{
    // Vectors find the bins; the counters are incremented one by one.
    const uint bits = table_bits(lookup.tree.bins), table_mask = table_count(bits) - 1;
    uint bins[VECTOR_LANES];
    index_t i = first;
    for (; i + VECTOR_LANES <= last; i += VECTOR_LANES) {
        bins_of(lookup, vload16(0, keys + i), bins);
#pragma unroll
        for (uint j = 0; j < VECTOR_LANES; j++)
            counts[bins[j] + ((j & table_mask) << bits)]++;
    }
    for (; i < last; i++)
        counts[bin_of(lookup, keys[i])]++;
}

static inline void clear_counts(index_t *restrict counts, const uint bins)
{
    const uint bits = table_bits(bins);
    for (uint i = 0; i < table_count(bits) << bits; i++)
        counts[i] = 0;
}

static inline index_t count_of(const index_t *restrict counts, const uint bins, const uint bin)
{
    const uint bits = table_bits(bins);
    index_t sum = 0;
    for (uint table = 0; table < table_count(bits); table++)
        sum += counts[(table << bits) + bin];
    return sum;
}

// Keys between which the summary and the histogram alternate, so that the second read hits in L1.
#define HISTOGRAM_BLOCK (8192 / KEY_BYTES)

// The table of counts has a row for each bin, with a column for each chunk.
__kernel SINGLE void cpu_radix_histogram(BUFFER(control), BUFFER(nodes), INPUT(keys), BUFFER(table),
                                         BUFFER(summaries), const cls_cpu_radix_args args)
{
    const index_t n = (index_t)args.count;
    const key_t flip = (key_t)args.flip, window = (key_t)args.window;
    const bin_lookup_t lookup = lookup_in(AT(const cls_cpu_radix_control, control)->tree,
                                          AT(const bin_nodes_t, nodes), flip, window);
    const uint bins = lookup.tree.bins;
    index_t counts[HISTOGRAM_COUNTERS] ALIGNED;
    clear_counts(counts, bins);
    const cpu_radix_chunk_t chunk = chunk_at(get_group_id(0), (index_t)args.chunk, n);
    cls_key_summary all = summary_of_nothing();
    for (index_t i = chunk.first; i < chunk.last;) {
        const index_t end = i + min(chunk.last - i, (index_t)HISTOGRAM_BLOCK);
        all = merge_summaries(all, summarize_keys(AT(const key_t, keys), i, end, n, flip, window));
        count_bins(AT(const key_t, keys), i, end, lookup, counts);
        i = end;
    }
    for (uint bin = 0; bin < bins; bin++)
        AT(index_t, table)[bin * get_num_groups(0) + get_group_id(0)] = count_of(counts, bins, bin);
    AT(cls_key_summary, summaries)[get_group_id(0)] = all;
}

// -- the buckets ----------------------------------------------------------------------------------

// Returns an empty bucket with the bits that are left to sort in a bin, from the bin's interval and the keys there are.
static inline cls_cpu_radix_bucket bucket_of(const cls_cpu_radix_bin bin,
                                             const cls_key_summary summary, const key_t window,
                                             const uint low_bit)
{
    const key_t least = (key_t)max(bin.low, summary.all & window),
                greatest = (key_t)min(bin.high, summary.any & window);
    const ulong fixed = ((ulong)1 << low_bit) - 1; // bits that do not vary in any key
    cls_cpu_radix_bucket bucket = {0, 0, (least & ~fixed) | (summary.all & fixed), low_bit,
                                   low_bit};
    if (least < greatest)
        bucket.top_bit = max(low_bit, bits_of(least ^ greatest));
    return bucket;
}

// Exclusive scan, in the order of bins and their chunks.
static inline void scan_table(__global index_t *table, const size_t counts)
{
    index_t sum = 0;
    for (size_t i = 0; i < counts; i++) {
        const index_t v = table[i];
        table[i] = sum;
        sum += v;
    }
}

// Lists the buckets that have more to sort than a chunk (large), or all others. Buckets that need no sorting are divided
// into chunks, which all cores share.
static inline void list_buckets(__global cls_cpu_radix_control *c,
                                __global const cls_cpu_radix_bin *bins,
                                __global const index_t *table, const cls_cpu_radix_args args,
                                const cls_key_summary summary, const bool large,
                                __global cls_cpu_radix_bucket *buckets)
{
    const uint lowest = low_bit((key_t)c->head.varying), chunks = args.chunks;
    for (uint i = 0; i < c->tree.bins; i++) {
        cls_cpu_radix_bucket bucket = bucket_of(bins[i], summary, (key_t)args.window, lowest);
        bucket.first = table[(size_t)i * chunks];
        const ulong end = i + 1 < c->tree.bins ? table[(size_t)(i + 1) * chunks] : args.count;
        ulong left = end - bucket.first;
        const bool is_sorted = bucket.top_bit == lowest;
        if ((!is_sorted && left > args.chunk) != large)
            continue;
        for (; left > 0; left -= bucket.count) {
            bucket.count = is_sorted ? min(left, args.chunk) : left;
            buckets[c->buckets++] = bucket;
            bucket.first += bucket.count;
            c->is_rewritten &= is_sorted;
        }
    }
}

__kernel SINGLE void cpu_radix_plan_buckets(BUFFER(control), BUFFER(bins), BUFFER(buckets),
                                            BUFFER(table), BUFFER(summaries),
                                            const cls_cpu_radix_args args)
{
    __global cls_cpu_radix_control *c = AT(cls_cpu_radix_control, control);
    const key_t window = (key_t)args.window;
    cls_key_summary all = summary_of_nothing();
    for (uint i = 0; i < args.chunks; i++)
        all = merge_summaries(all, AT(const cls_key_summary, summaries)[i]);
    write_control_head(&c->head, all, window);
    c->next_bucket = c->next_chunk = c->buckets = 0;
    c->is_rewritten = CAN_REWRITE_KEYS && window == LARGEST_KEY;
    if (c->head.is_sorted)
        return;
    scan_table(AT(index_t, table), (size_t)c->tree.bins * args.chunks);
    // Large buckets come first, so that no core is left with one at the end.
    for (uint large = 2; large-- > 0;)
        list_buckets(c, AT(const cls_cpu_radix_bin, bins), AT(const index_t, table), args, all,
                     large, AT(cls_cpu_radix_bucket, buckets));
}

// -- the partition --------------------------------------------------------------------------------

// Points the lines to the output arrays, which begin `phase` elements after the start of a cache line.
static inline void set_output(write_combine_t *restrict lines, const elements_t to,
                              const uint phase)
{
    lines->out.keys = to.keys - phase;
    lines->streams_keys = (uintptr_t)lines->out.keys % 64 == 0;
#if VALUE_BYTES > 0
    lines->out.values = to.values - phase;
    lines->streams_values =
        LINE_KEYS * VALUE_BYTES % 64 == 0 && (uintptr_t)lines->out.values % 64 == 0;
#endif
}

#if VALUE_INDEX
#define INPUT_VALUE(i) value_of_index(i)
#elif VALUE_BYTES > 0
#define INPUT_VALUE(i) AT(const value_t, values)[i]
#endif

// Puts element i into the line of its bin. A full line is written when the next element for it comes: by then the stores
// to the line have retired, and the loads that read it do not wait for them.
#define SCATTER(i, bin)                                                                            \
    {                                                                                              \
        const uint d = bin;                                                                        \
        if (lines.next[d] / LINE_KEYS != d)                                                        \
            flush_line(&lines, d);                                                                 \
        const uint slot = lines.next[d];                                                           \
        lines.keys[slot] = in[i];                                                                  \
        VALUES(lines.values[slot] = INPUT_VALUE(i);)                                               \
        lines.next[d] = slot + 1;                                                                  \
    }

// Moves the elements of a chunk from the input to scratch.
__kernel SINGLE void cpu_radix_scatter(BUFFER(control), BUFFER(nodes), INPUT(keys),
                                       BUFFER(keys_tmp),
                                       VALUE_INPUT(values) VALUE_BUFFER(values_tmp) BUFFER(table),
                                       const cls_cpu_radix_args args)
{
    __global const cls_cpu_radix_control *c = AT(const cls_cpu_radix_control, control);
    if (c->head.is_sorted || c->is_rewritten)
        return;
    const bin_lookup_t lookup =
        lookup_in(c->tree, AT(const bin_nodes_t, nodes), (key_t)args.flip, (key_t)args.window);
    const cpu_radix_chunk_t chunk =
        chunk_at(get_group_id(0), (index_t)args.chunk, (index_t)args.count);
    write_combine_t lines;
    __global const key_t *restrict in = AT(const key_t, keys);
    const elements_t to = ELEMENTS(keys_tmp, values_tmp);
    const uint phase = (uint)((uintptr_t)to.keys / KEY_BYTES) & (LINE_KEYS - 1);
    set_output(&lines, to, phase);
    for (uint bin = 0; bin < lookup.tree.bins; bin++)
        begin_line(&lines, bin,
                   AT(const index_t, table)[bin * get_num_groups(0) + get_group_id(0)] + phase);
    uint bins[VECTOR_LANES];
    index_t i = chunk.first;
    for (; i + VECTOR_LANES <= chunk.last; i += VECTOR_LANES) {
        bins_of(lookup, vload16(0, in + i), bins);
#pragma unroll 8
        for (uint j = 0; j < VECTOR_LANES; j++)
            SCATTER(i + j, bins[j])
    }
    for (; i < chunk.last; i++)
        SCATTER(i, bin_of(lookup, in[i]))
    for (uint bin = 0; bin < lookup.tree.bins; bin++)
        flush_partial_line(&lines, bin);
}

// -- the sort of buckets --------------------------------------------------------------------------

#if CAN_REWRITE_KEYS
// Sorts keys that differ in the bits [low, top) only: counts them, and writes them anew.
static inline void count_and_rewrite(__global const key_t *from, __global key_t *to,
                                     const index_t count, const key_t flip, const uint low,
                                     const uint top, index_t *restrict counts)
{
    const uint digits = 1u << (top - low);
    const compared_key_t others = ~((compared_key_t)(digits - 1) << low);
    const cls_cpu_radix_node node = {ordered(from[0], flip) & others, 0, top - low, low, 0};
    const cls_cpu_radix_tree tree = {node, digits, 0, 0, 0};
    clear_counts(counts, digits);
    count_bins(from, 0, count, lookup_in(tree, 0, flip, LARGEST_KEY), counts);
    index_t first = 0;
    for (uint d = 0; d < digits; d++) {
        const index_t last = first + count_of(counts, digits, d);
        stream_key(to, first, last, unordered((key_t)(node.base | (compared_key_t)d << low), flip));
        first = last;
    }
}
#endif

// Writes a bucket that needs no sorting.
static inline void write_sorted_bucket(const cls_cpu_radix_bucket bucket, const elements_t from,
                                       const elements_t to, const key_t flip, const key_t window)
{
#if CAN_REWRITE_KEYS
    if (window == LARGEST_KEY) {
        stream_key(to.keys, 0, bucket.count, unordered((key_t)bucket.key, flip));
        return;
    }
#endif
    stream_elements(from, to, (index_t)bucket.count);
}

static inline void write_bucket(const sorter_t *sorter, const cls_cpu_radix_bucket bucket,
                                const elements_t from, const elements_t to)
{
    const index_t count = (index_t)bucket.count;
    if (bucket.top_bit == bucket.low_bit)
        write_sorted_bucket(bucket, from, to, sorter->flip, sorter->window);
#if CAN_REWRITE_KEYS
    else if (sorter->window == LARGEST_KEY && bucket.top_bit - bucket.low_bit <= PARTITION_BITS &&
             bucket.count > HISTOGRAM_COUNTERS)
        count_and_rewrite(from.keys, to.keys, count, sorter->flip, bucket.low_bit, bucket.top_bit,
                          sorter->counters);
#endif
    else
        sort_bucket(sorter, count, bucket.low_bit, bucket.top_bit, from, to);
}

// A counter hands out the buckets, so that cores with small ones take more of them.
__kernel SINGLE void cpu_radix_sort_buckets(BUFFER(control), BUFFER(buckets), KEY_ARRAYS,
                                            VALUE_ARRAYS BUFFER(slices),
                                            const cls_cpu_radix_args args)
{
    __global cls_cpu_radix_control *c = AT(cls_cpu_radix_control, control);
    const elements_t in = INPUT_ELEMENTS(keys, values);
    const elements_t tmp = ELEMENTS(keys_tmp, values_tmp), to = ELEMENTS(keys_to, values_to);
    if (c->head.is_sorted) {
        for (uint i; (i = atomic_inc(&c->next_chunk)) < args.chunks;)
            copy_sorted_input(in, to, chunk_at(i, (index_t)args.chunk, (index_t)args.count));
        return;
    }
    index_t counters[COUNTERS] ALIGNED;
    pending_parts_t pending;
    const sorter_t sorter = {AT(uchar, slices) + get_group_id(0) * args.slice_bytes,
                             args.slice_bytes,
                             (key_t)args.flip,
                             (key_t)args.window,
                             counters,
                             &pending};
    for (uint i; (i = atomic_inc(&c->next_bucket)) < c->buckets;) {
        const cls_cpu_radix_bucket bucket = AT(const cls_cpu_radix_bucket, buckets)[i];
        write_bucket(&sorter, bucket, elements_at(tmp, (index_t)bucket.first),
                     elements_at(to, (index_t)bucket.first));
    }
}

// -- small inputs ---------------------------------------------------------------------------------

__kernel SINGLE void cpu_radix_single(BUFFER(control), KEY_ARRAYS,
                                      VALUE_ARRAYS const cls_cpu_radix_args args)
{
    __global cls_control_head *head = AT(cls_control_head, control);
    const index_t n = (index_t)args.count;
    const key_t flip = (key_t)args.flip, window = (key_t)args.window;
    elements_t in = INPUT_ELEMENTS(keys, values);
    const elements_t tmp = ELEMENTS(keys_tmp, values_tmp), to = ELEMENTS(keys_to, values_to);
    write_control_head(head, summarize_keys(in.keys, 0, n, n, flip, window), window);
    if (head->is_sorted) {
        copy_sorted_input(in, to, chunk_at(0, n, n));
        return;
    }
#if VALUE_INDEX
    // The sort reads values from memory, and there are none in the input.
    for (index_t i = 0; i < n; i++) {
        tmp.keys[i] = in.keys[i];
        tmp.values[i] = value_of_index(i);
    }
    in = tmp;
#endif
    index_t counters[COUNTERS] ALIGNED;
    const uint low = low_bit((key_t)head->varying), top = bits_of((key_t)head->varying);
#if VALUE_INDEX
    sort_elements(in, to, tmp, to, n, flip, window, low, top, counters);
#else
    sort_elements(in, tmp, to, to, n, flip, window, low, top, counters);
#endif
}

#endif
