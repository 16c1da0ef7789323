// clear.cl - clears the counters of the steps, the totals, and the table of the tiles
#ifndef CLSORT_ONESWEEP_CLEAR_CL
#define CLSORT_ONESWEEP_CLEAR_CL

#include "common/lsd_passes.cl"
#include "common/sub_group.cl"
#include "onesweep/control.cl"
#include "onesweep/tables.cl"

__kernel SUB_GROUP_KERNEL void onesweep_clear(BUFFER(control), BUFFER(tables), ONESWEEP_ARGS)
{
    if (IS_SKIPPED) {
        return;
    }
    SIZE_ONESWEEP_ARGS
    clear_table(TILE_TABLE, args.table_words, (uint)get_group_id(0), (uint)get_num_groups(0));
    if (get_group_id(0) == 0) {
        begin_steps(AT(cls_onesweep_control, control), 0, args);
    }
}

#endif
