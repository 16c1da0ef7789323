// cpu_sample.cl - sort of keys alone for CPUs whose vectors compress: by splitters from a sample, all by quicksort
//
// One work-item is a whole core's worker. What is in a core's own cache is partitioned there by pivots alone, so that
// memory sees the keys twice: chunk after chunk is cut into pieces, one for each bin, and then a bin's pieces come
// together and are sorted.
//
//   vector_bins       one work-item: picks the splitters of bins from a sample
//   vector_pieces     partitions chunk after chunk in a slice of scratch, and looks whether it is in order
//   vector_decide     one work-item: where bins begin in the output
//   vector_buckets    collects the pieces of bin after bin in the slice, and sorts them (quick.cl)
//   vector_single     small inputs: all of it by one work-item in one launch
//
// Samplesort in two rounds over memory: Frazer and McKellar, "Samplesort: a sampling approach to minimal storage tree
// sorting", JACM 17(3), 1970, pp. 496-507; Blelloch, Gibbons and Simhadri, "Low depth cache-oblivious algorithms", SPAA
// 2010, pp. 189-199, section 4, whose pieces lie as these do.
//
// Cost model: two reads and two writes of the keys beyond the cache, 16 bytes for a u32 key.
// Measured (PoCL 3.1, 2 cores of a Xeon with AVX-512 at 2 GHz, 2^24 u32 keys): 432 Mkeys/s, 0.2 of that model at the 34
// GB/s that copies move. Of 4.6 ns a key and core, cutting chunks is a third, half of that waiting for memory, and the
// quicksort of buckets the rest.
#ifndef CLSORT_CPU_SAMPLE_CPU_SAMPLE_CL
#define CLSORT_CPU_SAMPLE_CPU_SAMPLE_CL

#include "common/layout.h"
#include "common/sample.cl"
#include "common/streaming_store.cl"
#include "common/vector_quicksort.cl"

// ROOM_BYTES    of a slice, before its keys: what sort_large needs

#define SINGLE __attribute__((reqd_work_group_size(1, 1, 1)))
#define ROOM (ROOM_BYTES / KEY_BYTES)
typedef char room_is_enough[LARGE_ROOM <= ROOM ? 1 : -1];

typedef struct {
    cls_control_head head;
    uint bins, buckets;
    uint unordered; // 1: some chunk is not in order
    uint next_chunk, next_bucket;
} control_t;

// A bin's part of the output; a bin of one key may have several.
typedef struct {
    ulong first, count;
    uint bin;
    uint is_one_key;
} bucket_t;

// What all launches agree on. The row of a chunk in the table has where each bin's piece begins in it, and its end.
typedef struct {
    index_t n, chunk;
    uint chunks;
} layout_t;

static inline index_t chunk_count(const layout_t layout, const uint number)
{
    return min(layout.chunk, layout.n - number * layout.chunk);
}

// A bin has the keys from its splitter up to the next one's.
static inline key_t last_of_bin(__global const key_t *splitters, const uint bin, const uint bins)
{
    return bin + 1 < bins ? splitters[bin + 1] - 1 : LARGEST_KEY;
}

// Keys as ordered numbers. Returns whether they are in order with each other, and with the one behind them, if there is
// one.
static inline bool take_keys(__global const key_t *from, const index_t count, const bool is_last,
                             const key_t flip, __global key_t *to)
{
    mask_t descents = 0;
    for (index_t i = 0; i < count; i += PACK) {
        const uint left = (uint)min(count - i, (index_t)PACK),
                   pairs = left - (is_last && i + PACK >= count);
        const pack_t keys = ordered_pack(load(from + i, mask_below(left)), flip),
                     next = ordered_pack(load(from + i + 1, mask_below(pairs)), flip);
        descents |= COMPARE(AS_SIGNED(next), AS_SIGNED(keys), LESS_THAN, mask_below(pairs));
        store(keys, to + i, mask_below(left));
    }
    return !descents;
}

// -- the bins --------------------------------------------------------------------------------------

// The first bin begins at 0. A key that would be a splitter twice gets a bin of its own.
static inline uint pick_splitters(__global const key_t *sorted, const uint samples, const uint bins,
                                  const key_t flip, __global key_t *splitters)
{
    uint count = 1;
    key_t last = 0;
    splitters[0] = 0;
    for (uint i = 1; i < bins; i++) {
        const key_t key = ordered(sorted[(ulong)samples * i / bins], flip);
        if (key < last || (key == last && key == LARGEST_KEY))
            continue;
        last = key > last ? key : key + 1;
        splitters[count++] = last;
    }
    return count;
}

// The sample goes through the slices.
__kernel SINGLE void vector_bins(BUFFER(control), INPUT(keys), BUFFER(splitters), BUFFER(slices),
                                 const index_t n, const uint samples, const uint bins,
                                 const key_t flip)
{
    __global control_t *c = AT(control_t, control);
    __global key_t *sample = AT(key_t, slices), *room = sample + samples;
    take_sample(AT(const key_t, keys), n, samples, sample);
    take_keys(sample, samples, true, flip, room);
    sort_room(room, samples, 0, LARGEST_KEY, sample, flip);
    c->bins = pick_splitters(sample, samples, bins, flip, AT(key_t, splitters));
    c->unordered = c->next_chunk = c->next_bucket = 0;
}

// -- chunks ----------------------------------------------------------------------------------------

// Keys of a chunk that go to the bins from `bin` up to `end_bin`.
typedef struct {
    uint first, last;
    uint bin, end_bin;
} range_t;

#define MAX_RANGES 32 // one for each bit of a bin's number

static inline void cut_chunk(__global key_t *keys, const uint count,
                             __global const key_t *splitters, const uint bins, __global key_t *held,
                             __global uint *row)
{
    range_t waiting[MAX_RANGES];
    range_t range = {0, count, 0, bins};
    for (uint waits = 0;;) {
        if (range.end_bin - range.bin > 1) {
            const uint middle = (range.bin + range.end_bin) / 2;
            const uint less = (uint)partition_in_place(keys + range.first, range.last - range.first,
                                                       splitters[middle], held);
            const range_t upper = {range.first + less, range.last, middle, range.end_bin};
            waiting[waits++] = upper;
            range.last = range.first + less;
            range.end_bin = middle;
            continue;
        }
        row[range.bin] = range.first;
        if (waits == 0)
            break;
        range = waiting[--waits];
    }
    row[bins] = count;
}

__kernel SINGLE void vector_pieces(BUFFER(control), INPUT(keys), BUFFER(pieces), BUFFER(splitters),
                                   BUFFER(table), BUFFER(slices), const ulong slice_bytes,
                                   const index_t n, const index_t chunk, const uint chunks,
                                   const key_t flip)
{
    __global control_t *c = AT(control_t, control);
    const layout_t layout = {n, chunk, chunks};
    __global key_t *room = (__global key_t *)(AT(uchar, slices) + get_group_id(0) * slice_bytes),
                   *slice = room + ROOM;
    const uint bins = c->bins;
    for (uint i; (i = atomic_inc(&c->next_chunk)) < chunks;) {
        const index_t first = i * chunk, count = chunk_count(layout, i);
        if (!take_keys(AT(const key_t, keys) + first, count, i + 1 == chunks, flip, slice))
            atomic_or(&c->unordered, 1u);
        cut_chunk(slice, (uint)count, AT(const key_t, splitters), bins, room,
                  AT(uint, table) + (size_t)i * (bins + 1));
        stream_keys(slice, AT(key_t, pieces) + first, count);
    }
}

// -- buckets ---------------------------------------------------------------------------------------

static inline void add_sizes(__global const uint *table, const uint chunks, const uint bins,
                             __global ulong *sizes)
{
    for (uint bin = 0; bin < bins; bin++)
        sizes[bin] = 0;
    for (uint i = 0; i < chunks; i++) {
        __global const uint *row = table + (size_t)i * (bins + 1);
        for (uint bin = 0; bin < bins; bin++)
            sizes[bin] += row[bin + 1] - row[bin];
    }
}

// The sizes of bins are added up in the slices.
__kernel SINGLE void vector_decide(BUFFER(control), BUFFER(splitters), BUFFER(buckets),
                                   BUFFER(table), BUFFER(slices), const index_t chunk,
                                   const uint chunks)
{
    __global control_t *c = AT(control_t, control);
    __global const key_t *least = AT(const key_t, splitters);
    __global ulong *sizes = AT(ulong, slices);
    c->head.varying = 0;
    c->head.is_sorted = !c->unordered;
    c->next_chunk = 0;
    c->buckets = 0;
    add_sizes(AT(const uint, table), chunks, c->bins, sizes);
    ulong first = 0;
    for (uint bin = 0; bin < c->bins; bin++) {
        const bool is_one_key = least[bin] == last_of_bin(least, bin, c->bins);
        for (ulong left = sizes[bin]; left > 0;) {
            // What is not sorted may be large: all cores share it.
            const ulong part = is_one_key ? min(left, (ulong)chunk) : left;
            const bucket_t bucket = {first, part, bin, is_one_key};
            AT(bucket_t, buckets)[c->buckets++] = bucket;
            first += part;
            left -= part;
        }
    }
}

// The pieces of a bin.
static inline void collect(__global const key_t *pieces, __global const uint *table,
                           const layout_t layout, const uint bins, const uint bin,
                           __global key_t *to)
{
    for (uint i = 0; i < layout.chunks; i++) {
        __global const uint *row = table + (size_t)i * (bins + 1) + bin;
        __global const key_t *from = pieces + i * layout.chunk + row[0];
        const uint count = row[1] - row[0];
        for (uint j = 0; j < count; j += PACK) {
            const mask_t here = mask_below(count - j);
            store(load(from + j, here), to + j, here);
        }
        to += count;
    }
}

static inline void copy_chunk(__global const key_t *from, __global key_t *to, const index_t count)
{
    if (from != to)
        stream_keys(from, to, count);
}

// Buckets are handed out by a counter, so that uneven ones balance. One that does not fit the slice is sorted at its
// place.
__kernel SINGLE void vector_buckets(BUFFER(control), INPUT(keys), BUFFER(pieces), BUFFER(keys_to),
                                    BUFFER(splitters), BUFFER(buckets), BUFFER(table),
                                    BUFFER(slices), const ulong slice_bytes, const index_t n,
                                    const index_t chunk, const uint chunks, const key_t flip)
{
    __global control_t *c = AT(control_t, control);
    const layout_t layout = {n, chunk, chunks};
    __global key_t *to = AT(key_t, keys_to);
    if (c->head.is_sorted) {
        for (uint i; (i = atomic_inc(&c->next_chunk)) < chunks;)
            copy_chunk(AT(const key_t, keys) + i * chunk, to + i * chunk, chunk_count(layout, i));
        return;
    }
    __global const key_t *least = AT(const key_t, splitters);
    __global key_t *room = (__global key_t *)(AT(uchar, slices) + get_group_id(0) * slice_bytes),
                   *slice = room + ROOM;
    const ulong slice_keys = slice_bytes / KEY_BYTES - ROOM;
    for (uint i; (i = atomic_inc(&c->next_bucket)) < c->buckets;) {
        const bucket_t bucket = AT(const bucket_t, buckets)[i];
        const key_t low = least[bucket.bin];
        __global key_t *place = to + bucket.first;
        if (bucket.is_one_key) {
            stream_key(place, 0, bucket.count, unordered(low, flip));
            continue;
        }
        __global key_t *here = bucket.count <= slice_keys ? slice : place;
        collect(AT(const key_t, pieces), AT(const uint, table), layout, c->bins, bucket.bin, here);
        sort_large(here, bucket.count, low, last_of_bin(least, bucket.bin, c->bins), room, place,
                   flip);
    }
}

// -- small inputs ----------------------------------------------------------------------------------

__kernel SINGLE void vector_single(BUFFER(control), INPUT(keys), BUFFER(room), BUFFER(keys_to),
                                   const index_t n, const key_t flip)
{
    __global control_t *c = AT(control_t, control);
    __global const key_t *from = AT(const key_t, keys);
    c->head.varying = 0;
    c->head.is_sorted = take_keys(from, n, true, flip, AT(key_t, room));
    if (c->head.is_sorted)
        copy_chunk(from, AT(key_t, keys_to), n);
    else
        sort_room(AT(key_t, room), (uint)n, 0, LARGEST_KEY, AT(key_t, keys_to), flip);
}

#endif
