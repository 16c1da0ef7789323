// sort_buckets.cl - each core sorts one bucket after the other into the output
#ifndef CLSORT_CPU_RADIX_SORT_BUCKETS_CL
#define CLSORT_CPU_RADIX_SORT_BUCKETS_CL

#include "common/arrays.cl"
#include "cpu_radix/args.cl"
#include "cpu_radix/chunk.cl"
#include "cpu_radix/merge_run.cl"
#include "cpu_radix/rewrite.cl"
#include "cpu_radix/sort_part.cl"

// Writes a bucket that needs no sorting.
static inline void write_sorted_bucket(const cls_cpu_radix_bucket bucket, const elements_t from,
                                       const elements_t to, const key_t flip, const key_t window)
{
#if CAN_REWRITE_KEYS
    if (window == LARGEST_KEY) {
        stream_key(to.keys, 0, bucket.count, unordered((key_t)bucket.key, flip));
        return;
    }
#endif
    stream_elements(from, to, (index_t)bucket.count);
}

OUTLINED void write_bucket(const sorter_t *sorter, const cls_cpu_radix_bucket bucket,
                           const elements_t from, const elements_t to)
{
    const index_t count = (index_t)bucket.count;
    if (bucket.top_bit == bucket.low_bit) {
        write_sorted_bucket(bucket, from, to, sorter->flip, sorter->window);
    }
#if CAN_REWRITE_KEYS
    else if (sorter->window == LARGEST_KEY && bucket.top_bit - bucket.low_bit <= PARTITION_BITS &&
             bucket.count > BIN_COUNTERS) {
        count_and_rewrite(from.keys, to.keys, count, sorter->flip, bucket.low_bit, bucket.top_bit,
                          sorter->counters);
    }
#endif
    else if (!merge_run(sorter, count, bucket.low_bit, bucket.top_bit, from, to)) {
        sort_bucket(sorter, count, bucket.low_bit, bucket.top_bit, from, to);
    }
}

// Cores take buckets from a shared counter, so that one that gets small buckets sorts more of them.
__kernel WORK_ITEM_KERNEL void cpu_radix_sort_buckets(BUFFER(control), BUFFER(buckets), KEY_ARRAYS,
                                                      VALUE_ARRAYS BUFFER(slices), CPU_RADIX_ARGS)
{
    if (IS_SINGLE) {
        return;
    }
    SIZE_CPU_RADIX_ARGS
    __global cls_cpu_radix_control *c = AT(cls_cpu_radix_control, control);
    const elements_t in = INPUT_ELEMENTS(keys, values);
    const elements_t tmp = ELEMENTS(keys_tmp, values_tmp), to = ELEMENTS(keys_to, values_to);
    if (c->head.is_sorted) {
        for (uint i; (i = atomic_inc(&c->next_chunk)) < args.chunks;) {
            copy_sorted_input(in, to, chunk_at(i, (index_t)args.chunk, (index_t)args.count));
        }
        return;
    }
    if (c->is_reversed) {
        const index_t n = (index_t)args.count;
        for (uint i; (i = atomic_inc(&c->next_chunk)) < args.chunks;) {
            reverse_input(in, to, chunk_at(i, (index_t)args.chunk, (n + 1) / 2), n);
        }
        return;
    }
    index_t counters[LSD_COUNTERS] ALIGNED;
    pending_parts_t pending;
    const sorter_t sorter = {AT(uchar, slices) + get_group_id(0) * args.slice_bytes,
                             args.slice_bytes,
                             (key_t)args.flip,
                             (key_t)args.window,
                             counters,
                             &pending};
    for (uint i; (i = atomic_inc(&c->next_bucket)) < c->buckets;) {
        const cls_cpu_radix_bucket bucket = AT(const cls_cpu_radix_bucket, buckets)[i];
        write_bucket(&sorter, bucket, elements_at(tmp, (index_t)bucket.first),
                     elements_at(to, (index_t)bucket.first));
    }
}

#endif
