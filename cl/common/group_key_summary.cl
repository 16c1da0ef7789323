// group_key_summary.cl - reduction of key summaries over a work-group
#ifndef CLSORT_COMMON_GROUP_KEY_SUMMARY_CL
#define CLSORT_COMMON_GROUP_KEY_SUMMARY_CL

#include "common/key_summary.cl"
#include "common/work_group.cl"

// Returns the combined summary of all work-items, to each of them. `summaries` has GROUP_SIZE
// elements.
static inline cls_key_summary group_key_summary(const cls_key_summary mine,
                                                __local cls_key_summary *summaries)
{
    const uint t = (uint)get_local_id(0);
    summaries[t] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint distance = 1; distance < GROUP_SIZE; distance *= 2) {
        if (t % (2 * distance) == 0 && t + distance < GROUP_SIZE) {
            summaries[t] = merge_summaries(summaries[t], summaries[t + distance]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return summaries[0];
}

#endif
