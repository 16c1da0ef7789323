// sub_group.cl - every sub-group operation, in one kernel, for the self-test
#ifndef CLSORT_SELF_TEST_SUB_GROUP_CL
#define CLSORT_SELF_TEST_SUB_GROUP_CL

#include "common/sub_group.cl"

// Each operation of lanes.cl, by each work-item of a group; lanes.c works it out again.
__kernel SUB_GROUP_KERNEL void lanes_tell(__global ulong *told)
{
    __local uint room[GROUP_SIZE], shared[GROUP_SIZE];
    const uint t = (uint)get_local_id(0), lane = lane_id(), first = sg_index() * SUB_GROUP_SIZE;
    const uint number = (t + 1) * 2654435761u;
    shared[t] = number;
    sg_fence();
    const uint neighbour = shared[first + (lane + 1) % SUB_GROUP_SIZE];
    const lane_mask_t alike = sg_match(number >> 29, 3, room);
    told[8 * t] = first + lane;
    told[8 * t + 1] = sg_ballot(number & 1u << 31, room);
    told[8 * t + 2] = lanes_below();
    told[8 * t + 3] = alike;
    told[8 * t + 4] = lane_count(alike);
    told[8 * t + 5] = sg_shuffle(number, SUB_GROUP_SIZE - 1 - lane, room);
    told[8 * t + 6] = sg_scan(number >> 8, room);
    told[8 * t + 7] = neighbour;
}

#endif
