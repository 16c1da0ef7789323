// cpu_radix.cl - stable radix sort for CPUs: one partition into bins of even size, then each bucket inside the cache
//
// One work-item is a whole core's worker: no barriers, and private memory is a core's cache.
//
//   cpu_bins      one work-item: picks the bins from a sample (bins.cl)
//   cpu_count     a chunk per group: counts the keys of bins, and what they look like (control.cl)
//   cpu_decide    one work-item: scans the counts and lists the buckets, which are what bins hold
//   cpu_scatter   moves keys to their buckets through one write-combining line a bin (lines.cl)
//   cpu_buckets   sorts bucket after bucket in a slice of scratch that stays in L2 (sort_bucket.cl)
//   cpu_single    small inputs: all of it by one work-item in one launch
//
// Cost model: count reads n keys, scatter reads and writes them, buckets read and write them once beyond the cache,
// with stores that need not read their line first: 5 accesses, 20 bytes for a u32 key.
// Measured (PoCL 3.1, 2 cores of a Xeon with AVX-512 at 2 GHz, 2^24 u32 keys with u32 values, whose model is 36 bytes):
// 227 Mkeys/s, 0.24 of that model at the 34 GB/s that copies move: of 8.5 ns an item and core, the lines cost 3.6,
// since most of them are in L2 and one branch in 16 keys is guessed wrong, buckets 3.6, and counting 0.9.
#ifndef CLSORT_CPU_RADIX_CPU_RADIX_CL
#define CLSORT_CPU_RADIX_CPU_RADIX_CL

#include "common/key_summary.cl"
#include "common/streaming_store.cl"
#include "cpu_radix/bins.cl"
#include "cpu_radix/sort_bucket.cl"
#include "cpu_radix/write_combine.cl"

#define SINGLE __attribute__((reqd_work_group_size(1, 1, 1)))
// A key is known from its number.
#define KEYS_ALONE (VALUE_BYTES == 0 && KEY_ORDER <= 1)

typedef struct {
    cls_control_head head;
    tree_t tree;
    uint buckets;
    uint written_anew; // 1: all buckets are of one key each: none is moved
    uint next_bucket;
    uint next_chunk;
} control_t;

// What a bin holds, or a part of that where there is nothing to sort.
typedef struct {
    ulong first, count;
    ulong number;  // of each key, where none is left to sort
    uint low, top; // the bits that are left to sort
} bucket_t;

// Copies input that is in order already. Index values are not written: cls_control_head.is_sorted stands for them.
static inline void copy_input(const elements_t from, const elements_t to, const index_t count)
{
    if (from.keys == to.keys)
        return;
#if VALUE_INDEX
    for (index_t i = 0; i < count; i++)
        to.keys[i] = from.keys[i];
#else
    copy_elements(from, to, count);
#endif
}

// The group's chunk of n items.
typedef struct {
    index_t first, last;
} chunk_t;

static inline chunk_t chunk_of(const uint number, const index_t chunk, const index_t n)
{
    chunk_t mine;
    mine.first = min(n, number * chunk);
    mine.last = mine.first + min(n - mine.first, chunk);
    return mine;
}

// -- the bins -------------------------------------------------------------------------------------

// The sample goes through the slices.
__kernel SINGLE void cpu_bins(BUFFER(control), BUFFER(nodes), BUFFER(bins), INPUT(keys),
                              BUFFER(slices), const index_t n, const uint samples, const uint bits,
                              const uint hot, const key_t flip, const key_t window)
{
    index_t counters[COUNTERS] ALIGNED;
    const finder_t finder =
        find_bins(AT(const key_t, keys), n, measure_of(samples, bits, FINER_BITS, hot),
                  window > 0 ? low_bit(window) : 0, bits_of(window), flip, window,
                  AT(uchar, slices), counters, AT(nodes_t, nodes), AT(bin_t, bins));
    AT(control_t, control)->tree = finder.tree;
}

// -- looking at the keys --------------------------------------------------------------------------

// What the keys [first, last) of n look like, and whether each is in order with the next one.
static inline cls_key_summary look(__global const key_t *restrict keys, index_t first,
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
    cls_key_summary seen = summary_of_nothing();
    for (; first < last; first++) {
        const key_t key = ordered(keys[first], flip);
        const key_t next = first + 1 < n ? ordered(keys[first + 1], flip) : LARGEST_KEY;
        seen = merge_summaries(seen, summary_of_key(key, next, window));
    }
    key_t lanes[3][VECTOR_LANES];
    vstore16(any, 0, lanes[0]);
    vstore16(all, 0, lanes[1]);
    vstore16(descents, 0, lanes[2]);
    for (uint lane = 0; lane < VECTOR_LANES; lane++) {
        const cls_key_summary more = {lanes[0][lane], lanes[1][lane], lanes[2][lane] == 0};
        seen = merge_summaries(seen, more);
    }
    return seen;
}

// Where bins are few, several tables of counters share them, so that keys of one bin do not wait for each other's
// store.
#define ALL_COUNTERS (2 * MAX_BINS)

// The bits of a bin's number.
static inline uint table_bits(const uint bins)
{
    return bits_of(bins - 1);
}

static inline uint ways_of(const uint bits)
{
    return min((uint)VECTOR_LANES, ALL_COUNTERS >> bits);
}

static inline void count_bins(__global const key_t *restrict keys, const index_t first,
                              const index_t last, const finder_t finder, index_t *restrict counts)
{
    // Bins of several keys at a time, by vectors; counters only one by one.
    const uint bits = table_bits(finder.tree.bins), ways = ways_of(bits) - 1;
    uint bins[VECTOR_LANES];
    index_t i = first;
    for (; i + VECTOR_LANES <= last; i += VECTOR_LANES) {
        bins_of(finder, vload16(0, keys + i), bins);
#pragma unroll
        for (uint j = 0; j < VECTOR_LANES; j++)
            counts[bins[j] + ((j & ways) << bits)]++;
    }
    for (; i < last; i++)
        counts[bin_of(finder, keys[i])]++;
}

static inline void clear_counts(index_t *restrict counts, const uint bins)
{
    const uint bits = table_bits(bins);
    for (uint i = 0; i < ways_of(bits) << bits; i++)
        counts[i] = 0;
}

static inline index_t count_of(const index_t *restrict counts, const uint bins, const uint bin)
{
    const uint bits = table_bits(bins);
    index_t sum = 0;
    for (uint way = 0; way < ways_of(bits); way++)
        sum += counts[(way << bits) + bin];
    return sum;
}

// The row of a bin has the counts of all chunks.
__kernel SINGLE void cpu_count(BUFFER(control), BUFFER(nodes), INPUT(keys), BUFFER(table),
                               BUFFER(seen), const index_t n, const index_t chunk, const key_t flip,
                               const key_t window)
{
    const finder_t finder =
        finder_of(AT(const control_t, control)->tree, AT(const nodes_t, nodes), flip, window);
    const uint bins = finder.tree.bins;
    index_t counts[ALL_COUNTERS] ALIGNED;
    clear_counts(counts, bins);
    const chunk_t mine = chunk_of(get_group_id(0), chunk, n);
    cls_key_summary all = summary_of_nothing();
    for (index_t i = mine.first; i < mine.last;) {
        const index_t end = i + min(mine.last - i, (index_t)(8192 / KEY_BYTES));
        all = merge_summaries(all, look(AT(const key_t, keys), i, end, n, flip, window));
        count_bins(AT(const key_t, keys), i, end, finder, counts);
        i = end;
    }
    for (uint bin = 0; bin < bins; bin++)
        AT(index_t, table)[bin * get_num_groups(0) + get_group_id(0)] = count_of(counts, bins, bin);
    AT(cls_key_summary, seen)[get_group_id(0)] = all;
}

// -- the buckets ----------------------------------------------------------------------------------

// The bits that keys of a bin differ in, from what it can hold and what there is.
static inline bucket_t bucket_of(const bin_t bin, const cls_key_summary seen, const key_t window,
                                 const uint low)
{
    const key_t least = (key_t)max(bin.low, seen.all & window),
                most = (key_t)min(bin.high, seen.any & window);
    const ulong below = ((ulong)1 << low) - 1;
    bucket_t bucket = {0, 0, (least & ~below) | (seen.all & below), low, low};
    if (least < most)
        bucket.top = max(low, bits_of(least ^ most));
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

// Lists the buckets that have more to sort than a chunk, or all others. What needs no sorting is cut into chunks, which
// all cores share.
static inline void list_buckets(__global control_t *c, __global const bin_t *bins,
                                __global const index_t *table, const uint chunks, const index_t n,
                                const index_t chunk, const cls_key_summary seen, const key_t window,
                                const bool large, __global bucket_t *buckets)
{
    const uint low = low_bit((key_t)c->head.varying);
    for (uint i = 0; i < c->tree.bins; i++) {
        bucket_t bucket = bucket_of(bins[i], seen, window, low);
        bucket.first = table[(size_t)i * chunks];
        const index_t end = i + 1 < c->tree.bins ? table[(size_t)(i + 1) * chunks] : n;
        ulong left = end - bucket.first;
        const bool is_sorted = bucket.top == low;
        if ((!is_sorted && left > chunk) != large)
            continue;
        for (; left > 0; left -= bucket.count) {
            bucket.count = is_sorted ? min(left, (ulong)chunk) : left;
            buckets[c->buckets++] = bucket;
            bucket.first += bucket.count;
            c->written_anew &= is_sorted;
        }
    }
}

__kernel SINGLE void cpu_decide(BUFFER(control), BUFFER(bins), BUFFER(buckets), BUFFER(table),
                                BUFFER(seen), const uint chunks, const index_t n,
                                const index_t chunk, const key_t window)
{
    __global control_t *c = AT(control_t, control);
    cls_key_summary all = summary_of_nothing();
    for (uint i = 0; i < chunks; i++)
        all = merge_summaries(all, AT(const cls_key_summary, seen)[i]);
    write_control_head(&c->head, all, window);
    c->next_bucket = c->next_chunk = c->buckets = 0;
    c->written_anew = KEYS_ALONE && window == LARGEST_KEY;
    if (c->head.is_sorted)
        return;
    scan_table(AT(index_t, table), (size_t)c->tree.bins * chunks);
    // The large ones are begun first, so that no core is left with one at the end.
    for (uint large = 2; large-- > 0;)
        list_buckets(c, AT(const bin_t, bins), AT(const index_t, table), chunks, n, chunk, all,
                     window, large, AT(bucket_t, buckets));
}

// From the input to scratch. Index values are not read from the input.
__kernel SINGLE void cpu_scatter(BUFFER(control), BUFFER(nodes), INPUT(keys), BUFFER(keys_to),
                                 VALUE_INPUT(values) VALUE_BUFFER(values_to) BUFFER(table),
                                 const index_t n, const index_t chunk, const key_t flip,
                                 const key_t window)
{
    __global const control_t *c = AT(const control_t, control);
    if (c->head.is_sorted || c->written_anew)
        return;
    const finder_t finder = finder_of(c->tree, AT(const nodes_t, nodes), flip, window);
    const chunk_t mine = chunk_of(get_group_id(0), chunk, n);
    lines_t lines;
    __global const key_t *restrict in = AT(const key_t, keys);
    const uint phase = (uint)((uintptr_t)AT(key_t, keys_to) / KEY_BYTES) & (LINE - 1);
    lines.out.keys = AT(key_t, keys_to) - phase;
    lines.streams = (uintptr_t)lines.out.keys % 64 == 0;
#if VALUE_BYTES > 0
    lines.out.values = AT(value_t, values_to) - phase;
    lines.values_stream = LINE * VALUE_BYTES % 64 == 0 && (uintptr_t)lines.out.values % 64 == 0;
#endif
    for (uint bin = 0; bin < finder.tree.bins; bin++)
        begin_line(&lines, bin,
                   AT(const index_t, table)[bin * get_num_groups(0) + get_group_id(0)] + phase);
#define SCATTER(i, bin)                                                                            \
    {                                                                                              \
        const uint d = bin;                                                                        \
        /* A full line leaves when its next key comes: by then its stores have retired. */         \
        if (lines.next[d] / LINE != d)                                                             \
            flush_line(&lines, d);                                                                 \
        const uint slot = lines.next[d];                                                           \
        lines.keys[slot] = in[i];                                                                  \
        VALUES(lines.values[slot] = VALUE_OF(i);)                                                  \
        lines.next[d] = slot + 1;                                                                  \
    }
#if VALUE_INDEX
#define VALUE_OF(i) value_of_index(i)
#elif VALUE_BYTES > 0
#define VALUE_OF(i) AT(const value_t, values)[i]
#endif
    uint bins[VECTOR_LANES];
    index_t i = mine.first;
    for (; i + VECTOR_LANES <= mine.last; i += VECTOR_LANES) {
        bins_of(finder, vload16(0, in + i), bins);
#pragma unroll 8
        for (uint j = 0; j < VECTOR_LANES; j++)
            SCATTER(i + j, bins[j])
    }
    for (; i < mine.last; i++)
        SCATTER(i, bin_of(finder, in[i]))
    for (uint bin = 0; bin < finder.tree.bins; bin++)
        flush_part(&lines, bin);
}

#if KEYS_ALONE
// Writes anew what differs in the bits [low, top) only.
static inline void count_bucket(__global const key_t *from, __global key_t *to, const index_t count,
                                const key_t flip, const uint low, const uint top,
                                index_t *restrict counts)
{
    const uint digits = 1u << (top - low);
    const number_t others = ~((number_t)(digits - 1) << low);
    const node_t digit = {ordered(from[0], flip) & others, 0, top - low, low, 0};
    const tree_t tree = {digit, digits, 0, 0};
    clear_counts(counts, digits);
    count_bins(from, 0, count, finder_of(tree, 0, flip, LARGEST_KEY), counts);
    index_t first = 0;
    for (uint d = 0; d < digits; d++) {
        const index_t last = first + count_of(counts, digits, d);
        stream_key(to, first, last, unordered((key_t)(digit.base | (number_t)d << low), flip));
        first = last;
    }
}
#endif

// Writes a bucket that is sorted already.
static inline void write_bucket(const bucket_t bucket, const elements_t from, const elements_t to,
                                const key_t flip, const key_t window)
{
#if KEYS_ALONE
    if (window == LARGEST_KEY) {
        stream_key(to.keys, 0, bucket.count, unordered((key_t)bucket.number, flip));
        return;
    }
#endif
    stream_items(from, to, (index_t)bucket.count);
}

// Buckets are handed out by a counter, so that uneven ones balance.
__kernel SINGLE void cpu_buckets(BUFFER(control), BUFFER(buckets), INPUT(keys), BUFFER(keys_tmp),
                                 BUFFER(keys_to),
                                 VALUE_INPUT(values) VALUE_BUFFER(values_tmp)
                                     VALUE_BUFFER(values_to) BUFFER(slices),
                                 const ulong slice_bytes, const uint chunks, const index_t n,
                                 const index_t chunk, const key_t flip, const key_t window)
{
    __global control_t *c = AT(control_t, control);
    const elements_t in = INPUT_ELEMENTS(keys, values);
    const elements_t tmp = ELEMENTS(keys_tmp, values_tmp), to = ELEMENTS(keys_to, values_to);
    if (c->head.is_sorted) {
        for (uint i; (i = atomic_inc(&c->next_chunk)) < chunks;) {
            const chunk_t mine = chunk_of(i, chunk, n);
            copy_input(elements_at(in, mine.first), elements_at(to, mine.first),
                       mine.last - mine.first);
        }
        return;
    }
    index_t counters[COUNTERS] ALIGNED;
    waiting_t waiting;
    const sorter_t sorter = {AT(uchar, slices) + get_group_id(0) * slice_bytes,
                             slice_bytes,
                             flip,
                             window,
                             counters,
                             &waiting};
    for (uint i; (i = atomic_inc(&c->next_bucket)) < c->buckets;) {
        const bucket_t bucket = AT(const bucket_t, buckets)[i];
        const elements_t from = elements_at(tmp, (index_t)bucket.first),
                         here = elements_at(to, (index_t)bucket.first);
        if (bucket.top == bucket.low)
            write_bucket(bucket, from, here, flip, window);
#if KEYS_ALONE
        else if (window == LARGEST_KEY && bucket.top - bucket.low <= PARTITION_BITS &&
                 bucket.count > ALL_COUNTERS)
            count_bucket(from.keys, here.keys, (index_t)bucket.count, flip, bucket.low, bucket.top,
                         counters);
#endif
        else
            sort_bucket(&sorter, (index_t)bucket.count, bucket.low, bucket.top, from, here);
    }
}

// -- small inputs ---------------------------------------------------------------------------------

__kernel SINGLE void cpu_single(BUFFER(control), INPUT(keys), BUFFER(keys_tmp), BUFFER(keys_to),
                                VALUE_INPUT(values) VALUE_BUFFER(values_tmp) VALUE_BUFFER(values_to)
                                    const index_t n,
                                const key_t flip, const key_t window)
{
    __global control_t *c = AT(control_t, control);
    elements_t in = INPUT_ELEMENTS(keys, values);
    const elements_t tmp = ELEMENTS(keys_tmp, values_tmp), to = ELEMENTS(keys_to, values_to);
    write_control_head(&c->head, look(in.keys, 0, n, n, flip, window), window);
    if (c->head.is_sorted) {
        copy_input(in, to, n);
        return;
    }
#if VALUE_INDEX
    // Index values have no place of their own to come from.
    for (index_t i = 0; i < n; i++) {
        tmp.keys[i] = in.keys[i];
        tmp.values[i] = value_of_index(i);
    }
    in = tmp;
#endif
    index_t counters[COUNTERS] ALIGNED;
    const uint low = low_bit((key_t)c->head.varying), top = bits_of((key_t)c->head.varying);
#if VALUE_INDEX
    bucket_sort(in, to, tmp, to, n, flip, window, low, top, counters);
#else
    bucket_sort(in, tmp, to, to, n, flip, window, low, top, counters);
#endif
}

#endif
