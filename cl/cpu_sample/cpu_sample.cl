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
//   cpu_sample_splitters          one core chooses the splitters from a sorted sample, and all check
//                                 the order of the keys (orders.cl)
//   cpu_sample_partition_chunks   per core: partitions chunks into one piece per bin
//   cpu_sample_plan_buckets       one work-item: computes the offsets of the bins in the output;
//                                 lists the buckets
//   cpu_sample_sort_buckets       per core: collects the pieces of a bucket from all chunks, and
//                                 sorts them
// or, for small inputs:
//   cpu_sample_single             one work-item sorts all keys
//
// Input in ascending order is copied, or left as it is, and input in descending order is reversed;
// the partition then returns early. The pieces of a chunk that is in order are found by searches.
// If the chunk is nearly in order, the keys that are not are its exceptions, which each bucket
// collects separately (exceptions.cl). Buckets that consist of few sorted runs are merged
// (merge_runs.cl).
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
#include "cpu_sample/args.cl"
#include "cpu_sample/exceptions.cl"
#include "cpu_sample/merge_runs.cl"
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
                                                    BUFFER(slices), CPU_SAMPLE_ARGS)
{
    if (IS_SINGLE) {
        return;
    }
    SIZE_CPU_SAMPLE_ARGS
    __global cls_cpu_sample_control *c = AT(cls_cpu_sample_control, control);
    __global const key_t *from = AT(const key_t, keys);
    const uint core = get_group_id(0);
    if (core == 0) {
        choose_splitters(c, from, AT(key_t, splitters), AT(key_t, slices), args);
        c->next_chunk = c->next_bucket = c->has_exceptions = 0;
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

// Returns a chunk's row of the table.
static inline __global uint *row_of(__global uint *table, const uint chunk, const uint bins)
{
    return table + (size_t)chunk * CLS_CPU_SAMPLE_ROW(bins);
}

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

// Returns the first key of [first, end) that is not below a bound. The keys are in order.
OUTLINED uint lower_bound(__global const key_t *keys, uint first, uint end, const key_t bound,
                          const key_t flip, const bool are_ordered)
{
    while (first < end) {
        const uint middle = (first + end) / 2;
        const key_t key = are_ordered ? keys[middle] : ordered(keys[middle], flip);
        if (key < bound) {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    return first;
}

// Finds the pieces of keys in ascending order.
static inline void find_pieces(__global const key_t *keys, const uint count,
                               __global const key_t *splitters, const uint bins, const key_t flip,
                               const bool are_ordered, __global uint *row)
{
    uint first = 0;
    for (uint bin = 0; bin < bins; bin++) {
        row[bin] = first = lower_bound(keys, first, count, splitters[bin], flip, are_ordered);
    }
    row[bins] = count;
}

// Divides a chunk into pieces, in `pieces` unless it can stay in the input. A chunk that is in
// order, or nearly so, is not partitioned. Writes the chunk's row of the table. Returns whether the
// chunk has exceptions.
static inline bool divide_chunk(__global const key_t *keys, const uint count,
                                __global const key_t *splitters, const uint bins,
                                __global key_t *pieces, __global key_t *workspace,
                                __global uint *row, const cls_cpu_sample_args args)
{
    const key_t flip = (key_t)args.flip;
    __global key_t *slice = workspace + WORKSPACE_KEYS;
    row[bins + 1] = !args.in_place && orders_of_keys(keys, count, flip) & ASCENDING;
    if (row[bins + 1]) {
        find_pieces(keys, count, splitters, bins, flip, false, row);
        return false;
    }
    const steps_t steps = load_ordered(keys, count, flip, slice);
    uint kept = 0;
    if (steps.descents == 0) {
        kept = count;
    } else if (steps.ascents == 0) {
        reverse_keys(slice, slice, 0, (count + 1) / 2, count);
        kept = count;
    } else if (steps.descents <= count / MIN_KEPT_SHARE) {
        kept = keep_keys_in_order(slice, count, workspace);
        if (kept == 0) {
            load_ordered(keys, count, flip, slice);
        }
    }
    if (kept == 0) {
        partition_chunk(slice, count, splitters, bins, workspace, row);
    } else {
        find_pieces(slice, kept, splitters, bins, flip, true, row);
    }
    stream_keys(slice, pieces, count);
    return row[bins] < count;
}

__kernel WORK_ITEM_KERNEL void cpu_sample_partition_chunks(BUFFER(control), INPUT(keys),
                                                           BUFFER(pieces), BUFFER(splitters),
                                                           BUFFER(table), BUFFER(slices),
                                                           CPU_SAMPLE_ARGS)
{
    if (IS_SINGLE) {
        return;
    }
    SIZE_CPU_SAMPLE_ARGS
    __global cls_cpu_sample_control *c = AT(cls_cpu_sample_control, control);
    __global key_t *workspace =
        (__global key_t *)(AT(uchar, slices) + get_group_id(0) * args.slice_bytes);
    const index_t chunk = (index_t)args.chunk;
    if (orders_of_input(c, args.units) != 0) {
        return;
    }
    for (uint i; (i = atomic_inc(&c->next_chunk)) < args.chunks;) {
        const index_t first = i * chunk;
        if (divide_chunk(AT(const key_t, keys) + first, (uint)chunk_size(args, i),
                         AT(const key_t, splitters), c->bins, AT(key_t, pieces) + first, workspace,
                         row_of(AT(uint, table), i, c->bins), args)) {
            atomic_or(&c->has_exceptions, 1u);
        }
    }
}

// -- buckets --------------------------------------------------------------------------------------

// Sets sizes[bin] to the number of the bin's keys.
static inline void add_sizes(__global uint *table, __global const key_t *pieces,
                             __global const key_t *splitters, const uint bins,
                             const cls_cpu_sample_args args, __global ulong *sizes)
{
    for (uint bin = 0; bin < bins; bin++) {
        sizes[bin] = 0;
    }
    for (uint i = 0; i < args.chunks; i++) {
        __global const uint *row = row_of(table, i, bins);
        for (uint bin = 0; bin < bins; bin++) {
            sizes[bin] += row[bin + 1] - row[bin];
        }
        __global const key_t *keys = pieces + i * (index_t)args.chunk;
        const uint count = (uint)chunk_size(args, i);
        for (uint j = row[bins], bin = 0; j < count; j++) { // the exceptions, which are in order
            while (keys[j] > last_key_of_bin(splitters, bin, bins)) {
                bin++;
            }
            sizes[bin]++;
        }
    }
}

// The slices of cpu_sample_sort_buckets serve as workspace.
__kernel WORK_ITEM_KERNEL void cpu_sample_plan_buckets(BUFFER(control), BUFFER(pieces),
                                                       BUFFER(splitters), BUFFER(buckets),
                                                       BUFFER(table), BUFFER(slices),
                                                       CPU_SAMPLE_ARGS)
{
    if (IS_SINGLE) {
        return;
    }
    SIZE_CPU_SAMPLE_ARGS
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
    add_sizes(AT(uint, table), AT(const key_t, pieces), lowest, c->bins, args, sizes);
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

// Copies keys, as ordered keys unless they are. Returns where the copy ends.
INLINED __global key_t *append_keys(__global const key_t *from, const uint count, const key_t flip,
                                    const bool are_ordered, __global key_t *to)
{
    for (uint i = 0; i < count; i += KEYS_PER_REGISTER) {
        const mask_t valid = mask_below(count - i);
        const register_keys_t keys = load_keys(from + i, valid);
        store_keys(are_ordered ? keys : ordered_register(keys, flip), to + i, valid);
    }
    return to + count;
}

// Sorts at most MAX_BUFFERED_KEYS ordered keys in place.
static inline void sort_ordered_keys(__global key_t *keys, const uint count,
                                     __global key_t *workspace, const key_t flip)
{
    for (uint i = 0; i < count; i += KEYS_PER_REGISTER) {
        store_keys(load_keys(keys + i, mask_below(count - i)), workspace + i, ALL_KEYS);
    }
    quicksort(workspace, count, 0, LARGEST_KEY, keys, flip);
    load_ordered(keys, count, flip, keys); // since the quicksort writes keys
}

// The arrays that pieces of a bin are collected from.
typedef struct {
    __global const key_t *keys, *pieces;
    __global uint *table;
    uint bins;
} chunks_t;

// Copies the pieces of a bin from all chunks to contiguous memory. Returns where they end.
static inline __global key_t *collect_pieces(const chunks_t from, const uint bin,
                                             __global key_t *to, const cls_cpu_sample_args args)
{
    for (uint i = 0; i < args.chunks; i++) {
        __global const uint *row = row_of(from.table, i, from.bins);
        const index_t first = i * (index_t)args.chunk + row[bin];
        const uint count = row[bin + 1] - row[bin];
        to = row[from.bins + 1] ? append_keys(from.keys + first, count, (key_t)args.flip, false, to)
                                : append_keys(from.pieces + first, count, 0, true, to);
    }
    return to;
}

// Copies the exceptions of all chunks that belong to a bin. Returns where they end.
static inline __global key_t *collect_exceptions(const chunks_t from, const key_t low,
                                                 const key_t high, __global key_t *to,
                                                 const cls_cpu_sample_args args)
{
    for (uint i = 0; i < args.chunks; i++) {
        __global const key_t *chunk = from.pieces + i * (index_t)args.chunk;
        const uint end = (uint)chunk_size(args, i);
        uint first =
            lower_bound(chunk, row_of(from.table, i, from.bins)[from.bins], end, low, 0, true);
        for (; first < end && chunk[first] <= high; first++) {
            *to++ = chunk[first];
        }
    }
    return to;
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
                                                       BUFFER(slices), CPU_SAMPLE_ARGS)
{
    if (IS_SINGLE) {
        return;
    }
    SIZE_CPU_SAMPLE_ARGS
    __global cls_cpu_sample_control *c = AT(cls_cpu_sample_control, control);
    const key_t flip = (key_t)args.flip;
    const index_t chunk = (index_t)args.chunk;
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
    const chunks_t from = {AT(const key_t, keys), AT(const key_t, pieces), AT(uint, table),
                           c->bins};
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
        const key_t high = last_key_of_bin(lowest, bucket.bin, c->bins);
        __global key_t *collected = bucket.count <= slice_keys ? slice : output;
        __global key_t *exceptions = collect_pieces(from, bucket.bin, collected, args);
        if (c->has_exceptions) {
            const uint found =
                (uint)(collect_exceptions(from, low, high, exceptions, args) - exceptions);
            if (found <= MAX_BUFFERED_KEYS) {
                sort_ordered_keys(exceptions, found, workspace, flip);
            }
        }
        if (collected == output || !merge_runs(slice, (uint)bucket.count, output, flip)) {
            quicksort_large(collected, bucket.count, low, high, workspace, output, flip);
        }
    }
}

// -- small inputs ---------------------------------------------------------------------------------

__kernel WORK_ITEM_KERNEL void cpu_sample_single(BUFFER(control), INPUT(keys), BUFFER(workspace),
                                                 BUFFER(keys_to), CPU_SAMPLE_ARGS)
{
    if (IS_NOT_SINGLE) {
        return;
    }
    SIZE_CPU_SAMPLE_ARGS
    __global cls_control_head *head = AT(cls_control_head, control);
    __global const key_t *from = AT(const key_t, keys);
    const index_t n = (index_t)args.count;
    const key_t flip = (key_t)args.flip;
    const uint orders = orders_of(load_ordered(from, n, flip, AT(key_t, workspace)));
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
