// all_rounds.cl - segmented sort for work-groups with all rounds in one launch
//
// A launch takes some microseconds of the host's time. The host knows only the maximum number of
// rounds, and mostly there are fewer segments that cross tiles, or none. Where groups that have started
// are known to make progress, this program therefore takes the place of work_group.cl: each round waits
// for the one before it (common/steps.cl), and the kernel returns after the last one.
//
// Kernels, in launch order, after those of bounds.cl:
//   segments_find, segments_tiles    those of tiles.cl
//   segments_rounds                  a split and a merge in each round
//
// Cost: that of the rounds, and two waits of some microseconds for each. The options are those of
// tiles.cl and common/sub_group.cl.
#ifndef CLSORT_SEGMENTS_ALL_ROUNDS_CL
#define CLSORT_SEGMENTS_ALL_ROUNDS_CL

#include "common/steps.cl"
#include "segments/tiles.cl"

__kernel WORK_GROUP_KERNEL void segments_rounds(MERGE_BUFFERS const cls_segments_args all_args,
                                                ORDER)
{
    __local merge_exchange_t x;
    __local uint ticket[1];
    const order_t order = ORDER_ARGUMENTS;
    __global cls_segments_control *c = AT(cls_segments_control, control);
    const uint rounds = c->rounds, splits = (all_args.tiles + GROUP_SIZE - 1) / GROUP_SIZE;
    cls_segments_args args = all_args;
    for (args.round = 0; args.round < rounds; args.round++) {
        uint step = 2 * args.round, parts = 0, i = draw_ticket(&c->tickets[step], ticket);
        while (i < splits) {
            const uint tile = i * GROUP_SIZE + (uint)get_local_id(0);
            if (tile > 0 && tile < args.tiles) {
                split_at_tile(tile, c, AT(const segment_t, crossing), AT(const key_t, keys),
                              AT(const key_t, keys_tmp), AT(index_t, cuts), args, order);
            }
            parts++;
            i = draw_ticket(&c->tickets[step], ticket);
        }
        report_parts(&c->complete[step], parts);
        await_parts(&c->complete[step], splits);

        step++;
        parts = 0;
        i = draw_ticket(&c->tickets[step], ticket);
        while (i < args.tiles) {
            merge_tile(&x, i, MERGE_BUFFERS_HERE args, order);
            parts++;
            i = draw_ticket(&c->tickets[step], ticket);
        }
        report_parts(&c->complete[step], parts);
        await_parts(&c->complete[step], args.tiles);
    }
}

#endif
