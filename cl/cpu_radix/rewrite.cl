// rewrite.cl - buckets that are written from their keys or counts instead of being sorted
//
// A key can be computed from its ordered key if KEY_ORDER is 0 or 1. Without values, a bucket of
// equal keys is therefore written from one key. A bucket of more than BIN_COUNTERS elements whose
// keys differ in at most PARTITION_BITS bits is counted and then written from the counts. If all
// buckets have one key each, the scatter is left out, too.
#ifndef CLSORT_CPU_RADIX_REWRITE_CL
#define CLSORT_CPU_RADIX_REWRITE_CL

#include "common/streaming_store.cl"
#include "cpu_radix/histogram.cl"

// Whether keys can be computed from ordered keys, and there are no values to move with them.
#define CAN_REWRITE_KEYS (VALUE_BYTES == 0 && KEY_ORDER <= 1)

#if CAN_REWRITE_KEYS
// Sorts keys that differ in the bits [low, top) only, by counting.
static inline void count_and_rewrite(__global const key_t *from, __global key_t *to,
                                     const index_t count, const key_t flip, const uint low,
                                     const uint top, index_t *restrict counts)
{
    const uint digits = 1u << (top - low);
    const compared_key_t others = ~((compared_key_t)(digits - 1) << low);
    const cls_cpu_radix_node node = {ordered(from[0], flip) & others, 0, top - low, low, 0};
    const cls_cpu_radix_tree tree = {node, digits, 0, 0, 0};
    clear_bin_counts(counts, digits);
    count_bins(from, 0, count, lookup_in(tree, 0, 0, flip, LARGEST_KEY), counts, 0);
    index_t first = 0;
    for (uint d = 0; d < digits; d++) {
        const index_t last = first + bin_count(counts, digits, d);
        stream_key(to, first, last, unordered((key_t)(node.base | (compared_key_t)d << low), flip));
        first = last;
    }
}
#endif

#endif
