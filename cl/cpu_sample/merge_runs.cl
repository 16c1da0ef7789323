// merge_runs.cl - one work-item sorts a bucket that consists of few sorted runs, by merging
//
// Input that consists of a few runs has such buckets, and so has input that is in order except for
// a few keys.
//
// A merge of two runs holds 16 keys in a vector. It takes the next 16 keys of the run that continues
// with the smaller key, merges both vectors by a bitonic network, writes the lower half of the keys
// and holds the upper half: Inoue et al., "AA-sort: a new parallel sorting algorithm for multi-core
// SIMD processors", PACT 2007, pp. 189-198, section 3.2. Which run is next depends only on keys in
// memory, so that processors choose the next vectors while the network is still busy.
//
// Cost: each of log2(runs) rounds is one read and one write of the bucket, within L2.
#ifndef CLSORT_CPU_SAMPLE_MERGE_RUNS_CL
#define CLSORT_CPU_SAMPLE_MERGE_RUNS_CL

#include "common/vector_quicksort.cl"

#define MAX_RUNS 24u // for more runs, the quicksort is faster

// The end of each run, counted from the start of the bucket.
typedef struct {
    uint count;
    uint end[MAX_RUNS];
} runs_t;

// Finds the runs of a bucket. Returns false if there are more than MAX_RUNS.
static inline bool find_runs(__global const key_t *keys, const uint count, runs_t *runs)
{
    runs->count = 0;
    for (uint i = 0; i + 1 < count; i += KEYS_PER_REGISTER) {
        const mask_t pairs = mask_below(count - 1 - i);
        uint descents =
            AVX512_COMPARE(AS_SIGNED(load_keys(keys + i + 1, pairs)),
                           AS_SIGNED(load_keys(keys + i, pairs)), AVX512_LESS_THAN, pairs);
        for (; descents != 0; descents &= descents - 1) {
            if (runs->count == MAX_RUNS - 1) {
                return false;
            }
            runs->end[runs->count++] = i + 32 - clz(descents & (0 - descents));
        }
    }
    runs->end[runs->count++] = count;
    return true;
}

// A merge of two sorted runs. The keys that were loaded but not written are in `held`.
typedef struct {
    __global const key_t *first, *first_end, *second, *second_end;
    key_vector_t held;
} merge_t;

// Loads the next row of the run that continues with the smaller key. Where the runs have ended, the
// row consists of the largest key.
INLINED key_vector_t next_row(merge_t *merge)
{
    const bool is_second = merge->first == merge->first_end ||
                           (merge->second < merge->second_end && *merge->second < *merge->first);
    __global const key_t *from = is_second ? merge->second : merge->first;
    const uint left = (uint)((is_second ? merge->second_end : merge->first_end) - from),
               count = min(left, (uint)VECTOR_LANES);
    merge->first += is_second ? 0 : count;
    merge->second += is_second ? count : 0;
    return load_row(from, count);
}

INLINED merge_t begin_merge(__global const key_t *first, __global const key_t *first_end,
                            __global const key_t *second, __global const key_t *second_end)
{
    merge_t merge = {first, first_end, second, second_end, LARGEST_KEY};
    merge.held = next_row(&merge);
    return merge;
}

// Writes the next `count` keys, at most a row.
INLINED void write_row(merge_t *merge, __global key_t *to, const uint count)
{
    const key_vector_t row = REVERSED_8(next_row(merge));
    store_row(lane_steps(min(merge->held, row), 16), to, count);
    merge->held = lane_steps(max(merge->held, row), 16);
}

// Merges the sorted keys [0, middle) and [middle, count). The lower and the upper half of the result
// are merged alternately, so that the processor can work on both at the same time.
OUTLINED void merge_two_runs(__global const key_t *from, const uint middle, const uint count,
                             __global key_t *to)
{
    const uint lower_count = ((count + 1) / 2 + VECTOR_LANES - 1) / VECTOR_LANES * VECTOR_LANES;
    if (lower_count >= count) {
        merge_t all = begin_merge(from, from + middle, from + middle, from + count);
        write_row(&all, to, count);
        return;
    }
    // A search for the number of keys of the first run in the lower half
    uint split = sub_sat(lower_count, count - middle), end = min(lower_count, middle);
    while (split < end) {
        const uint i = (split + end) / 2;
        if (from[i] < from[middle + lower_count - 1 - i]) {
            split = i + 1;
        } else {
            end = i;
        }
    }
    __global const key_t *first = from + split, *second = from + middle + lower_count - split;
    merge_t lower = begin_merge(from, first, from + middle, second),
            upper = begin_merge(first, from + middle, second, from + count);
    for (uint i = 0; i < lower_count; i += VECTOR_LANES) {
        write_row(&lower, to + i, VECTOR_LANES);
        write_row(&upper, to + lower_count + i, sub_sat(count - lower_count, i));
    }
}

// Sorts a bucket of ordered keys, and writes keys to `to` by streaming stores, if it has few runs.
// Returns whether it did. `from` is overwritten.
static inline bool merge_runs(__global key_t *from, const uint count, __global key_t *to,
                              const key_t flip)
{
    runs_t runs;
    if (!find_runs(from, count, &runs)) {
        return false;
    }
    __global key_t *here = from, *there = to;
    while (runs.count > 1) {
        uint first = 0, made = 0;
        for (uint run = 0; run < runs.count; run += 2) {
            const uint middle = runs.end[run], end = runs.end[min(run + 1, runs.count - 1)];
            merge_two_runs(here + first, middle - first, end - first, there + first);
            runs.end[made++] = first = end;
        }
        runs.count = made;
        __global key_t *const swap = here;
        here = there;
        there = swap;
    }
    for (uint i = 0; i < count; i += VECTOR_LANES) {
        store_row(written_row(load_row(here + i, count - i), flip), to + i, count - i);
    }
    return true;
}

#endif
