// load_splitters.cl - the splitters of round 0 in local memory
//
// Option: SPLITS, as in common/digit.cl.
#ifndef CLSORT_MSD_LOAD_SPLITTERS_CL
#define CLSORT_MSD_LOAD_SPLITTERS_CL

#include "msd/buckets.cl"

#include "common/digit.cl"
#include "common/work_group.cl"

#if SPLITS
// The nodes of the search tree (digit.cl); node 0 is not used.
#define SPLITTER_NODES RADIX
#else
#define SPLITTER_NODES 1
#endif

// Returns whether the round divides the keys by splitters.
static inline bool is_by_splitters(__global const cls_msd_control *control, const uint round)
{
#if SPLITS
    return round == 0 && control->has_splitters;
#else
    return false;
#endif
}

// Loads the splitters if the round divides by them. Returns whether it does.
static inline bool load_splitters(__local key_t *splitters, __global const cls_msd_control *control,
                                  const uint round)
{
    const bool by_splitters = is_by_splitters(control, round);
    const uint nodes = by_splitters ? SPLITTER_NODES : 0;
    for (uint i = (uint)get_local_id(0); i < nodes; i += GROUP_SIZE) {
        splitters[i] = (key_t)control->splitters[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return by_splitters;
}

#endif
