// plan_buckets.cl - offsets of the bins in the output, and the list of the buckets to sort
#ifndef CLSORT_CPU_RADIX_PLAN_BUCKETS_CL
#define CLSORT_CPU_RADIX_PLAN_BUCKETS_CL

#include "common/key_summary.cl"
#include "cpu_radix/args.cl"
#include "cpu_radix/bin_tree.cl"
#include "cpu_radix/rewrite.cl"

// Returns an empty bucket for a bin. The bits that are left to sort follow from the bin's interval,
// narrowed to the minimum and maximum that the key summary allows.
static inline cls_cpu_radix_bucket bucket_of(const cls_cpu_radix_bin bin,
                                             const cls_key_summary summary, const key_t window,
                                             const uint low_bit)
{
    const key_t low = (key_t)max(bin.low, summary.all & window),
                high = (key_t)min(bin.high, summary.any & window);
    const ulong fixed = ((ulong)1 << low_bit) - 1; // bits that do not vary in any key
    cls_cpu_radix_bucket bucket = {0, 0, (low & ~fixed) | (summary.all & fixed), low_bit, low_bit};
    if (low < high) {
        bucket.top_bit = max(low_bit, bits_of(low ^ high));
    }
    return bucket;
}

// Exclusive scan of the table, whose rows are bins and whose columns are chunks.
static inline void scan_table(__global index_t *table, const size_t counts)
{
    index_t sum = 0;
    for (size_t i = 0; i < counts; i++) {
        const index_t v = table[i];
        table[i] = sum;
        sum += v;
    }
}

// Lists the buckets that are large, or those that are not. A large bucket has more elements to sort
// than a chunk has. Buckets that need no sorting are divided into chunks, which all cores share.
OUTLINED void list_buckets(__global cls_cpu_radix_control *c,
                           __global const cls_cpu_radix_bin *bins, __global const index_t *table,
                           const cls_cpu_radix_args args, const cls_key_summary summary,
                           const bool large, __global cls_cpu_radix_bucket *buckets)
{
    const uint lowest = low_bit((key_t)c->head.varying), chunks = args.chunks;
    for (uint i = 0; i < c->tree.bins; i++) {
        cls_cpu_radix_bucket bucket = bucket_of(bins[i], summary, (key_t)args.window, lowest);
        bucket.first = table[(size_t)i * chunks];
        const ulong end = i + 1 < c->tree.bins ? table[(size_t)(i + 1) * chunks] : args.count;
        ulong left = end - bucket.first;
        const bool is_sorted = bucket.top_bit == lowest;
        if ((!is_sorted && left > args.chunk) != large) {
            continue;
        }
        for (; left > 0; left -= bucket.count) {
            bucket.count = is_sorted ? min(left, args.chunk) : left;
            buckets[c->buckets++] = bucket;
            bucket.first += bucket.count;
            c->is_rewritten &= is_sorted;
        }
    }
}

__kernel WORK_ITEM_KERNEL void cpu_radix_plan_buckets(BUFFER(control), BUFFER(bins),
                                                      BUFFER(buckets), BUFFER(table),
                                                      BUFFER(summaries), CPU_RADIX_ARGS)
{
    if (IS_SINGLE) {
        return;
    }
    SIZE_CPU_RADIX_ARGS
    __global cls_cpu_radix_control *c = AT(cls_cpu_radix_control, control);
    const key_t window = (key_t)args.window;
    cls_cpu_radix_summary all = summary_of_no_keys();
    for (uint i = 0; i < args.chunks; i++) {
        all = merge_chunk_summaries(all, AT(const cls_cpu_radix_summary, summaries)[i]);
    }
    write_control_head(&c->head, all.keys, window);
    c->is_reversed = (uint)all.is_reversed;
    c->next_bucket = c->next_chunk = c->buckets = 0;
    c->is_rewritten = CAN_REWRITE_KEYS && window == LARGEST_KEY;
    if (c->head.is_sorted || c->is_reversed) {
        return;
    }
    scan_table(AT(index_t, table), (size_t)c->tree.bins * args.chunks);
    // Large buckets come first, so that no core sorts one after all others are done.
    for (uint large = 2; large-- > 0;) {
        list_buckets(c, AT(const cls_cpu_radix_bin, bins), AT(const index_t, table), args, all.keys,
                     large, AT(cls_cpu_radix_bucket, buckets));
    }
}

#endif
