// work_group.cl - finds the first violation of the order, for GPUs: one work-group per chunk
//
// check.cl explains the method and its kernels. A work-group searches its chunk tile by tile, and
// returns early after the first tile with a violation.
//
// Options, besides those of check.cl: ITEMS (common/work_group.cl).
#ifndef CLSORT_CHECK_WORK_GROUP_CL
#define CLSORT_CHECK_WORK_GROUP_CL

#include "check/check.cl"

__kernel WORK_GROUP_KERNEL void check_chunks(BUFFER(scratch), ELEMENTS_IN,
                                             COUNT_ARGUMENT const cls_check_args args, ORDER)
{
    __local uint found, first_chunk;
    const order_t order = ORDER_ARGUMENTS;
    __global cls_check_control *control = AT(cls_check_control, scratch);
    LOAD_ELEMENTS_IN(in);
    const uint t = (uint)get_local_id(0);
    chunk_range_t range;
    SET_CHUNK_RANGE(&range, args);
    index_t first = range.first;
    while (first < range.last) {
        const uint size = (uint)min(range.last - first, (index_t)TILE);
        if (t == 0) {
            found = TILE;
            first_chunk = first_chunk_of(control);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        uint own = TILE;
#pragma unroll
        for (uint i = 0; i < ITEMS; i++) {
            const uint e = i * GROUP_SIZE + t;
            if (e < size && first + e > 0 && precedes_neighbour(in, first + e, order)) {
                own = min(own, e);
            }
        }
        if (own < TILE) {
            atomic_min(&found, own);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint its_first = found;
        const bool is_done = its_first < TILE || first_chunk < get_group_id(0);
        barrier(CLK_LOCAL_MEM_FENCE); // `found` is overwritten
        if (t == 0 && its_first < TILE) {
            publish_violation(control, first + its_first);
        }
        first = is_done ? range.last : first + TILE;
    }
}

#endif
