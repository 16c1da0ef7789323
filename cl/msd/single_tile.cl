// single_tile.cl - so few elements that they fit a tile are one job: one group sorts them, in one launch
//
// Cost model: a launch, and what a group takes for a tile while nobody else keeps its unit busy.
#ifndef CLSORT_MSD_SINGLE_TILE_CL
#define CLSORT_MSD_SINGLE_TILE_CL

#define RANK_STABLE 1

#include "msd/bin_sort.cl"
#include "msd/lsd_in_tile.cl"

typedef union {
    sort_room_t sort;
    settle_room_t settle;
} alone_room_t;

__kernel SUB_GROUP_KERNEL void hybrid_alone(BUFFER(control), INPUT(keys), BUFFER(keys_to),
                                            VALUE_INPUT(values) VALUE_BUFFER(values_to)
                                                VALUE_BUFFER(values_tmp) const uint count,
                                            const key_t flip, const key_t pad, const uint end_bit)
{
    __local alone_room_t room;
    const job_t job = {0, count, INPUT_ARRAY, (uchar)end_bit, (uchar)(end_bit - 1), 0, 0, 2};
    __global const key_t *in = AT(const key_t, keys);
    __global key_t *out = AT(key_t, keys_to);
    if (get_local_id(0) == 0)
        AT(control_t, control)->head.is_sorted = 0;
#if VALUE_BYTES > 0
    __global value_t *values_out = AT(value_t, values_to), *values_aside = AT(value_t, values_tmp);
    __global const value_t *values_in = VALUES_FROM(INPUT_ARRAY);
    sort_job(&room.sort, job, true, in, out, flip, values_in, values_out, values_aside);
#else
    sort_job(&room.sort, job, true, in, out, flip);
#endif
    const uint left = room.sort.left;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (left > 0) {
#if VALUE_BYTES > 0
        settle_job(&room.settle, job, count, in, out, flip, pad, values_in, values_out,
                   values_aside);
#else
        settle_job(&room.settle, job, count, in, out, flip, pad);
#endif
    }
}

#endif
