// sort_buckets.cl - sorts the small buckets that the rounds left, each in the local memory of one
// work-group
//
// There is one kernel, msd_sort_buckets. Pieces of equal buckets are copied to the output, and oversized
// buckets are deferred to fallback.cl.
//
// The head of round.cl explains the algorithm, layout.h the options. The head of bin_sort.cl has
// the cost.
#ifndef CLSORT_MSD_SORT_BUCKETS_CL
#define CLSORT_MSD_SORT_BUCKETS_CL

#include "msd/buckets.cl"

#include "common/steps.cl"
#include "msd/small_bucket.cl"

#if SORTS_SKEWED
typedef small_bucket_t memory_t;
#else
typedef bin_sort_t memory_t;
#endif

// Enters bucket g in the table of deferred buckets. A loop in place of an `if`: next to a barrier PoCL would take
// the branch of work-item 0 for all work-items.
static inline void defer_bucket(__global cls_msd_control *c, __global uint *deferred, const uint g)
{
    for (uint i = (uint)get_local_id(0); i < 1; i += GROUP_SIZE) {
        deferred[atomic_inc(&c->deferred)] = g;
    }
}

#if !SORTS_SKEWED
// Enters bucket g in that table if bin_sort has not sorted it. After the barriers of bin_sort, PoCL would run the loop
// of defer_bucket in all work-items. Here, all of them write the same entry.
static inline void defer_unsorted(__global cls_msd_control *c, __global uint *deferred,
                                  const uint g, const uint is_sorted, __local uint *entry)
{
    if (get_local_id(0) == 0) {
        *entry = atomic_add(&c->deferred, 1 - is_sorted);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!is_sorted) {
        deferred[*entry] = g;
    }
}
#endif

// Copies a bucket of equal keys to the output, unless its elements are there already.
static inline void copy_bucket(const cls_msd_bucket bucket, const bucket_arrays_t arrays,
                               const uint in_place)
{
    const uint t = (uint)get_local_id(0);
    const bool copies_keys = !is_output(bucket.array, in_place);
    for (uint j = t; j < bucket.count && copies_keys; j += GROUP_SIZE) {
        arrays.keys_out[j] = arrays.keys[j];
    }
#if VALUE_BYTES > 0
    const bool copies_values = !is_values_output(bucket.array, in_place);
    const uint end = bucket.start + bucket.count;
    for (uint j = bucket.start + t; j < end && copies_values; j += GROUP_SIZE) {
        arrays.values_out[j] = VALUE_FROM(arrays.values, bucket.array, j);
    }
#endif
}

// The first bucket of a work-group is that of its own index. Then it draws tickets for buckets, or if
// in_shares is set, it gets an equal share of them, for drivers that limit the iterations of a work-item.
__kernel SUB_GROUP_KERNEL void msd_sort_buckets(BUFFER(control), KEY_ARRAYS,
                                                VALUE_ARRAYS BUFFER(buckets), BUFFER(deferred),
                                                const key_t flip, const key_t pad,
                                                const uint in_place, const uint in_shares)
{
    __local memory_t memory;
    __local uint ticket;
    __global cls_msd_control *c = AT(cls_msd_control, control);
    const uint count = c->buckets;
    const uint groups = (uint)get_num_groups(0);
    uint g = (uint)get_group_id(0);
    while (g < count) {
        const cls_msd_bucket bucket = AT(const cls_msd_bucket, buckets)[g];
        const bucket_arrays_t arrays = BUCKET_ARRAYS(bucket);
        if (has_equal_keys(bucket)) {
            copy_bucket(bucket, arrays, in_place);
        } else if (bucket.count > TILE) {
            defer_bucket(c, AT(uint, deferred), g);
        } else {
            const bool is_whole = WHOLE_BUCKETS && bucket.digits == 0;
#if SORTS_SKEWED
            sort_small_bucket(&memory, bucket, is_whole, arrays, flip, pad);
#else
            bin_sort(&memory, bucket, is_whole, arrays, flip);
            defer_unsorted(c, AT(uint, deferred), g, memory.is_sorted, &ticket);
#endif
        }
        // Drawn in all cases, since the function has barriers
        const uint next = groups + draw_ticket(&c->final_tickets, &ticket);
        g = in_shares ? g + groups : next;
    }
}

#endif
