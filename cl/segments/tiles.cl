// tiles.cl - segmented sort for work-groups: a group sorts all segments of a tile at once
//
// A tile is a part of the array of a fixed size, so that the load is balanced whatever the segments
// are. It is sorted by merges in local memory, as in merge/work_group.cl, but only within segments:
// of two neighbouring runs, the segment that crosses the border between them is merged, and all other
// elements stay where they are. If segments are short, most steps have nothing to merge, and are
// skipped. Segments that cross borders of tiles are then merged in the same way (rounds.cl).
//
// Baxter, "Modern GPU", 2013, "Segmented sort"; Green, McColl and Bader 2012 (merge/co_rank.cl).
//
// Kernels, in launch order, after those of bounds.cl:
//   segments_find    per tile: finds its first segment, and the one that crosses its left border
//   segments_tiles   per tile: sorts the parts of segments in the tile
//   segments_split   per tile and round: finds the borders of tiles in the output of a merge
//   segments_round   per tile and round: merges the outputs of the tile
//
// Cost: a read and a write of each element, and another two for each round of its segment: a segment
// of n elements has about log2(n / TILE) rounds. Groups that have nothing to merge return early. Measured
// (H100, 2^26 u32 keys): rows of 64 and 256 keys take 0.96 and 1.07 ms, 0.19 and 0.17 of a read and a write at
// 2.98 TB/s; each fourfold length beyond a tile adds 0.5 ms, two rounds.
//
// Options, besides those of rounds.cl: GROUP_SIZE, a power of two, and ITEMS, at most 32
// (common/work_group.cl).
#ifndef CLSORT_SEGMENTS_TILES_CL
#define CLSORT_SEGMENTS_TILES_CL

#include "common/arrays.cl"
#include "common/permute.cl"
#include "merge/tile.cl"
#include "segments/rounds.cl"

// -- tiles ----------------------------------------------------------------------------------------

// The segments of a tile, as the work-items of its group have found them. Positions are those of
// elements in the tile.
typedef struct {
    uint inside[GROUP_SIZE]; // bit i: the i-th item of the work-item is in a segment
    // The part of the segment that crosses the left border of a work-item's items; empty if there is
    // none.
    ushort begin[GROUP_SIZE], end[GROUP_SIZE];
    uint levels; // bit k: a segment crosses a border between runs of 2^k work-items
} tile_segments_t;

static inline bool is_inside(__local const tile_segments_t *s, const uint position)
{
    return s->inside[position / ITEMS] >> position % ITEMS & 1;
}

// Finds the segments of the items of this work-item. Bit i of the result: items i and i + 1 are in the
// same segment.
static inline uint find_segments(__local tile_segments_t *s, const segments_t segments,
                                 const index_t low, const index_t high, const index_t base,
                                 const uint count)
{
    const uint t = (uint)get_local_id(0), first = t * ITEMS;
    uint inside = 0, joined = 0;
    if (t == 0) {
        s->levels = 0;
    }
    s->begin[t] = s->end[t] = (ushort)first;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (first < count) {
        index_t i = segment_behind(segments, low, high, base + first);
        segment_t segment;
        load_segment(&segment, segments, i, high, base + count);
        if (segment.begin < base + first) {
            s->begin[t] = (ushort)(max(segment.begin, base) - base);
            s->end[t] = (ushort)min(segment.end - base, (index_t)count);
        }
        if (t > 0 && segment.begin < base + first) {
            atomic_or(&s->levels, t & -t);
        }
        for (uint item = 0; item < ITEMS; item++) {
            const index_t element = base + first + item;
            if (element >= segment.end && i < high) {
                i++;
                load_segment(&segment, segments, i, high, base + count);
            }
            const bool is_in = element >= segment.begin && element < segment.end;
            inside |= is_in ? 1u << item : 0;
            joined |= is_in && element + 1 < segment.end ? 1u << item : 0;
        }
    }
    s->inside[t] = inside;
    barrier(CLK_LOCAL_MEM_FENCE);
    return joined;
}

// Loads the elements of segments; others are not read.
static inline void load_segments(__local merge_exchange_t *x, __local const tile_segments_t *s,
                                 __global const key_t *keys)
{
    for (uint i = 0; i < ITEMS; i++) {
        const uint j = (uint)get_local_id(0) + i * GROUP_SIZE;
        if (is_inside(s, j)) {
            x->key[j] = keys[j];
        }
        VALUES(x->from[j] = (ushort)j;)
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

// Sorts the items of this work-item within segments, by odd-even transposition.
static inline void sort_joined_items(merge_items_t *items, const uint joined, const order_t order)
{
#pragma unroll
    for (uint round = 0; round < ITEMS; round++) {
#pragma unroll
        for (uint i = round % 2; i + 1 < ITEMS; i += 2) {
            const key_t a = items->key[i], b = items->key[i + 1];
            const bool swap = (joined >> i & 1) && precedes(b, a, order);
            items->key[i] = swap ? b : a;
            items->key[i + 1] = swap ? a : b;
#if VALUE_BYTES > 0
            const ushort from_a = items->from[i], from_b = items->from[i + 1];
            items->from[i] = swap ? from_b : from_a;
            items->from[i + 1] = swap ? from_a : from_b;
#endif
        }
    }
}

// Merges runs of 1, 2, 4, ... work-items, within segments.
static inline void merge_levels(merge_items_t *items, __local merge_exchange_t *x,
                                __local const tile_segments_t *s, const order_t order)
{
    const uint t = (uint)get_local_id(0), first = t * ITEMS, levels = s->levels;
    for (uint level = 0; 1u << level < GROUP_SIZE; level++) {
        if (!(levels >> level & 1)) {
            continue;
        }
        store_items(items, x);
        const uint run = 1u << level, border = t / (2 * run) * (2 * run) + run;
        const uint begin = max((uint)s->begin[border], (border - run) * ITEMS),
                   end = min((uint)s->end[border], (border + run) * ITEMS);
        const uint from = clamp(begin, first, first + ITEMS), to = clamp(end, from, first + ITEMS);
        merge_some_items(items, x, begin, border * ITEMS, end, from - begin, from - first,
                         to - first, to == first + ITEMS && to < end, order);
    }
    store_items(items, x);
}

// Where the sorted parts of a tile go: the segments that cross its borders may go to scratch.
typedef struct {
    uint left_end, right_begin;
    bool left_to_scratch, right_to_scratch;
} tile_target_t;

static inline tile_target_t target_of(__global const segment_t *crossing, const uint tile,
                                      const index_t base, const uint count)
{
    const segment_t left = crossing[tile], right = crossing[tile + 1];
    tile_target_t target;
    target.left_end = (uint)min(left.end - base, (index_t)count);
    target.right_begin = (uint)(max(right.begin, base) - base);
    target.left_to_scratch = is_in_scratch(left, 0, TILE);
    target.right_to_scratch = is_in_scratch(right, 0, TILE);
    return target;
}

static inline bool goes_to_scratch(const tile_target_t target, const uint position)
{
    return (position < target.left_end && target.left_to_scratch) ||
           (position >= target.right_begin && target.right_to_scratch);
}

__kernel WORK_GROUP_KERNEL void segments_tiles(BUFFER(control), INPUT(list), INPUT(crossing),
                                               INPUT(firsts), KEY_ARRAYS,
                                               VALUE_ARRAYS const cls_segments_args args, ORDER)
{
    __local merge_exchange_t x;
    __local tile_segments_t s;
    const order_t order = ORDER_ARGUMENTS;
    const uint tile = (uint)get_group_id(0);
    const index_t base = (index_t)tile * TILE, n = (index_t)args.count;
    const uint count = (uint)min(n - base, (index_t)TILE);
    const segments_t segments = {AT(const segment_t, list),
                                 (index_t)AT(const cls_segments_control, control)->segments,
                                 (index_t)args.row};
    const index_t low = AT(const index_t, firsts)[tile],
                  high = min(AT(const index_t, firsts)[tile + 1] + 1, segments.count);
    segment_t first;
    load_segment(&first, segments, low, segments.count, n);
    if (first.begin >= base + count) {
        return; // the tile has no elements of segments
    }
    const uint joined = find_segments(&s, segments, low, high, base, count);
    merge_items_t items;
    load_segments(&x, &s, AT(const key_t, keys) + base);
    load_items(&items, &x);
    barrier(CLK_LOCAL_MEM_FENCE);
    sort_joined_items(&items, joined, order);
    merge_levels(&items, &x, &s, order);
    const tile_target_t target = target_of(AT(const segment_t, crossing), tile, base, count);
    for (uint j = (uint)get_local_id(0); j < TILE; j += GROUP_SIZE) {
        if (is_inside(&s, j)) {
            (goes_to_scratch(target, j) ? AT(key_t, keys_tmp) : AT(key_t, keys_to))[base + j] =
                x.key[j];
        }
    }
    VALUES(PERMUTE_VALUES(is_inside(&s, j), x.from, INPUT_VALUES(values), base,
                          goes_to_scratch(target, j) ? AT(value_t, values_tmp)
                                                     : AT(value_t, values_to)))
}

// -- rounds ---------------------------------------------------------------------------------------

// The arguments of the kernels that merge, for the function that they call.
#define MERGE_BUFFERS                                                                              \
    BUFFER(control), INPUT(crossing), BUFFER(cuts), BUFFER(keys), BUFFER(keys_tmp),                \
        VALUE_BUFFER(values) VALUE_BUFFER(values_tmp)
#define MERGE_BUFFERS_HERE                                                                         \
    control, control_at, crossing, crossing_at, cuts, cuts_at, keys, keys_at, keys_tmp,            \
        keys_tmp_at, MERGE_VALUES_HERE
#if VALUE_BYTES > 0
#define MERGE_VALUES_HERE values, values_at, values_tmp, values_tmp_at,
#else
#define MERGE_VALUES_HERE
#endif

// Merges the outputs of a tile.
static inline void merge_tile(__local merge_exchange_t *x, const uint tile,
                              MERGE_BUFFERS const cls_segments_args args, const order_t order)
{
    const uint t = (uint)get_local_id(0);
    for (uint right = 0; right < 2; right++) {
        round_part_t part;
        find_round_part(&part, AT(const segment_t, crossing), AT(const index_t, cuts), tile, right,
                        AT(const cls_segments_control, control)->out_of_order, args);
        if (part.count == 0) {
            continue;
        }
        const uint count = (uint)part.count, a_count = (uint)(part.next_from_a - part.from_a);
        const index_t a = part.pair.begin + part.from_a,
                      b = part.pair.middle + (part.first - part.pair.begin) - part.from_a;
        __global const key_t *keys_from = part.from_scratch ? AT(key_t, keys_tmp) : AT(key_t, keys);
        __global key_t *keys_to = part.from_scratch ? AT(key_t, keys) : AT(key_t, keys_tmp);
        load_tile(x, keys_from + a, keys_from + b, a_count, count);
        merge_items_t items;
        const uint first = min(t * ITEMS, count);
        load_items(&items, x);
        merge_runs(&items, x, 0, a_count, count, first, first + ITEMS < count, order);
        store_items(&items, x);
#if VALUE_BYTES > 0
        __global const value_t *values_from =
            part.from_scratch ? AT(value_t, values_tmp) : AT(value_t, values);
        __global value_t *values_to =
            part.from_scratch ? AT(value_t, values) : AT(value_t, values_tmp);
#endif
        for (uint j = t; j < count; j += GROUP_SIZE) {
            keys_to[part.first + j] = x->key[j];
#if VALUE_BYTES > 0
            const uint from = x->from[j];
            values_to[part.first + j] =
                from < a_count ? values_from[a + from] : values_from[b + from - a_count];
#endif
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

__kernel WORK_GROUP_KERNEL void segments_round(MERGE_BUFFERS const cls_segments_args args, ORDER)
{
    __local merge_exchange_t x;
    const order_t order = ORDER_ARGUMENTS;
    if (args.round < AT(const cls_segments_control, control)->rounds) {
        merge_tile(&x, (uint)get_group_id(0), MERGE_BUFFERS_HERE args, order);
    }
}

#endif
