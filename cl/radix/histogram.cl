// histogram.cl - counts the digits of each chunk, and scans each digit over the chunks
#ifndef CLSORT_RADIX_HISTOGRAM_CL
#define CLSORT_RADIX_HISTOGRAM_CL

#include "common/lsd_passes.cl"
#include "common/scan.cl"
#include "radix/layout.h"

// Copies of each digit counter.
#if GROUP_SIZE > 1
#define MAX_COUNTER_COPIES (CLS_RADIX_COUNTER_BYTES / 4u / RADIX)
#define RADIX_COUNTER_COPIES (MAX_COUNTER_COPIES < 16u ? MAX_COUNTER_COPIES : 16u)
#else
#define RADIX_COUNTER_COPIES 1u
#endif

// The elements of the group's chunk: indexes first .. last - 1.
typedef struct {
    index_t first, last;
} radix_chunk_t;

static inline radix_chunk_t radix_chunk(const index_t count, const index_t chunk)
{
    radix_chunk_t c;
    c.first = min(count, (index_t)get_group_id(0) * chunk);
    c.last = c.first + min(count - c.first, chunk);
    return c;
}

static inline void write_counts(__local const uint *counts, __global index_t *table)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = (uint)get_local_id(0); d < RADIX; d += GROUP_SIZE) {
        table[d * get_num_groups(0) + get_group_id(0)] = count_of(counts, d, RADIX_COUNTER_COPIES);
    }
}

// The histogram of the first pass. The same read yields the chunk's key summary.
__kernel WORK_GROUP_KERNEL void radix_histogram_first(INPUT(keys), BUFFER(table), BUFFER(summaries),
                                                      const cls_radix_pass_args args)
{
    __local uint counts[RADIX * RADIX_COUNTER_COPIES];
    __local cls_key_summary group_summaries[GROUP_SIZE];
    const uint t = (uint)get_local_id(0), shift = args.shift, mask = args.mask;
    const key_t flip = (key_t)args.flip, window = (key_t)args.window;
    const index_t n = (index_t)args.count;
    __global const key_t *in = AT(const key_t, keys);
    const radix_chunk_t chunk = radix_chunk(n, (index_t)args.chunk);
    cls_key_summary summary = summary_of_nothing();
    clear_counts(counts, RADIX, RADIX_COUNTER_COPIES);
    for (index_t i = chunk.first + t; i < chunk.last; i += GROUP_SIZE) {
        const key_t key = ordered(in[i], flip);
        const key_t next = ordered(in[min(i + 1, n - 1)], flip);
        summary = merge_summaries(summary, summary_of_key(key, next, window));
        count_up(counts, (uint)(key >> shift) & mask, RADIX_COUNTER_COPIES);
    }
    write_counts(counts, AT(index_t, table));
    summary = group_key_summary(summary, group_summaries);
    if (t == 0) {
        AT(cls_key_summary, summaries)[get_group_id(0)] = summary;
    }
}

// The histogram of a later pass.
__kernel WORK_GROUP_KERNEL void radix_histogram(BUFFER(control), KEY_ARRAYS, BUFFER(table),
                                                const cls_radix_pass_args args)
{
    const cls_lsd_pass pass = AT(const cls_lsd_control, control)->pass[args.pass];
    if (!pass.active) {
        return;
    }
    __local uint counts[RADIX * RADIX_COUNTER_COPIES];
    const uint shift = args.shift, mask = args.mask;
    const key_t flip = (key_t)args.flip;
    __global const key_t *in = KEYS_OF(pass.source);
    const radix_chunk_t chunk = radix_chunk((index_t)args.count, (index_t)args.chunk);
    clear_counts(counts, RADIX, RADIX_COUNTER_COPIES);
    for (index_t i = chunk.first + get_local_id(0); i < chunk.last; i += GROUP_SIZE) {
        count_up(counts, digit_of(in[i], flip, shift, mask), RADIX_COUNTER_COPIES);
    }
    write_counts(counts, AT(index_t, table));
}

// One group per value of the digit. Replaces the counts of this value by their exclusive prefix
// sums over the chunks, and writes their total.
__kernel WORK_GROUP_KERNEL void radix_scan(BUFFER(control), BUFFER(table), BUFFER(totals),
                                           const uint chunks, const uint pass)
{
    if (!AT(const cls_lsd_control, control)->pass[pass].active) {
        return;
    }
    __local ulong sums[2 * GROUP_SIZE];
    __global index_t *row = AT(index_t, table) + (size_t)get_group_id(0) * chunks;
    ulong sum = 0;
    for (uint first = 0; first < chunks; first += GROUP_SIZE) {
        const uint i = first + (uint)get_local_id(0);
        ulong total;
        const ulong before = group_exclusive_scan(i < chunks ? row[i] : 0, sums, &total);
        if (i < chunks) {
            row[i] = (index_t)(sum + before);
        }
        sum += total;
    }
    if (get_local_id(0) == 0) {
        AT(index_t, totals)[get_group_id(0)] = (index_t)sum;
    }
}

#endif
