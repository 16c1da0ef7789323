// histogram.cl - histograms of all digits and the key summary, in one read of the keys
#ifndef CLSORT_ONESWEEP_HISTOGRAM_CL
#define CLSORT_ONESWEEP_HISTOGRAM_CL

#include "common/lsd_passes.cl"
#include "common/sub_group.cl"
#include "onesweep/layout.h"
#include "onesweep/table.cl"

#define MAX_PASSES ((KEY_BITS + BITS - 1) / BITS)
#define HISTOGRAM_COUNTERS (MAX_PASSES * RADIX)
#define BATCH 8u // keys that a work-item reads at once

static inline void count_digits(__local uint *counts, const key_t key, const uint begin_bit,
                                const uint passes)
{
#pragma unroll
    for (uint pass = 0; pass < MAX_PASSES; pass++) {
        if (pass < passes) {
            const uint digit = (uint)(key >> (begin_bit + pass * BITS)) & (RADIX - 1);
            count_up(counts, pass * RADIX + digit, HISTOGRAM_COPIES);
        }
    }
}

// Counts the digits of the keys first .. last - 1 and adds them to the summary. (A summary as the
// return value would leave intrinsics of LLVM in the kernel that Oclgrind does not support.)
static inline void count_chunk(cls_key_summary *summary, __local uint *counts,
                               __global const key_t *in, const index_t first, const index_t last,
                               const index_t n, const key_t flip, const key_t window,
                               const uint begin_bit, const uint passes)
{
    for (index_t i = first + (uint)get_local_id(0); i < last; i += BATCH * GROUP_SIZE) {
        key_t key[BATCH], next[BATCH];
#pragma unroll
        for (uint j = 0; j < BATCH; j++) {
            const index_t at = i + j * GROUP_SIZE;
            key[j] = in[min(at, n - 1)];
            next[j] = in[min(at + 1, n - 1)];
        }
#pragma unroll
        for (uint j = 0; j < BATCH; j++) {
            const key_t number = ordered(key[j], flip);
            if (i + j * GROUP_SIZE >= last) {
                continue;
            }
            *summary =
                merge_summaries(*summary, summary_of_key(number, ordered(next[j], flip), window));
            count_digits(counts, number & window, begin_bit, passes);
        }
    }
}

// Each group has a chunk of the keys and writes a row of counts, `passes` histograms one after
// another.
__kernel SUB_GROUP_KERNEL void onesweep_histogram(INPUT(keys), BUFFER(rows), BUFFER(summaries),
                                                  BUFFER(table),
                                                  const cls_onesweep_histogram_args args)
{
    __local uint counts[HISTOGRAM_COUNTERS * HISTOGRAM_COPIES];
    __local cls_key_summary group_summaries[GROUP_SIZE];
    const uint t = (uint)get_local_id(0), passes = args.passes;
    const index_t n = (index_t)args.count, chunk = (index_t)args.chunk;
    const index_t first = min(n, (index_t)get_group_id(0) * chunk),
                  last = first + min(n - first, chunk);
    clear_words(AT(uint, table), args.table_words);
    clear_counts(counts, HISTOGRAM_COUNTERS, HISTOGRAM_COPIES);
    cls_key_summary summary = summary_of_nothing();
    count_chunk(&summary, counts, AT(const key_t, keys), first, last, n, (key_t)args.flip,
                (key_t)args.window, args.begin_bit, passes);
    barrier(CLK_LOCAL_MEM_FENCE);
    __global uint *row = AT(uint, rows) + (size_t)get_group_id(0) * passes * RADIX;
    for (uint i = t; i < passes * RADIX; i += GROUP_SIZE) {
        row[i] = count_of(counts, i, HISTOGRAM_COPIES);
    }
    summary = group_key_summary(summary, group_summaries);
    if (t == 0) {
        AT(cls_key_summary, summaries)[get_group_id(0)] = summary;
    }
}

#endif
