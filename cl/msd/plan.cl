// plan.cl - turns the histograms of large buckets into output offsets, and enters the children in
// the tables
//
// The steps for a large bucket, which one work-group plans:
//   1. For each digit the counts of the bucket's blocks are added up, unless they are in the control block
//      (layout.h). If the digit does not vary, the counts of one block suffice. The exclusive scan of the
//      sums gives the start of each child in the bucket.
//   2. In a stable sort, a scan over the blocks replaces the counts of each block by its output offsets,
//      unless the digit does not vary. In others, the starts of the children are written.
//   3. If all keys have the same digit, the elements stay where they are, unless there are gaps. Otherwise the bucket's
//      tiles are listed for msd_partition.
//   4. The children are grouped into spans of consecutive digits. Neighbouring tiny children are in
//      one span if they start in the same interval of SMALL_TILE / 2 elements, counted from the
//      start of the bucket; the span then has at most SMALL_TILE elements. Every other child is a
//      span of its own. So is every child by splitters, and with gaps.
//   5. A large child is appended to the next round's large buckets, its blocks are listed for
//      msd_histogram, and rows of the histograms are reserved for it. Every other span that
//      is not empty is appended to the final buckets; an equal child is divided into pieces of at
//      most SMALL_TILE elements.
// The head of round.cl explains the kinds of children.
//
// Kernels:
//   msd_prepare         one group, before round 0 (prepare.cl)
//   msd_plan_buckets    each group plans several large buckets of a round, one after another
//
// Cost: mostly latency. A group reads the histograms of its bucket's blocks once, or twice if the sort is
// stable, and writes them once, and writes the list of its tiles. Measured (H200, 2^24 elements, round 0,
// by msd_plan_buckets): 10 us for u32 keys, whose blocks add up their counts, and 31 us for stable u32
// pairs with 410 blocks, before a work-item read four columns at a time (docs/lab-log/gpu-h200.md, entry 146).
// A launch without work takes 4 us.
#ifndef CLSORT_MSD_PLAN_CL
#define CLSORT_MSD_PLAN_CL

#include "msd/buckets.cl"
#include "msd/load_splitters.cl"
#include "msd/prepare.cl"

#define COLUMNS 4
#include "common/column.cl"
#include "common/rank.cl"
#include "common/scan.cl"
#include "common/unroll.cl"

// Tiny children have at most this number of elements. Those that start in the same interval of this
// size are in one span, which has at most twice as many elements.
#define MAX_TINY_COUNT (SMALL_TILE / 2)
#define TEAM_SIZE (GROUP_SIZE < 32 ? GROUP_SIZE : 32) // work-items per entry of large_child[]
// The rows of a bucket's histograms are divided into as many parts as there are work-items for, if
// each has COLUMNS columns.
#define ROW_PARTS (GROUP_SIZE * COLUMNS < RADIX ? 1 : GROUP_SIZE * COLUMNS / RADIX)
#define COLUMN_GROUPS (RADIX / COLUMNS)
#define TARGET_COUNT CLS_MSD_TARGET_COUNT(SMALL_TILE)

typedef struct {
    uint start[RADIX + 1]; // the counts of the children; then where each starts in the bucket
    uint part[ROW_PARTS * RADIX]; // the counts of the children in each part of the rows
    uint span[RADIX + 1];         // the first child of each span
    ulong sums[2 * GROUP_SIZE];   // local memory of group_exclusive_scan
    uint has_one_child;           // 1: one child has all keys
    uint first_tile;              // index of the bucket's first tile in the list of tiles
    uint large_children;          // number of elements of large_child[]
    // The children with more than SMALL_TILE elements: large, oversized and equal ones; with gaps, all
    // children. `slot` is an index in the next round's large buckets, or CLS_MSD_NONE for an equal child.
    // Any other child whose slot is at or beyond the capacity is oversized.
    struct {
        uint digit;
        uint slot;
        uint first_entry; // index of the first of its blocks, or of its final buckets
    } large_child[RADIX];
} msd_plan_t;

// The tables to which a plan is written.
typedef struct {
    __global cls_msd_control *control;
    __global cls_msd_large_bucket *large_buckets; // of the next round
    __global cls_msd_part *blocks;                // of the next round
    __global cls_msd_bucket *buckets;
    __global cls_msd_part *tiles;
    uint round;
    bool by_splitters; // the round divides by splitters
    // msd_sampled_round has moved the elements, so that there are gaps between the children. All of them are large
    // buckets of the next round, which closes the gaps.
    bool has_gaps;
    cls_msd_args args;
} msd_tables_t;

// Whether the table of the next round's large buckets has this slot.
static inline bool has_slot(const cls_msd_args args, const uint slot)
{
    return slot < args.max_large_buckets;
}

// -- 1 and 2: offsets -----------------------------------------------------------------------------

// The counts of the children become their starts.
static inline void scan_children(__local msd_plan_t *p)
{
    ulong sum = 0;
    for (uint first = 0; first < RADIX; first += GROUP_SIZE) {
        const uint d = first + (uint)get_local_id(0);
        ulong total;
        const ulong before = group_exclusive_scan(d < RADIX ? p->start[d] : 0, p->sums, &total);
        if (d < RADIX) {
            p->start[d] = (uint)(sum + before);
        }
        sum += total;
    }
    if (get_local_id(0) == 0) {
        p->start[RADIX] = (uint)sum;
        p->large_children = p->has_one_child = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

// The rows of a bucket's blocks: one every `stride` words.
typedef struct {
    __global uint *first;
    uint count, stride;
    uint in_part; // rows in each of the ROW_PARTS parts, but for the last ones
} block_rows_t;

// Sets start[] to the counts of the children, and part[]. Work-item i adds up the columns of group i % COLUMN_GROUPS in
// part i / COLUMN_GROUPS, then those of work-item i + GROUP_SIZE.
static inline void add_up_blocks(__local msd_plan_t *p, const block_rows_t rows)
{
    const uint t = (uint)get_local_id(0);
    for (uint i = t; i < ROW_PARTS * COLUMN_GROUPS; i += GROUP_SIZE) {
        const uint part = i / COLUMN_GROUPS, d = i % COLUMN_GROUPS * COLUMNS;
        const uint first = min(part * rows.in_part, rows.count);
        const columns_t sum = sum_of_columns(rows.first + first * rows.stride + d,
                                             min(rows.count - first, rows.in_part), rows.stride);
        vstore4(sum, 0, p->part + part * RADIX + d);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = t; d < RADIX; d += GROUP_SIZE) {
        uint sum = 0;
        for (uint i = 0; i < ROW_PARTS; i++) {
            sum += p->part[i * RADIX + d];
        }
        p->start[d] = sum;
    }
}

// Replaces the counts of the blocks by their output offsets.
static inline void scan_blocks(__local const msd_plan_t *p, const block_rows_t rows,
                               const uint bucket_start)
{
    for (uint i = (uint)get_local_id(0); i < ROW_PARTS * COLUMN_GROUPS; i += GROUP_SIZE) {
        const uint part = i / COLUMN_GROUPS, d = i % COLUMN_GROUPS * COLUMNS;
        const uint first = min(part * rows.in_part, rows.count);
        columns_t sum = bucket_start + vload4(0, p->start + d);
        for (uint k = 0; k < part; k++) {
            sum += vload4(0, p->part + k * RADIX + d);
        }
        scan_columns(rows.first + first * rows.stride + d, min(rows.count - first, rows.in_part),
                     rows.stride, sum);
    }
}

// Whether keys of the bucket differ in bits of its digit.
static inline bool digit_varies(const cls_msd_large_bucket bucket, const bool by_splitters)
{
    const ulong varying = (ulong)bucket.varying[1] << 32 | bucket.varying[0];
    const ulong mask = ((ulong)1 << bucket.bits) - 1;
    return by_splitters || (varying >> (bucket.top - bucket.bits) & mask) > 0;
}

// Sets start[] and has_one_child, and the output offsets. The bucket's histograms begin at `row`. If adds_up is
// set, the control block has the counts of the children. If is_constant is set, all keys have the same digit, so
// that one row suffices, and the elements stay where they are. The caller executes a barrier before it reads
// has_one_child.
static inline void plan_offsets(__local msd_plan_t *p, const cls_msd_large_bucket bucket,
                                __global uint *row, const uint block_tiles,
                                __global volatile uint *children, const bool adds_up,
                                const bool is_constant)
{
    const uint t = (uint)get_local_id(0);
    const uint blocks = is_constant ? 1 : blocks_of(bucket.count, TILE, block_tiles);
    const block_rows_t rows = {row, blocks, (RANK_STABLE ? block_tiles : 1) * RADIX,
                               (blocks + ROW_PARTS - 1) / ROW_PARTS};
    if (adds_up) {
        for (uint d = t; d < RADIX; d += GROUP_SIZE) {
            p->start[d] = children[d];
        }
    } else {
        add_up_blocks(p, rows);
    }
    for (uint d = t; d < RADIX && is_constant; d += GROUP_SIZE) {
        p->start[d] = p->start[d] > 0 ? bucket.count : 0;
    }
    // Counts that others have read are replaced below.
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    scan_children(p);
    if (RANK_STABLE && !is_constant) {
        scan_blocks(p, rows, bucket.start);
    } else {
        for (uint d = t; d < RADIX; d += GROUP_SIZE) {
            row[d] = bucket.start + p->start[d];
        }
    }
    for (uint d = t; d < RADIX; d += GROUP_SIZE) {
        if (p->start[d + 1] - p->start[d] == bucket.count) {
            p->has_one_child = 1;
        }
    }
}

// -- 3: tiles -------------------------------------------------------------------------------------

// Lists the tiles of a large bucket from entry first_tile on.
static inline void list_tiles(__local const msd_plan_t *p, const msd_tables_t tables,
                              const uint large_bucket, const uint tiles)
{
    for (uint i = (uint)get_local_id(0); i < tiles; i += GROUP_SIZE) {
        const cls_msd_part tile = {large_bucket, i};
        tables.tiles[p->first_tile + i] = tile;
    }
}

// -- 4: spans -------------------------------------------------------------------------------------

// Whether the child may be in one span with its neighbours.
static inline bool is_tiny(__local const msd_plan_t *p, const uint child)
{
    return p->start[child + 1] - p->start[child] <= MAX_TINY_COUNT;
}

// Children by splitters are not combined: a bucket of several children is described by a range of digits
// of a bit field (cls_msd_bucket). Nor are those with gaps between them.
static inline bool begins_span(__local const msd_plan_t *p, const uint child, const bool combines)
{
    return child == 0 || !combines || !is_tiny(p, child) || !is_tiny(p, child - 1) ||
           p->start[child] / MAX_TINY_COUNT != p->start[child - 1] / MAX_TINY_COUNT;
}

// Sets span[]; returns the number of spans.
static inline uint make_spans(__local msd_plan_t *p, const uint children, const bool combines)
{
    uint spans = 0;
    for (uint first = 0; first < children; first += GROUP_SIZE) {
        const uint d = first + (uint)get_local_id(0);
        const bool begins = d < children && begins_span(p, d, combines);
        ulong total;
        const uint before = (uint)group_exclusive_scan(begins, p->sums, &total);
        if (begins) {
            p->span[spans + before] = d;
        }
        spans += (uint)total;
    }
    if (get_local_id(0) == 0) {
        p->span[spans] = children;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return spans;
}

// -- 5: children ----------------------------------------------------------------------------------

// Returns the bit from which on the keys of a child of the bucket are equal: one above the highest
// bit below the digit in which keys of the bucket differ.
static inline uint child_top(const msd_tables_t tables, const cls_msd_large_bucket bucket,
                             const uint child)
{
    const uint end =
        tables.by_splitters ? tables.control->child_tops[child] : bucket.top - bucket.bits;
    const ulong varying = (ulong)bucket.varying[1] << 32 | bucket.varying[0];
    const ulong below = end < 64 ? varying & (((ulong)1 << end) - 1) : varying;
    return below > 0 ? 64 - (uint)clz(below) : 0;
}

// Appends a child to the large buckets if it is not equal, or is to be moved to where it belongs, and
// there is a free slot. Reserves the entries that list_large_children writes: the child's blocks,
// or else its final buckets.
static inline void plan_large_child(__local msd_plan_t *p, const msd_tables_t tables,
                                    cls_msd_large_bucket child, const uint digit)
{
    uint slot = CLS_MSD_NONE, first_entry;
    if (child.top > 0 || tables.has_gaps) {
        slot = atomic_inc(&tables.control->large_buckets[tables.round + 1]);
    }
    if (has_slot(tables.args, slot)) {
        first_entry = atomic_add(&tables.control->blocks[tables.round + 1],
                                 blocks_of(child.count, TILE, tables.args.block_tiles));
        child.first_row =
            atomic_add(&tables.control->rows[tables.round + 1],
                       blocks_of(child.count, TILE, ROW_TILES(tables.args.block_tiles)));
        tables.large_buckets[slot] = child;
    } else {
        const uint pieces = slot == CLS_MSD_NONE ? (child.count - 1) / SMALL_TILE + 1 : 1;
        first_entry = atomic_add(&tables.control->buckets, pieces);
    }
    const uint l = atomic_inc(&p->large_children);
    p->large_child[l].digit = digit;
    p->large_child[l].slot = slot;
    p->large_child[l].first_entry = first_entry;
}

// Appends a span to the final buckets or to the large buckets.
static inline void plan_span(__local msd_plan_t *p, const cls_msd_large_bucket bucket,
                             const uint array, const msd_tables_t tables, const uint span)
{
    const uint first_child = p->span[span], children = p->span[span + 1] - first_child;
    const bool is_single = children == 1;
    const uint shift =
        is_single ? child_top(tables, bucket, first_child) : bucket.top - bucket.bits;
    const uint start = p->start[first_child], count = p->start[first_child + children] - start;
    if (count > SMALL_TILE || (count > 0 && tables.has_gaps)) {
        // After the last round shift is 0, and the child is equal and needs no digit. max() then
        // avoids a division by 0.
        const uint bits =
            digit_bits(count, shift, max(tables.args.rounds - tables.round - 1, 1u), TARGET_COUNT);
        const uint source =
            tables.has_gaps ? tables.control->ranges[first_child] : bucket.start + start;
        const cls_msd_large_bucket child = {
            bucket.start + start, count, array, source, shift, bits, 0, {0, 0}};
        plan_large_child(p, tables, child, first_child);
    } else if (count > 0) {
        const cls_msd_bucket small = {bucket.start + start,
                                      count,
                                      (uchar)array,
                                      (uchar)(is_single ? shift : bucket.top),
                                      (uchar)shift,
                                      0,
                                      (ushort)(is_single ? 0 : first_child),
                                      (ushort)children};
        tables.buckets[atomic_inc(&tables.control->buckets)] = small;
    }
}

// Lists the children in large_child[]: writes the blocks of large ones and the buckets of oversized
// and equal ones. A team of work-items handles each child, since a single work-item would take
// long.
static inline void list_large_children(__local const msd_plan_t *p, const msd_tables_t tables,
                                       const cls_msd_large_bucket bucket, const uint array)
{
    const uint t = (uint)get_local_id(0), member = t % TEAM_SIZE;
    for (uint l = t / TEAM_SIZE; l < p->large_children; l += GROUP_SIZE / TEAM_SIZE) {
        const uint digit = p->large_child[l].digit, slot = p->large_child[l].slot;
        const uint first_entry = p->large_child[l].first_entry;
        const uint start = p->start[digit], count = p->start[digit + 1] - start;
        const uint shift = child_top(tables, bucket, digit);
        if (has_slot(tables.args, slot)) {
            for (uint i = member; i < blocks_of(count, TILE, tables.args.block_tiles);
                 i += TEAM_SIZE) {
                const cls_msd_part block = {slot, i};
                tables.blocks[first_entry + i] = block;
            }
        } else {
            const uint size = slot == CLS_MSD_NONE ? SMALL_TILE : count;
            for (uint i = member; i <= (count - 1) / size; i += TEAM_SIZE) {
                const cls_msd_bucket piece = {bucket.start + start + i * size,
                                              min(count - i * size, size),
                                              (uchar)array,
                                              (uchar)shift,
                                              (uchar)shift,
                                              0,
                                              0,
                                              1};
                tables.buckets[first_entry + i] = piece;
            }
        }
    }
}

// -- kernels --------------------------------------------------------------------------------------

// Plans the children of a large bucket, which has this index in its table. Its histograms begin at
// `row`, and its blocks have block_tiles tiles.
static inline void plan_children(__local msd_plan_t *p, const cls_msd_large_bucket bucket,
                                 const uint index, __global uint *row, const uint block_tiles,
                                 const msd_tables_t tables)
{
    const bool is_in_place = bucket.source == bucket.start && !tables.has_gaps;
    plan_offsets(p, bucket, row, block_tiles, tables.control->children,
                 ADDS_UP_BLOCKS(tables.control, tables.round),
                 is_in_place && !digit_varies(bucket, tables.by_splitters));
    const uint spans = make_spans(p, 1u << bucket.bits, !tables.by_splitters && !tables.has_gaps);
    // Elements that all have the same digit stay where they are, unless there are gaps between them and others.
    const bool stays = p->has_one_child && is_in_place;
    const uint array = stays ? bucket.array : array_after(bucket.array);
    const uint tiles = stays || tables.has_gaps ? 0 : tiles_of(bucket.count, TILE);
    const uint t = (uint)get_local_id(0);
    // Read only after plan_span(), whose operations have the same latency.
    const uint first_tile = t == 0 ? atomic_add(&tables.control->tiles[tables.round], tiles) : 0;
    for (uint k = t; k < spans; k += GROUP_SIZE) {
        plan_span(p, bucket, array, tables, k);
    }
    if (t == 0) {
        p->first_tile = first_tile;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    list_tiles(p, tables, index, tiles);
    list_large_children(p, tables, bucket, array);
    barrier(CLK_LOCAL_MEM_FENCE);
}

// Returns how many large buckets of a round are to be planned: if there are outliers, none.
static inline uint buckets_to_plan(__global const cls_msd_control *control, const uint round,
                                   const cls_msd_args args)
{
    const bool ends = round == 0 && control->has_outliers;
    return ends ? 0 : min(control->large_buckets[round], args.max_large_buckets);
}

// Starts the path that takes over if there are outliers.
static inline void hand_over(__global cls_msd_control *control, const cls_msd_args args)
{
    if (args.next_path > 0 && control->has_outliers && get_global_id(0) == 0) {
        __global uchar *next_path = (__global uchar *)control + args.next_path;
        ((__global cls_control_head *)next_path)->is_skipped = 0;
    }
}

// Plans entry i of the table of large buckets.
static inline void plan_listed_bucket(__local msd_plan_t *p, const uint i,
                                      __global cls_msd_large_bucket *large_buckets,
                                      __global uint *histograms, const msd_tables_t tables)
{
    cls_msd_large_bucket bucket = large_buckets[i];
    // In msd_rounds, other groups have just changed these words, which a cache of this one may still hold.
    __global const volatile uint *varying = large_buckets[i].varying;
    bucket.varying[0] = varying[0];
    bucket.varying[1] = varying[1];
    plan_children(p, bucket, i, histograms + bucket.first_row * RADIX,
                  block_tiles_of(tables.control, tables.args, tables.round), tables);
}

#define TABLES_TO_PLAN(round, by_splitters, has_gaps)                                              \
    {                                                                                              \
        AT(cls_msd_control, control), LARGE_BUCKETS_OF((round) + 1), AT(cls_msd_part, blocks),     \
            AT(cls_msd_bucket, buckets), AT(cls_msd_part, tiles), round, by_splitters, has_gaps,   \
            args                                                                                   \
    }

__kernel SUB_GROUP_KERNEL void msd_plan_buckets(BUFFER(control), BUFFER(large_buckets),
                                                BUFFER(tiles), BUFFER(blocks), BUFFER(histograms),
                                                BUFFER(buckets), const cls_msd_args args)
{
    __local msd_plan_t p;
    const bool by_splitters = is_by_splitters(AT(const cls_msd_control, control), args.round);
    const msd_tables_t tables = TABLES_TO_PLAN(args.round, by_splitters, false);
    const uint count = buckets_to_plan(tables.control, args.round, args);
    hand_over(tables.control, args);
    for (uint i = (uint)get_group_id(0); i < count; i += (uint)get_num_groups(0)) {
        plan_listed_bucket(&p, i, LARGE_BUCKETS_OF(args.round), AT(uint, histograms), tables);
    }
}

__kernel SUB_GROUP_KERNEL void msd_prepare(BUFFER(control), BUFFER(large_buckets),
                                           COUNT_ARGUMENT const cls_msd_input known_input)
{
    cls_msd_input input = known_input;
#if COUNT_BYTES > 0
    size_input(&input, DEVICE_COUNT);
#endif
    prepare_rounds(AT(cls_msd_control, control), AT(cls_msd_large_bucket, large_buckets), input,
                   false);
}

#endif
