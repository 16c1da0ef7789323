// cpu_sample.cl - sample sort of keys without values for CPUs with AVX-512
//
// Splitters from a sorted sample divide the keys into bins that fit in a core's own cache. A bucket
// is the keys of a bin, or a part of them if they are all equal. Each core partitions one chunk of
// the input after the other in its cache, and then collects and sorts one bucket after the other,
// so that a key crosses the memory bus only twice in each direction. Partitions and sorts are those
// of vector_quicksort.cl. Work-groups have one work-item each, which runs on one core, and there
// are no barriers.
//
// Samplesort in two rounds over memory: Frazer and McKellar, "Samplesort: a sampling approach to
// minimal storage tree sorting", JACM 17(3), 1970, pp. 496-507; Blelloch, Gibbons and Simhadri,
// "Low depth cache-oblivious algorithms", SPAA 2010, pp. 189-199, section 4, whose algorithm stores
// the chunks' pieces of bins in the same way.
//
// Kernels, in launch order:
//   cpu_sample_splitters          one work-item: chooses the splitters from a sorted sample
//   cpu_sample_partition_chunks   per core: partitions chunks into one piece per bin; checks
//                                 whether they are in order
//   cpu_sample_plan_buckets       one work-item: computes the offsets of the bins in the output;
//                                 lists the buckets
//   cpu_sample_sort_buckets       per core: collects the pieces of a bucket from all chunks, and
//                                 sorts them
// or, for small inputs:
//   cpu_sample_single             one work-item sorts all keys
//
// Cost: two reads and two writes of the keys beyond the cache, 16 bytes per u32 key. Measured (PoCL
// 3.1, 2 cores of a Xeon with AVX-512 at 2 GHz, 2^24 u32 keys): 432 million keys per second, 0.2 of
// the model at the 34 GB/s of a copy. A key takes a core 4.6 ns: a third for the partition of
// chunks, half of which is waiting for memory, and the rest for the quicksort of buckets.
//
// The only options are those of common/types.cl and common/keys.cl.
#ifndef CLSORT_CPU_SAMPLE_CPU_SAMPLE_CL
#define CLSORT_CPU_SAMPLE_CPU_SAMPLE_CL

#include "common/reverse_keys.cl"
#include "common/sample.cl"
#include "common/streaming_store.cl"
#include "common/vector_quicksort.cl"
#include "cpu_sample/layout.h"
#include "cpu_sample/orders.cl"

// A slice begins with the workspace of quicksort_large; the keys of a chunk or a bucket follow.
#define WORKSPACE_KEYS (CLS_CPU_SAMPLE_WORKSPACE_BYTES / KEY_BYTES)
typedef char workspace_is_large_enough[LARGE_WORKSPACE <= WORKSPACE_KEYS ? 1 : -1];

static inline index_t chunk_size(const cls_cpu_sample_args args, const uint number)
{
    const index_t chunk = (index_t)args.chunk;
    return min(chunk, (index_t)args.count - number * chunk);
}

// A bin has the ordered keys from its splitter to the next bin's splitter, exclusive. Returns the
// largest key that a bin can have.
static inline key_t last_key_of_bin(__global const key_t *splitters, const uint bin,
                                    const uint bins)
{
    return bin + 1 < bins ? splitters[bin + 1] - 1 : LARGEST_KEY;
}

// -- the splitters --------------------------------------------------------------------------------

// Picks equidistant keys of the sorted sample as splitters. The first splitter is 0. A key that
// would be a splitter twice gets a bin of its own. Returns the number of bins.
static inline uint pick_splitters(__global const key_t *sorted, const uint samples, const uint bins,
                                  const key_t flip, __global key_t *splitters)
{
    uint count = 1;
    key_t last = 0;
    splitters[0] = 0;
    for (uint i = 1; i < bins; i++) {
        const key_t key = ordered(sorted[(ulong)samples * i / bins], flip);
        if (key < last || (key == last && key == LARGEST_KEY)) {
            continue;
        }
        last = key > last ? key : key + 1;
        splitters[count++] = last;
    }
    return count;
}

// Chooses the splitters. The slices of cpu_sample_sort_buckets serve as workspace.
static inline void choose_splitters(__global cls_cpu_sample_control *c, __global const key_t *keys,
                                    __global key_t *splitters, __global key_t *slices,
                                    const cls_cpu_sample_args args)
{
    const uint samples = args.samples;
    const key_t flip = (key_t)args.flip;
    __global key_t *sample = slices, *workspace = sample + samples;
    take_sample(keys, (index_t)args.count, samples, sample);
    load_ordered(sample, samples, flip, workspace);
    quicksort(workspace, samples, 0, LARGEST_KEY, sample, flip);
    c->bins = pick_splitters(sample, samples, args.bins, flip, splitters);
}

// The first core chooses the splitters. Meanwhile the others find the orders that their shares of
// the keys are in.
__kernel WORK_ITEM_KERNEL void cpu_sample_splitters(BUFFER(control), INPUT(keys), BUFFER(splitters),
                                                    BUFFER(slices), const cls_cpu_sample_args args)
{
    __global cls_cpu_sample_control *c = AT(cls_cpu_sample_control, control);
    __global const key_t *from = AT(const key_t, keys);
    const uint core = get_group_id(0);
    if (core == 0) {
        choose_splitters(c, from, AT(key_t, splitters), AT(key_t, slices), args);
        c->next_chunk = c->next_bucket = 0;
    }
    const index_t n = (index_t)args.count, share = n / args.units, first = core * share;
    // The share includes the first key of the next one.
    const index_t count = core + 1 < args.units ? share + 1 : n - first;
    c->orders[core] = orders_of_keys(from + first, count, (key_t)args.flip);
}

// Returns the orders that the input is in.
static inline uint orders_of_input(__global const cls_cpu_sample_control *c, const uint units)
{
    uint orders = ASCENDING | DESCENDING;
    for (uint i = 0; i < units; i++) {
        orders &= c->orders[i];
    }
    return orders;
}

// -- chunks ---------------------------------------------------------------------------------------

// The keys [first, last) of a chunk, which go to the bins [bin, end_bin).
typedef struct {
    uint first, last;
    uint bin, end_bin;
} bin_range_t;

#define MAX_PENDING_BIN_RANGES 32 // one for each bit of a bin's number

// Partitions a chunk in place into one piece per bin. The chunk's row of the table receives the
// start of each piece, and the end of the last. The order of the bins is depth-first, from the
// lowest.
static inline void partition_chunk(__global key_t *keys, const uint count,
                                   __global const key_t *splitters, const uint bins,
                                   __global key_t *held, __global uint *row)
{
    bin_range_t pending[MAX_PENDING_BIN_RANGES];
    bin_range_t range = {0, count, 0, bins};
    for (uint depth = 0;;) {
        if (range.end_bin - range.bin > 1) {
            const uint middle = (range.bin + range.end_bin) / 2;
            const uint less = (uint)partition_in_place(keys + range.first, range.last - range.first,
                                                       splitters[middle], held);
            const bin_range_t upper = {range.first + less, range.last, middle, range.end_bin};
            pending[depth++] = upper;
            range.last = range.first + less;
            range.end_bin = middle;
            continue;
        }
        row[range.bin] = range.first;
        if (depth == 0) {
            break;
        }
        range = pending[--depth];
    }
    row[bins] = count;
}

// Finds the pieces of a chunk that is in ascending order.
static inline void find_pieces(__global const key_t *keys, const uint count,
                               __global const key_t *splitters, const uint bins, __global uint *row)
{
    uint first = 0;
    for (uint bin = 0; bin < bins; bin++) {
        const key_t splitter = splitters[bin];
        for (uint end = count; first < end;) { // a search for the first key that is not below it
            const uint middle = (first + end) / 2;
            if (keys[middle] < splitter) {
                first = middle + 1;
            } else {
                end = middle;
            }
        }
        row[bin] = first;
    }
    row[bins] = count;
}

__kernel WORK_ITEM_KERNEL void cpu_sample_partition_chunks(BUFFER(control), INPUT(keys),
                                                           BUFFER(pieces), BUFFER(splitters),
                                                           BUFFER(table), BUFFER(slices),
                                                           const cls_cpu_sample_args args)
{
    __global cls_cpu_sample_control *c = AT(cls_cpu_sample_control, control);
    __global const key_t *lowest = AT(const key_t, splitters); // of each bin
    const index_t chunk = (index_t)args.chunk;
    __global key_t *workspace =
                       (__global key_t *)(AT(uchar, slices) + get_group_id(0) * args.slice_bytes),
                   *slice = workspace + WORKSPACE_KEYS;
    const uint bins = c->bins;
    if (orders_of_input(c, args.units) != 0) {
        return;
    }
    for (uint i; (i = atomic_inc(&c->next_chunk)) < args.chunks;) {
        const index_t first = i * chunk, count = chunk_size(args, i);
        const uint orders =
            load_ordered(AT(const key_t, keys) + first, count, (key_t)args.flip, slice);
        __global uint *row = AT(uint, table) + (size_t)i * (bins + 1);
        if (orders == 0) {
            partition_chunk(slice, (uint)count, lowest, bins, workspace, row);
        } else {
            if (orders == DESCENDING) {
                reverse_keys(slice, slice, 0, (count + 1) / 2, count);
            }
            find_pieces(slice, (uint)count, lowest, bins, row);
        }
        stream_keys(slice, AT(key_t, pieces) + first, count);
    }
}

// -- buckets --------------------------------------------------------------------------------------

// Sets sizes[bin] to the total size of the bin's pieces.
static inline void add_sizes(__global const uint *table, const uint chunks, const uint bins,
                             __global ulong *sizes)
{
    for (uint bin = 0; bin < bins; bin++) {
        sizes[bin] = 0;
    }
    for (uint i = 0; i < chunks; i++) {
        __global const uint *row = table + (size_t)i * (bins + 1);
        for (uint bin = 0; bin < bins; bin++) {
            sizes[bin] += row[bin + 1] - row[bin];
        }
    }
}

// The slices of cpu_sample_sort_buckets serve as workspace.
__kernel WORK_ITEM_KERNEL void cpu_sample_plan_buckets(BUFFER(control), BUFFER(splitters),
                                                       BUFFER(buckets), BUFFER(table),
                                                       BUFFER(slices),
                                                       const cls_cpu_sample_args args)
{
    __global cls_cpu_sample_control *c = AT(cls_cpu_sample_control, control);
    __global const key_t *lowest = AT(const key_t, splitters); // of each bin
    __global ulong *sizes = AT(ulong, slices);
    const uint orders = orders_of_input(c, args.units);
    c->head.varying = 0;
    c->head.is_sorted = orders & ASCENDING;
    c->is_reversed = orders == DESCENDING;
    c->next_chunk = 0;
    c->buckets = 0;
    if (orders != 0) {
        return;
    }
    add_sizes(AT(const uint, table), args.chunks, c->bins, sizes);
    ulong first = 0;
    for (uint bin = 0; bin < c->bins; bin++) {
        const bool is_one_key = lowest[bin] == last_key_of_bin(lowest, bin, c->bins);
        for (ulong left = sizes[bin]; left > 0;) {
            // A bin of one key is not sorted, and all cores share it, since it may be large.
            const ulong part = is_one_key ? min(left, args.chunk) : left;
            const cls_cpu_sample_bucket bucket = {first, part, bin, is_one_key};
            AT(cls_cpu_sample_bucket, buckets)[c->buckets++] = bucket;
            first += part;
            left -= part;
        }
    }
}

// Copies the pieces of a bin from all chunks to contiguous memory.
static inline void collect_pieces(__global const key_t *pieces, __global const uint *table,
                                  const uint chunks, const index_t chunk, const uint bins,
                                  const uint bin, __global key_t *to)
{
    for (uint i = 0; i < chunks; i++) {
        __global const uint *row = table + (size_t)i * (bins + 1) + bin;
        __global const key_t *from = pieces + i * chunk + row[0];
        const uint count = row[1] - row[0];
        for (uint j = 0; j < count; j += KEYS_PER_REGISTER) {
            const mask_t valid = mask_below(count - j);
            store_keys(load_keys(from + j, valid), to + j, valid);
        }
        to += count;
    }
}

// Copies or reverses `count` keys from `first` on, of n keys that are in order. In descending order,
// these are in the lower half.
static inline void write_ordered_keys(__global const key_t *from, __global key_t *to,
                                      const index_t first, const index_t count, const index_t n,
                                      const uint orders)
{
    if (orders == DESCENDING) {
        reverse_keys(from, to, first, first + count, n);
    } else if (from != to) {
        stream_keys(from + first, to + first, count);
    }
}

// Cores take buckets from a shared counter, so that one that gets small buckets sorts more of them.
// A bucket that does not fit in the slice is sorted in the output.
__kernel WORK_ITEM_KERNEL void cpu_sample_sort_buckets(BUFFER(control), INPUT(keys), BUFFER(pieces),
                                                       BUFFER(keys_to), BUFFER(splitters),
                                                       BUFFER(buckets), BUFFER(table),
                                                       BUFFER(slices),
                                                       const cls_cpu_sample_args args)
{
    __global cls_cpu_sample_control *c = AT(cls_cpu_sample_control, control);
    const key_t flip = (key_t)args.flip;
    const index_t chunk = (index_t)args.chunk;
    const uint chunks = args.chunks;
    __global key_t *to = AT(key_t, keys_to);
    if (c->head.is_sorted || c->is_reversed) {
        const index_t n = (index_t)args.count, end = c->is_reversed ? (n + 1) / 2 : n;
        for (index_t i; (i = atomic_inc(&c->next_chunk) * chunk) < end;) {
            write_ordered_keys(AT(const key_t, keys), to, i, min(chunk, end - i), n,
                               c->is_reversed ? DESCENDING : ASCENDING);
        }
        return;
    }
    __global const key_t *lowest = AT(const key_t, splitters); // of each bin
    __global key_t *workspace =
                       (__global key_t *)(AT(uchar, slices) + get_group_id(0) * args.slice_bytes),
                   *slice = workspace + WORKSPACE_KEYS;
    const ulong slice_keys = args.slice_bytes / KEY_BYTES - WORKSPACE_KEYS;
    for (uint i; (i = atomic_inc(&c->next_bucket)) < c->buckets;) {
        const cls_cpu_sample_bucket bucket = AT(const cls_cpu_sample_bucket, buckets)[i];
        const key_t low = lowest[bucket.bin];
        __global key_t *output = to + bucket.first;
        if (bucket.is_one_key) {
            stream_key(output, 0, bucket.count, unordered(low, flip));
            continue;
        }
        __global key_t *collected = bucket.count <= slice_keys ? slice : output;
        collect_pieces(AT(const key_t, pieces), AT(const uint, table), chunks, chunk, c->bins,
                       bucket.bin, collected);
        quicksort_large(collected, bucket.count, low, last_key_of_bin(lowest, bucket.bin, c->bins),
                        workspace, output, flip);
    }
}

// -- small inputs ---------------------------------------------------------------------------------

__kernel WORK_ITEM_KERNEL void cpu_sample_single(BUFFER(control), INPUT(keys), BUFFER(workspace),
                                                 BUFFER(keys_to), const cls_cpu_sample_args args)
{
    __global cls_control_head *head = AT(cls_control_head, control);
    __global const key_t *from = AT(const key_t, keys);
    const index_t n = (index_t)args.count;
    const key_t flip = (key_t)args.flip;
    const uint orders = load_ordered(from, n, flip, AT(key_t, workspace));
    head->varying = 0;
    head->is_sorted = orders & ASCENDING;
    if (orders != 0) {
        write_ordered_keys(from, AT(key_t, keys_to), 0, orders == DESCENDING ? (n + 1) / 2 : n, n,
                           orders & ASCENDING ? ASCENDING : DESCENDING);
    } else {
        quicksort(AT(key_t, workspace), (uint)n, 0, LARGEST_KEY, AT(key_t, keys_to), flip);
    }
}

#endif
