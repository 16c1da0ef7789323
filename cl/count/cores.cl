// cores.cl - counting sort of keys of 8 or 16 bits alone, for CPUs: they are counted, and written anew
//
//   count_keys   a chunk of the keys per group: how often each is there
//   count_scan   one work-item: where the run of each key begins
//   count_fill   a chunk of the output per group: the runs that lie in it
//
// Distribution counting: Knuth, "The Art of Computer Programming", vol. 3, 2nd ed. (1998), section 5.2, algorithm D;
// but keys that are equal in all their bits need no moving. Keys are counted as they are, and ordered (keys.cl) by the
// scan.
//
// Cost model: one read and one write, 2 bytes for an 8-bit key and 4 for one of 16 bits. (A line written by a plain
// store is read first, hence the stores past the cache.)
// Measured (PoCL 5.0, 16 cores of a Xeon, 2^26 u8 keys): 15.6 Gkeys/s, 0.19 of that model at the 168 GB/s that they
// copy: each key is one increment of a counter in L1.
#ifndef CLSORT_COUNT_CORES_CL
#define CLSORT_COUNT_CORES_CL

#include "common/keys.cl"
#include "common/streaming_store.cl"

#define SINGLE __attribute__((reqd_work_group_size(1, 1, 1)))
#define BINS (1u << KEY_BITS)
#define PACK (8 / KEY_BYTES) // keys in a word

// Counter tables, so that one key again and again does not wait for each other's store; those of 16-bit keys would
// not fit the cache.
#if KEY_BYTES == 1
#define WAYS 4
#define LOAD_PACK(keys) as_ulong(vload8(0, keys))
#else
#define WAYS 1
#define LOAD_PACK(keys) as_ulong(vload4(0, keys))
#endif

static inline void count_pack(const ulong pack, index_t *restrict counts)
{
    // Runs of one key would come back to its counter before it is stored.
    if (pack == rotate(pack, (ulong)KEY_BITS)) {
        counts[pack & (BINS - 1)] += PACK;
        return;
    }
#pragma unroll
    for (uint j = 0; j < PACK; j++)
        counts[j % WAYS * BINS + (pack >> (j * KEY_BITS) & (BINS - 1))]++;
}

__kernel SINGLE void count_keys(INPUT(keys), BUFFER(table), const index_t n, const index_t chunk)
{
    index_t counts[WAYS * BINS] ALIGNED;
    __global const key_t *restrict in = AT(const key_t, keys);
    const index_t first = min(n, (index_t)get_group_id(0) * chunk),
                  last = first + min(n - first, chunk);
    for (uint i = 0; i < WAYS * BINS; i++)
        counts[i] = 0;
    index_t i = first;
    for (; i + PACK <= last; i += PACK)
        count_pack(LOAD_PACK(in + i), counts);
    for (; i < last; i++)
        counts[in[i]]++;
    __global index_t *to = AT(index_t, table) + get_group_id(0) * BINS;
    for (uint d = 0; d < BINS; d++) {
        index_t sum = counts[d];
        for (uint way = 1; way < WAYS; way++)
            sum += counts[way * BINS + d];
        to[d] = sum;
    }
}

// The first table gets the sums of all; `starts` the places where runs begin, in the order of their keys.
__kernel SINGLE void count_scan(BUFFER(table), BUFFER(starts), const uint chunks, const key_t flip)
{
    __global index_t *total = AT(index_t, table);
    for (uint chunk = 1; chunk < chunks; chunk++) {
        __global const index_t *restrict part = total + (size_t)chunk * BINS;
        for (uint d = 0; d < BINS; d++)
            total[d] += part[d];
    }
    __global index_t *restrict start = AT(index_t, starts);
    index_t sum = 0;
    for (uint d = 0; d < BINS; d++) {
        start[d] = sum;
        sum += total[unordered((key_t)d, flip)];
    }
    start[BINS] = sum;
}

__kernel SINGLE void count_fill(BUFFER(starts), BUFFER(keys_to), const index_t n,
                                const index_t chunk, const key_t flip)
{
    __global const index_t *start = AT(const index_t, starts);
    index_t first = min(n, (index_t)get_group_id(0) * chunk);
    const index_t last = first + min(n - first, chunk);
    // The last run that begins at or before `first`: those of no keys begin where the next one does.
    uint d = 0;
    for (uint step = BINS / 2; step > 0; step /= 2)
        if (start[d + step] <= first)
            d += step;
    for (; first < last; d++) {
        const index_t end = min(last, start[d + 1]);
        stream_key(AT(key_t, keys_to), first, end, unordered((key_t)d, flip));
        first = end;
    }
}

#endif
