// rounds.cl - how segments that cross the borders of tiles are merged, round by round
//
// Tiles divide the array into parts of equal size, whatever the segments are. A tile sorts its part of
// each segment, which is a run. Each round merges neighbouring runs of a segment in pairs. The work is
// divided by tiles of the output, of which a tile has at most two such segments: those that cross its
// left and its right border. Baxter, "Modern GPU", 2013, "Segmented sort".
//
// All runs of a segment move in each of its rounds, also those that have no partner, so that they are
// in the same array: the output, if an even number of rounds is left, and scratch otherwise.
// Options:
//   WHOLE_IN_TILE   1: a segment that is not longer than a tile is sorted by the tile in which it begins
//   SPLIT_GROUP     work-items of a group of segments_split
//   CHECKED         1: runs may be out of order, because a custom order is inconsistent. The output is
//                   then still a permutation of the input
#ifndef CLSORT_SEGMENTS_ROUNDS_CL
#define CLSORT_SEGMENTS_ROUNDS_CL

#include "common/order.cl"
#include "merge/co_rank.cl"
#include "segments/layout.h"
#include "segments/list.cl"

// Returns the number of rounds until a segment is one run: the logarithm of the number of its runs,
// rounded up.
static inline uint segment_rounds(const segment_t segment, const index_t tile)
{
    if (segment.begin >= segment.end) {
        return 0;
    }
#if WHOLE_IN_TILE
    if (segment.end - segment.begin <= tile) {
        return 0;
    }
#endif
    const ulong borders = (segment.end - 1) / tile - segment.begin / tile;
    return 64 - (uint)clz(borders);
}

// Returns whether the runs of a segment are in scratch before a round.
static inline bool is_in_scratch(const segment_t segment, const uint round, const index_t tile)
{
    return (segment_rounds(segment, tile) - round) % 2 != 0;
}

// The two runs that a tile merges: [begin, middle) and [middle, end). One of them may be empty.
typedef struct {
    index_t begin, middle, end;
} run_pair_t;

static inline run_pair_t run_pair_of(const segment_t segment, const uint round, const uint tile,
                                     const index_t tile_size)
{
    const index_t first_tile = segment.begin / tile_size;
    const ulong block = (ulong)(tile - first_tile) >> (round + 1) << (round + 1),
                first = first_tile + block, middle = first + (1ul << round),
                last = middle + (1ul << round);
    run_pair_t pair;
    pair.begin = max(segment.begin, (index_t)(first * tile_size));
    pair.end = (index_t)min((ulong)segment.end, last * tile_size);
    pair.middle = (index_t)clamp(middle * tile_size, (ulong)pair.begin, (ulong)pair.end);
    return pair;
}

// The crossing segment of tile t is the segment with elements on both sides of the tile's left border.
// A tile without such a segment has an empty one in the table. The table has one more entry, for the
// end of the array.

static inline void clear_steps(__global cls_segments_control *control)
{
    for (uint i = (uint)get_local_id(0); i < SEGMENTS_STEPS; i += SPLIT_GROUP) {
        control->tickets[i] = control->complete[i] = 0;
    }
}

// Finds the first segment that ends after the beginning of each tile, and the crossing segments. There
// is one group more than tiles need, if these fill the groups.
__kernel __attribute__((reqd_work_group_size(SPLIT_GROUP, 1, 1))) void
segments_find(BUFFER(control), INPUT(list), BUFFER(crossing), BUFFER(firsts),
              const cls_segments_args args)
{
    const segments_t segments = {AT(const segment_t, list),
                                 (index_t)AT(const cls_segments_control, control)->segments,
                                 (index_t)args.row};
    const uint tile = (uint)get_global_id(0);
    if (get_group_id(0) == 0) {
        clear_steps(AT(cls_segments_control, control));
    }
    if (tile > args.tiles) {
        return;
    }
    const index_t begin = (index_t)min(tile * args.tile, args.count);
    const index_t first = segment_behind(segments, 0, segments.count, begin);
    segment_t segment;
    load_segment(&segment, segments, first, segments.count, begin);
    AT(index_t, firsts)[tile] = first;
    AT(segment_t, crossing)[tile].begin = min(segment.begin, begin);
    AT(segment_t, crossing)[tile].end = segment.begin < begin ? segment.end : begin;
    if (segment.begin < begin) {
        atomic_max(&AT(cls_segments_control, control)->rounds,
                   segment_rounds(segment, (index_t)args.tile));
    }
}

static inline index_t cut_at(__global const key_t *keys, const run_pair_t pair,
                             const index_t border, const order_t order)
{
    const index_t rank = border - pair.begin;
    return co_rank_far(keys + pair.begin, keys + pair.middle, rank,
                       MIN_FROM_A(rank, pair.end - pair.middle),
                       MAX_FROM_A(rank, pair.middle - pair.begin), order);
}

// For the left border of a tile, if it is inside a pair of runs: writes how many of the outputs of the
// pair before it are of the first run.
static inline void split_at_tile(const uint tile, __global cls_segments_control *control,
                                 __global const segment_t *crossing, __global const key_t *keys,
                                 __global const key_t *keys_tmp, __global index_t *cuts,
                                 const cls_segments_args args, const order_t order)
{
    const index_t size = (index_t)args.tile, border = tile * size;
    const segment_t segment = crossing[tile];
    if (segment_rounds(segment, size) <= args.round) {
        return;
    }
    const run_pair_t pair = run_pair_of(segment, args.round, tile, size);
    if (border == pair.begin) {
        return;
    }
    __global const key_t *from = is_in_scratch(segment, args.round, size) ? keys_tmp : keys;
    const index_t cut = cut_at(from, pair, border, order);
    cuts[tile] = cut;
#if CHECKED
    // Only a custom order that is not consistent leads to runs out of order.
    const index_t preceding = max(pair.begin, border - size);
    const index_t before =
        preceding > pair.begin ? cut_at(from, pair, preceding, order) : (index_t)0;
    if (cut < before || cut - before > border - preceding) {
        control->out_of_order = 1;
    }
#endif
}

__kernel __attribute__((reqd_work_group_size(SPLIT_GROUP, 1, 1))) void
segments_split(BUFFER(control), INPUT(crossing), INPUT(keys), INPUT(keys_tmp), BUFFER(cuts),
               const cls_segments_args args, ORDER)
{
    const order_t order = ORDER_ARGUMENTS;
    const uint tile = 1 + (uint)get_global_id(0);
    if (tile < args.tiles && args.round < AT(const cls_segments_control, control)->rounds) {
        split_at_tile(tile, AT(cls_segments_control, control), AT(const segment_t, crossing),
                      AT(const key_t, keys), AT(const key_t, keys_tmp), AT(index_t, cuts), args,
                      order);
    }
}

// The outputs of a tile that come from a pair of runs: `count` of them, from `first` on. Of the outputs
// of the pair before them, from_a are of the first run; with them, next_from_a.
typedef struct {
    run_pair_t pair;
    index_t first, count;
    index_t from_a, next_from_a;
    bool from_scratch; // the runs are in scratch, and the outputs are not; otherwise the reverse
} round_part_t;

// Sets *part to the part of a tile that has the segment which crosses its left border or, if `is_right`, its
// right border only. It is empty if there is no such segment, or if that is one run already. If runs are
// out of order, their elements stay where they are.
static inline void find_round_part(round_part_t *part, __global const segment_t *crossing,
                                   __global const index_t *cuts, const uint tile,
                                   const bool is_right, const bool out_of_order,
                                   const cls_segments_args args)
{
    const index_t n = (index_t)args.count, size = (index_t)args.tile, begin = tile * size,
                  end = begin + min(n - begin, size);
    const segment_t segment = crossing[tile + is_right];
    part->count = 0;
    if (segment_rounds(segment, size) <= args.round || (is_right && segment.begin < begin)) {
        return;
    }
    part->pair = run_pair_of(segment, args.round, tile, size);
    part->first = max(begin, segment.begin);
    part->count = min(end, segment.end) - part->first;
    part->from_scratch = is_in_scratch(segment, args.round, size);
    const index_t rank = part->first - part->pair.begin, next_rank = rank + part->count,
                  a_count = part->pair.middle - part->pair.begin;
    if (out_of_order) {
        part->from_a = min(rank, a_count);
        part->next_from_a = min(next_rank, a_count);
    } else {
        part->from_a = rank == 0 ? 0 : cuts[tile];
        part->next_from_a =
            part->pair.begin + next_rank == part->pair.end ? a_count : cuts[tile + 1];
    }
}

#endif
