// cores.cl - segmented sort for CPU cores: the parts of segments that a core sorts, and the rounds of merges
//
// A tile is a part of the array, so that all tiles take about as long, whatever the segments are: a
// segment that is not longer than a tile is sorted by the tile in which it begins, and of a longer
// one each tile sorts its part. The parts are then merged (rounds.cl).
//
// There is a program for each way to sort a part:
//   sort_vectors.cl   keys of 4 or 8 bytes without values, compared in all bits, with AVX-512
//   sort_buckets.cl   other built-in orders
//   sort_custom.cl    custom orders
//
// Kernels, in launch order, all with one work-item per group, after those of bounds.cl:
//   segments_find    per tile: finds its first segment, and the one that crosses its left border
//   segments_tiles   per core: takes one tile after the other and sorts its parts
//   segments_split   per tile and round: finds the borders of tiles in the output of a merge
//   segments_round   per tile and round: merges the outputs of the tile
//
// Cost: a read and a write of each element if its segment is not longer than a tile, and another two
// for each round of merges otherwise. Up to some thousand elements the sort of a segment is in the
// cache, and limited by instructions. Measured (2 cores of an EPYC with AVX-512, 2^24 u32 keys):
// segments of 16 keys take 8.4 ms, 0.28 of a read and a write at the copy rate of 57 GB/s; of 256
// keys 9.7 ms, 0.24; of 4096 keys and of 65536 keys 13.2 ms, 0.18.
#ifndef CLSORT_SEGMENTS_CORES_CL
#define CLSORT_SEGMENTS_CORES_CL

#include "common/arrays.cl"
#include "common/elements.cl"
#include "merge/piece.cl"
#include "segments/rounds.cl"

// The arrays between which a part of a segment moves. It is in both output and scratch at the same
// indexes as in the input.
typedef struct {
    elements_t in;        // the input, from its first element on
    elements_t to, other; // output or scratch, and the other of these, from the part on
    index_t first, count; // the index of the first element of the part, and the number of elements
} part_arrays_t;

// -- tiles ----------------------------------------------------------------------------------------

// The parts of segments that a core sorts. Cores take tiles from a shared counter, so that one that is
// slower sorts fewer of them.
typedef struct {
    segments_t segments;
    index_t next;       // the next segment
    index_t begin, end; // the elements of the tile
} part_walk_t;

// The arguments of segments_tiles, and those of next_part.
#define TILES_ARGUMENTS                                                                            \
    BUFFER(control), INPUT(list), INPUT(firsts), KEY_ARRAYS, VALUE_ARRAYS BUFFER(slices),          \
        const cls_segments_args args, ORDER
#define SLICE (AT(uchar, slices) + get_group_id(0) * args.slice_bytes)

// Starts a walk without a tile.
#define BEGIN_WALK(walk)                                                                           \
    part_walk_t walk = {{AT(const segment_t, list),                                                \
                         (index_t)AT(const cls_segments_control, control)->segments,               \
                         (index_t)args.row},                                                       \
                        0,                                                                         \
                        0,                                                                         \
                        0};                                                                        \
    walk.next = walk.segments.count

// Sets *part to the next part of a segment in the tile. Returns false after the last part.
static inline bool next_part_of_tile(part_walk_t *walk, segment_t *part, bool *to_scratch,
                                     const index_t size)
{
    while (walk->next < walk->segments.count) {
        segment_t segment;
        load_segment(&segment, walk->segments, walk->next, walk->segments.count, 0);
        if (segment.begin >= walk->end) {
            return false;
        }
        walk->next++;
        *part = segment;
        *to_scratch = is_in_scratch(segment, 0, size);
        if (segment.end - segment.begin > size) {
            part->begin = max(segment.begin, walk->begin);
            part->end = min(segment.end, walk->end);
            return true;
        }
        if (segment.begin >= walk->begin) {
            return true;
        }
    }
    return false;
}

// The same, with the parts of all tiles that this core takes. Sets *arrays to those of the part.
static inline bool next_part(part_walk_t *walk, part_arrays_t *arrays, const elements_t in,
                             const elements_t to, const elements_t tmp,
                             __global cls_segments_control *control, __global const index_t *firsts,
                             const cls_segments_args args)
{
    const index_t n = (index_t)args.count, size = (index_t)args.tile;
    segment_t part;
    bool to_scratch;
    while (!next_part_of_tile(walk, &part, &to_scratch, size)) {
        const uint tile = atomic_inc(&control->next_tile);
        if (tile >= args.tiles) {
            return false;
        }
        walk->next = firsts[tile];
        walk->begin = tile * size;
        walk->end = walk->begin + min(n - walk->begin, size);
    }
    arrays->in = in;
    arrays->to = elements_at(to_scratch ? tmp : to, part.begin);
    arrays->other = elements_at(to_scratch ? to : tmp, part.begin);
    arrays->first = part.begin;
    arrays->count = part.end - part.begin;
    return true;
}

#define NEXT_PART(walk, part)                                                                      \
    next_part(&(walk), &(part), in, to, tmp, AT(cls_segments_control, control),                    \
              AT(const index_t, firsts), args)

// Declares the arrays of segments_tiles.
#define DECLARE_TILES_ARRAYS                                                                       \
    const elements_t in = INPUT_ELEMENTS(keys, values);                                            \
    const elements_t tmp = ELEMENTS(keys_tmp, values_tmp), to = ELEMENTS(keys_to, values_to)

// -- rounds ---------------------------------------------------------------------------------------

#define MERGED_BLOCK 32768 // outputs that are merged in the way that suits them

OUTLINED void merge_round_part(const elements_t runs, const elements_t out, const round_part_t part,
                               const order_t order)
{
    const index_t rank = part.first - part.pair.begin;
    const cut_t begin = {rank, part.from_a}, end = {rank + part.count, part.next_from_a};
    merge_piece(elements_at(runs, part.pair.begin), elements_at(runs, part.pair.middle),
                elements_at(out, part.pair.begin), begin, end, MERGED_BLOCK, order);
}

__kernel WORK_ITEM_KERNEL void
segments_round(BUFFER(control), INPUT(crossing), INPUT(cuts), BUFFER(keys), BUFFER(keys_tmp),
               VALUE_BUFFER(values) VALUE_BUFFER(values_tmp) const cls_segments_args args, ORDER)
{
    const order_t order = ORDER_ARGUMENTS;
    __global const cls_segments_control *c = AT(const cls_segments_control, control);
    if (args.round >= c->rounds) {
        return;
    }
    const elements_t out = ELEMENTS(keys, values), tmp = ELEMENTS(keys_tmp, values_tmp);
    for (uint right = 0; right < 2; right++) {
        round_part_t part;
        find_round_part(&part, AT(const segment_t, crossing), AT(const index_t, cuts),
                        (uint)get_group_id(0), right, c->out_of_order, args);
        if (part.count > 0) {
            merge_round_part(part.from_scratch ? tmp : out, part.from_scratch ? out : tmp, part,
                             order);
        }
    }
}

#endif
