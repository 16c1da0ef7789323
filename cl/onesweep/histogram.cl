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

// Local memory of a work-group.
typedef struct {
    uint counts[HISTOGRAM_COUNTERS * HISTOGRAM_COPIES];
    cls_key_summary summaries[GROUP_SIZE];
} histogram_t;

// Counts a chunk of the keys, and writes its summary and its row of counts, `passes` histograms one
// after another. Also clears a part of the table.
static inline void histogram_of_chunk(__local histogram_t *m, const uint chunk, INPUT(keys),
                                      BUFFER(tables), const cls_onesweep_args args)
{
    const uint t = (uint)get_local_id(0), counters = args.passes * RADIX;
    const index_t n = (index_t)args.count, first = min(n, (index_t)(chunk * args.chunk)),
                  last = first + min(n - first, (index_t)args.chunk);
    clear_table(TILE_TABLE, args.table_words, chunk, args.chunks);
    clear_counts(m->counts, HISTOGRAM_COUNTERS, HISTOGRAM_COPIES);
    cls_key_summary summary = summary_of_nothing();
    count_chunk(&summary, m->counts, AT(const key_t, keys), first, last, n, (key_t)args.flip,
                (key_t)args.window, args.begin_bit, args.passes);
    barrier(CLK_LOCAL_MEM_FENCE);
    __global uint *row = HISTOGRAM_ROWS + (size_t)chunk * counters;
    for (uint i = t; i < counters; i += GROUP_SIZE) {
        row[i] = count_of(m->counts, i, HISTOGRAM_COPIES);
    }
    summary = group_key_summary(summary, m->summaries);
    if (t == 0) {
        SUMMARIES[chunk] = summary;
    }
}

// One group per chunk.
__kernel SUB_GROUP_KERNEL void onesweep_histogram(BUFFER(control), INPUT(keys), BUFFER(tables),
                                                  ONESWEEP_ARGS)
{
    if (IS_SKIPPED) {
        return;
    }
    SIZE_ONESWEEP_ARGS
    __local histogram_t memory;
    if (get_group_id(0) == 0) {
        clear_counters(AT(cls_onesweep_control, control));
    }
    histogram_of_chunk(&memory, (uint)get_group_id(0), keys, keys_at, tables, tables_at, args);
}

#endif
