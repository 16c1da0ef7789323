// cores.cl - counting sort of 8-bit and 16-bit keys without values, for CPUs: one work-item per
// core
//
// Distribution counting: Knuth, "The Art of Computer Programming", vol. 3, 2nd ed. (1998), section
// 5.2, algorithm D. Equal keys are equal in all their bits, so no key is moved: the output is
// written from the counts. Keys are counted as they are stored, and the scan then visits the counts
// in the order of the keys.
//
// Kernels, in launch order:
//   count_cores_histogram   per chunk of the input: counts the keys
//   count_cores_scan        one work-item: computes the start of each key's run of equal keys
//   count_cores_fill        per chunk of the output: writes the runs
//
// Cost: one read and one write, 2 bytes per 8-bit key and 4 bytes per 16-bit key; the stores are
// streaming stores, which do not read the cache line first. Measured (PoCL 5.0, 16 cores of a Xeon,
// 2^26 u8 keys): 4.7 ms, 0.18 of the model at the 162 GB/s of a copy, limited by the increment of a
// counter in L1 per key. The counters of 16-bit keys are in L2; uniform u16 keys take a core of a
// Zen EPYC 5.4 ns each, the maximum over the measured distributions.
//
// The only options are those of common/types.cl and common/keys.cl.
#ifndef CLSORT_COUNT_CORES_CL
#define CLSORT_COUNT_CORES_CL

#include "common/keys.cl"
#include "common/streaming_store.cl"

#define BINS (1u << KEY_BITS)
#define WORD_KEYS (8 / KEY_BYTES) // keys in a ulong

// Copies of each counter, so that an increment does not wait for the store of an equal key. Copies
// for 16-bit keys would not fit in the cache.
#if KEY_BYTES == 1
#define COUNTER_COPIES 4
#else
#define COUNTER_COPIES 1
#endif

// Maps the keys of a word to the indexes of their counters, each in the same bits. The lines of a
// set of the cache are 1024 counters apart. The 6 highest bits of a 16-bit key are therefore XORed
// to those that select the set; otherwise all keys that differ only in these bits, such as
// left-aligned samples, would share a set. The map is its own inverse.
static inline ulong counters_of(const ulong word)
{
#if KEY_BYTES == 1
    return word;
#else
    return word ^ (word >> 6 & 0x03f003f003f003f0);
#endif
}

static inline void count_word(const ulong word, index_t *restrict counts)
{
    const ulong at = counters_of(word);
    // A word of equal keys takes one addition, since increments would wait for each other.
    if (word == rotate(word, (ulong)KEY_BITS)) {
        counts[at & (BINS - 1)] += WORD_KEYS;
        return;
    }
#pragma unroll
    for (uint j = 0; j < WORD_KEYS; j++) {
        counts[j % COUNTER_COPIES * BINS + (at >> (j * KEY_BITS) & (BINS - 1))]++;
    }
}

__kernel WORK_ITEM_KERNEL void count_cores_histogram(INPUT(keys), BUFFER(table), const index_t n,
                                                     const index_t chunk)
{
    index_t counts[COUNTER_COPIES * BINS] ALIGNED;
    __global const key_t *restrict in = AT(const key_t, keys);
    const index_t first = min(n, (index_t)get_group_id(0) * chunk),
                  last = first + min(n - first, chunk);
    for (uint i = 0; i < COUNTER_COPIES * BINS; i++) {
        counts[i] = 0;
    }
    index_t i = first;
    for (; i + WORD_KEYS <= last; i += WORD_KEYS) {
        count_word(as_ulong(vload8(0, (__global const uchar *)(in + i))), counts);
    }
    for (; i < last; i++) {
        counts[counters_of(in[i])]++;
    }
    __global index_t *to = AT(index_t, table) + get_group_id(0) * BINS;
    for (uint d = 0; d < BINS; d++) {
        index_t sum = counts[d];
        for (uint copy = 1; copy < COUNTER_COPIES; copy++) {
            sum += counts[copy * BINS + d];
        }
        to[d] = sum;
    }
}

// Adds all tables, which are in the order of counters_of, to the first one. `starts` receives the
// offsets at which runs start, in the order of the keys.
__kernel WORK_ITEM_KERNEL void count_cores_scan(BUFFER(table), BUFFER(starts), const uint chunks,
                                                const key_t flip)
{
    __global index_t *total = AT(index_t, table);
    for (uint chunk = 1; chunk < chunks; chunk++) {
        __global const index_t *restrict part = total + (size_t)chunk * BINS;
        for (uint d = 0; d < BINS; d++) {
            total[d] += part[d];
        }
    }
    __global index_t *restrict start = AT(index_t, starts);
    index_t sum = 0;
    for (uint d = 0; d < BINS; d++) {
        start[d] = sum;
        sum += total[counters_of(unordered((key_t)d, flip))];
    }
    start[BINS] = sum;
}

__kernel WORK_ITEM_KERNEL void count_cores_fill(BUFFER(starts), BUFFER(keys_to), const index_t n,
                                                const index_t chunk, const key_t flip)
{
    __global const index_t *start = AT(const index_t, starts);
    index_t first = min(n, (index_t)get_group_id(0) * chunk);
    const index_t last = first + min(n - first, chunk);
    // Find the last run that starts at or before `first`. An empty run has the same start as the
    // next one.
    uint d = 0;
    for (uint step = BINS / 2; step > 0; step /= 2) {
        if (start[d + step] <= first) {
            d += step;
        }
    }
    for (; first < last; d++) {
        const index_t end = min(last, start[d + 1]);
        stream_key(AT(key_t, keys_to), first, end, unordered((key_t)d, flip));
        first = end;
    }
}

#endif
