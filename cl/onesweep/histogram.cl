// histogram.cl - histograms of all digits and the key summary, in one read of the keys
//
// Options: those of common/types.cl and common/keys.cl; GROUP_SIZE, BITS and HISTOGRAM_COPIES (onesweep.cl).
#ifndef CLSORT_ONESWEEP_HISTOGRAM_CL
#define CLSORT_ONESWEEP_HISTOGRAM_CL

#include "common/counters.cl"
#include "common/group_key_summary.cl"
#include "common/keys.cl"
#include "common/radix.cl"
#include "common/unroll.cl"
#include "onesweep/tables.cl"

#define MAX_PASSES ((KEY_BITS + BITS - 1) / BITS)
#define HISTOGRAM_COUNTERS (MAX_PASSES * RADIX)
// Keys that a work-item reads at once.
#define BATCH (KEY_BYTES <= 4 ? 8u : 4u)

// Counts the digits of an ordered key.
static inline void count_digits(__local uint *counts, const key_t number, const uint begin_bit,
                                const uint passes)
{
    const key_t bits = number >> begin_bit;
#pragma unroll
    for (uint pass = 0; pass < MAX_PASSES; pass++) {
        if (pass < passes) {
            const uint digit = (uint)(bits >> (pass * BITS)) & (RADIX - 1);
            count_up(counts, pass * RADIX + digit, HISTOGRAM_COPIES);
        }
    }
}

// A batch is BATCH keys at a stride of GROUP_SIZE, from in[i] on. Those at or beyond `last` are left out.

// Loads a batch, with other keys in place of those that are left out.
static inline void load_batch(key_t *key, __global const key_t *in, const index_t i,
                              const index_t last)
{
    UNROLL
    for (uint j = 0; j < BATCH; j++) {
        key[j] = in[min(i + j * GROUP_SIZE, last - 1)];
    }
}

// Returns whether no key of a batch is greater than the key after it.
static inline bool is_batch_sorted(const key_t *key, __global const key_t *in, const index_t i,
                                   const index_t last, const cls_onesweep_args args)
{
    const key_t flip = (key_t)args.flip, window = (key_t)args.window;
    key_t next[BATCH];
    load_batch(next, in, i + 1, (index_t)args.count);
    bool is_sorted = true;
    UNROLL
    for (uint j = 0; j < BATCH; j++) {
        const key_t number = i + j * GROUP_SIZE < last ? ordered(key[j], flip) & window : 0;
        is_sorted = is_sorted && number <= (ordered(next[j], flip) & window);
    }
    return is_sorted;
}

// Returns `common` of the work-item's summary, with the keys of a batch added. `some` is the first ordered key of the
// input. After the work-item has found two different keys that are not equal to `some`, it is 0.
static inline uint common_difference(const cls_key_summary summary, const key_t *key,
                                     const index_t i, const index_t last, const key_t some,
                                     const cls_onesweep_args args)
{
    const uint window = (uint)args.window;
    const uint varying = ((uint)summary.any | (uint)some) ^ ((uint)summary.all & (uint)some);
    uint common = summary.common;
    UNROLL
    for (uint j = 0; j < BATCH; j++) {
        const uint difference = (uint)(ordered(key[j], (key_t)args.flip) ^ some) & window;
        common &= difference == 0 || i + j * GROUP_SIZE >= last ? ~0u : difference;
    }
    return common == ~0u || common == (varying & window) ? common : 0;
}

// Counts the digits of a batch, and adds its keys to *any and *all. is_whole, a constant: no key of the batch is left
// out, and each key has MAX_PASSES digits.
static inline void count_keys_of(__local uint *counts, key_t *any, key_t *all, const key_t *key,
                                 const index_t i, const index_t last, const cls_onesweep_args args,
                                 const bool is_whole)
{
    const key_t flip = (key_t)args.flip, window = (key_t)args.window;
    UNROLL
    for (uint j = 0; j < BATCH; j++) {
        if (is_whole || i + j * GROUP_SIZE < last) {
            const key_t number = ordered(key[j], flip);
            *any |= number;
            *all &= number;
            count_digits(counts, number & window, args.begin_bit,
                         is_whole ? MAX_PASSES : args.passes);
        }
    }
}

// Counts the digits of a batch, and adds its keys to the work-item's summary. After this work-item has found two
// keys in the wrong order, it compares no more keys with the ones that follow, and after three different keys none with
// `some`. (A summary as the return value would leave intrinsics of LLVM in the kernel that Oclgrind does not support.)
static inline void count_batch(cls_key_summary *summary, __local uint *counts, const key_t *key,
                               __global const key_t *in, const index_t i, const index_t last,
                               const key_t some, const cls_onesweep_args args)
{
    key_t any = 0, all = ~(key_t)0;
    if (summary->is_sorted) {
        summary->is_sorted = is_batch_sorted(key, in, i, last, args);
    }
    if (args.passes == MAX_PASSES && i + (BATCH - 1) * GROUP_SIZE < last) {
        count_keys_of(counts, &any, &all, key, i, last, args, true);
    } else {
        count_keys_of(counts, &any, &all, key, i, last, args, false);
    }
    summary->any |= any;
    summary->all &= all;
    if (KEY_BYTES <= 4 && summary->common > 0) {
        summary->common = common_difference(*summary, key, i, last, some, args);
    }
}

// Local memory of a work-group.
typedef struct {
    uint counts[HISTOGRAM_COUNTERS * HISTOGRAM_COPIES];
    cls_key_summary summaries[GROUP_SIZE];
} histogram_t;

// Counts a chunk of the keys, and clears a part of the table. The next batch is loaded while one is counted, so
// that local atomics hide the latency of the loads.
static inline void count_chunk(cls_key_summary *summary, __local histogram_t *m, const uint chunk,
                               INPUT(keys), BUFFER(tables), const cls_onesweep_args args)
{
    const index_t n = (index_t)args.count, first = min(n, (index_t)(chunk * args.chunk)),
                  last = first + min(n - first, (index_t)args.chunk);
    __global const key_t *in = AT(const key_t, keys);
    const key_t some = first < last ? ordered(in[0], (key_t)args.flip) : 0;
    key_t key[BATCH], next[BATCH];
    clear_table(TILE_TABLE, args.table_words, chunk, args.chunks);
    if (first < last) {
        load_batch(key, in, first + (uint)get_local_id(0), last);
    }
    for (index_t i = first + (uint)get_local_id(0); i < last; i += BATCH * GROUP_SIZE) {
        load_batch(next, in, i + BATCH * GROUP_SIZE, last);
        count_batch(summary, m->counts, key, in, i, last, some, args);
        UNROLL
        for (uint j = 0; j < BATCH; j++) {
            key[j] = next[j];
        }
    }
}

// Writes the summary of the keys that the work-group has counted.
static inline void write_summary(__local histogram_t *m, const cls_key_summary summary,
                                 const uint row, BUFFER(tables), const cls_onesweep_args args)
{
    const cls_key_summary all = group_key_summary(summary, m->summaries);
    if (get_local_id(0) == 0) {
        SUMMARIES[row] = all;
    }
}

// Adds the histograms of all passes to a row of totals.
static inline void add_histograms(__local const histogram_t *m, __global uint *totals,
                                  const cls_onesweep_args args)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = (uint)get_local_id(0); i < args.passes * RADIX; i += GROUP_SIZE) {
        atomic_add(&totals[i], count_of(m->counts, i, HISTOGRAM_COPIES));
    }
}

// Counts a chunk and writes a row of histograms, one for each pass, and a summary for it alone. They have the number of
// the chunk.
static inline void count_chunk_alone(__local histogram_t *m, const uint chunk, INPUT(keys),
                                     BUFFER(tables), const cls_onesweep_args args)
{
    const uint counters = args.passes * RADIX;
    cls_key_summary summary = summary_of_nothing();
    clear_counts(m->counts, HISTOGRAM_COUNTERS, HISTOGRAM_COPIES);
    count_chunk(&summary, m, chunk, keys, keys_at, tables, tables_at, args);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = (uint)get_local_id(0); i < counters; i += GROUP_SIZE) {
        HISTOGRAM_ROWS[(size_t)chunk * counters + i] = count_of(m->counts, i, HISTOGRAM_COPIES);
    }
    write_summary(m, summary, chunk, tables, tables_at, args);
}

#endif
