// sort_buckets.cl - hybrid's jobs, in local memory; those that this does not sort are listed (segment.cl, sort_job.cl)
#ifndef CLSORT_MSD_SORT_BUCKETS_CL
#define CLSORT_MSD_SORT_BUCKETS_CL

#include "msd/bin_sort.cl"
#include "msd/tables.cl"

__kernel SUB_GROUP_KERNEL void hybrid_sort(BUFFER(control), INPUT(keys), BUFFER(keys_to),
                                           BUFFER(keys_tmp),
                                           VALUE_INPUT(values) VALUE_BUFFER(values_to)
                                               VALUE_BUFFER(values_tmp) BUFFER(jobs),
                                           BUFFER(settles), const key_t flip, const uint in_place)
{
    __local sort_room_t room;
    const uint t = (uint)get_local_id(0);
    __global control_t *c = AT(control_t, control);
    const uint all = c->jobs;
    for (uint g = (uint)get_group_id(0); g < all; g += (uint)get_num_groups(0)) {
        const job_t job = AT(const job_t, jobs)[g];
        __global const key_t *in = KEYS_OF(job.place) + job.start;
        __global key_t *out = AT(key_t, keys_to) + job.start;
        VALUES(__global const value_t *values_in = VALUES_FROM(job.place);)
        if (is_equal(job)) {
            for (uint j = t; j < job.count && !is_output(job.place, in_place); j += GROUP_SIZE)
                out[j] = in[j];
#if VALUE_BYTES > 0
            __global value_t *values_out = AT(value_t, values_to);
            for (uint j = job.start + t;
                 j < job.start + job.count && !is_values_output(job.place, in_place);
                 j += GROUP_SIZE)
                values_out[j] = VALUE_FROM(values_in, job.place, j);
#endif
            continue;
        }
#if VALUE_BYTES > 0
        sort_job(&room, job, false, in, out, flip, values_in, AT(value_t, values_to),
                 AT(value_t, values_tmp));
#else
        sort_job(&room, job, false, in, out, flip);
#endif
        // Between barriers, and without an `if`: PoCL would take work-item 0's way from it for all.
        for (uint i = t; i < room.left; i += GROUP_SIZE)
            AT(uint, settles)[atomic_inc(&c->settles)] = g;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

#endif
