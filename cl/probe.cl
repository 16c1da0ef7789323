// probe.cl - what a device's compiler can do, told by the kernels that there are, and what its lanes do

#if defined(COMPRESSES)
__kernel void can_compress(__global uint *unused)
{
}
#endif

#if defined(LANES)
// Each operation of lanes.cl, by each work-item of a group; lanes.c works it out again.
__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) LANED void
lanes_tell(__global ulong *told)
{
    __local uint room[GROUP_SIZE], shared[GROUP_SIZE];
    const uint t = (uint)get_local_id(0), lane = lane_id(), first = lane_group() * LANES;
    const uint number = (t + 1) * 2654435761u;
    shared[t] = number;
    lane_fence();
    const uint neighbour = shared[first + (lane + 1) % LANES];
    const lane_mask_t alike = lanes_match(number >> 29, 3, room);
    told[8 * t] = first + lane;
    told[8 * t + 1] = lanes_ballot(number & 1u << 31, room);
    told[8 * t + 2] = lanes_before();
    told[8 * t + 3] = alike;
    told[8 * t + 4] = lanes_count(alike);
    told[8 * t + 5] = lane_shuffle(number, LANES - 1 - lane, room);
    told[8 * t + 6] = lane_scan(number >> 8, room);
    told[8 * t + 7] = neighbour;
}
#endif

// Some drivers refuse a program without any.
__kernel void can_compile(__global uint *unused)
{
}
