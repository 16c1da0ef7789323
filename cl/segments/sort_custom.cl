// sort_custom.cl - segmented sort for CPU cores by a custom order: merge sort (merge/runs.cl)
//
// segments/cores.cl has the kernels in launch order and the cost.
#ifndef CLSORT_SEGMENTS_SORT_CUSTOM_CL
#define CLSORT_SEGMENTS_SORT_CUSTOM_CL

#include "merge/runs.cl"
#include "segments/cores.cl"

OUTLINED void sort_part_of_segment(const order_t *order, const part_arrays_t *part)
{
    sort_tile(part->in, part->first, part->to, part->other, part->count, *order);
}

__kernel WORK_ITEM_KERNEL void segments_tiles(TILES_ARGUMENTS)
{
    const order_t order = ORDER_ARGUMENTS;
    DECLARE_TILES_ARRAYS;
    BEGIN_WALK(walk);
    part_arrays_t part;
    while (NEXT_PART(walk, part)) {
        sort_part_of_segment(&order, &part);
    }
}

#endif
