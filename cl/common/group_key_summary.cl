// group_key_summary.cl - the key summary of a whole work-group
#ifndef CLSORT_COMMON_GROUP_KEY_SUMMARY_CL
#define CLSORT_COMMON_GROUP_KEY_SUMMARY_CL

#include "common/key_summary.cl"
#include "common/work_group.cl"

// What all work-items saw, for each of them. `all` holds GROUP_SIZE elements.
static inline cls_key_summary group_key_summary(const cls_key_summary mine,
                                                __local cls_key_summary *all)
{
    const uint t = (uint)get_local_id(0);
    all[t] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint distance = 1; distance < GROUP_SIZE; distance *= 2) {
        if (t % (2 * distance) == 0 && t + distance < GROUP_SIZE)
            all[t] = merge_summaries(all[t], all[t + distance]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return all[0];
}

#endif
