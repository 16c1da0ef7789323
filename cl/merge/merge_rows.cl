// merge_rows.cl - the merge of two sorted inputs by columns: of records, byte strings, or columns with a buffer each
//
// Co-ranks divide the output into tiles, as in work_group.cl. A work-group merges a tile in local memory, where it has
// a word of each element (columns/words.cl): the first word that is not the same in the whole tile. Prefixes that all
// elements of a tile share, as neighbours in order often do, thus cost a read and no comparisons. Only elements that
// are equal in this word are compared further, where they are. The merge makes a list of the elements in the order of
// the output; their records are copied by it, or their indexes in both inputs are written.
//
// Siebert and Traeff 2014, Green, McColl and Bader 2012 (merge/co_rank.cl).
//
// Kernels, in launch order:
//   merge_rows_begin   one work-item: initializes the control block
//   merge_split        computes the co-rank of each tile (split.cl)
//   merge_rows         one group per tile: merges it. If records are very wide, it is launched for some of their
//                      units at a time
//
// CPUs have groups of one work-item, which reads the words of several elements together. The next elements to compare
// depend on the result, which takes about 10 cycles.
//
// Cost per element: one read of the columns; of records a read, mostly from a cache, and a write; or the write of an
// index. merge_split compares log2(n) pairs of elements for each tile.
// Measured with 2^22 elements on PoCL 3.1 (2 cores of an EPYC with AVX-512): strings of 16 bytes take 19 ms, records
// of 100 bytes with keys of 10 bytes 40 ms, and three columns with a buffer each 16 ms.
//
// The inputs may be out of order. If the co-ranks of work-items show that, a tile keeps its elements in the order in
// which it has read them; split.cl does the same for all tiles.
//
// Options, besides ITEMS and GROUP_SIZE (common/work_group.cl), UNIT_BYTES (common/row_unit.cl) and those of
// columns/words.cl. CHECKED is 1 and KEY_ORDER is 4.
#ifndef CLSORT_MERGE_MERGE_ROWS_CL
#define CLSORT_MERGE_MERGE_ROWS_CL

#include "common/row_unit.cl"
#include "common/store_index.cl"
#include "merge/split.cl"

__kernel WORK_ITEM_KERNEL void merge_rows_begin(BUFFER(control))
{
    init_control(AT(cls_merge_control, control));
}

// The local memory of a tile. Its elements are those of run a, and then those of run b.
typedef struct {
    ulong word[TILE];
    ushort list[TILE];        // the elements in the order of the output
    uint co_rank[GROUP_SIZE]; // of each work-item's first output
    uint varies;              // 1: the words differ
    uint out_of_order;        // 1: the co-ranks show runs out of order
} merge_rows_tile_t;

// -- words ----------------------------------------------------------------------------------------

// Loads word w of `count` elements, from element `first` on.
static inline void load_run(const elements_t *elements, const uint w, const index_t first,
                            const uint count, __local ulong *words)
{
    for (uint i = (uint)get_local_id(0) * WORDS_AT_ONCE; i < count;
         i += GROUP_SIZE * WORDS_AT_ONCE) {
        ulong x[WORDS_AT_ONCE];
        const uint size = min(count - i, WORDS_AT_ONCE);
        load_words(elements, w, first + i, size, x);
        for (uint e = 0; e < size; e++) {
            words[i + e] = x[e];
        }
    }
}

// Loads the first word that varies in the tile, or the last one. Returns its number. A tile of one run needs no words.
static inline uint load_varying(__local merge_rows_tile_t *tile, const merge_input_t in,
                                const merge_part_t *part, const order_t order)
{
    const uint t = (uint)get_local_id(0), a_count = part->a_count, count = part->count;
    uint w = 0;
    bool is_needed = a_count > 0 && a_count < count;
    while (is_needed) {
        if (t == 0) {
            tile->varies = 0;
        }
        load_run(in.first, w, part->a_first, a_count, tile->word);
        load_run(in.second, w, in.second_first + part->b_first, count - a_count,
                 tile->word + a_count);
        barrier(CLK_LOCAL_MEM_FENCE);
        ulong differences = 0;
        for (uint i = t; i < count; i += GROUP_SIZE) {
            differences |= tile->word[i] ^ tile->word[0];
        }
        if (differences != 0) {
            tile->varies = 1;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        is_needed = !tile->varies && w + 1 < order.words;
        w += is_needed;
        barrier(CLK_LOCAL_MEM_FENCE); // `varies` and the words are overwritten
    }
    return w;
}

// -- the merge ------------------------------------------------------------------------------------

// Returns whether element b of run b, counted from 0, precedes element a of run a. Word w is in local memory, and the
// words before it are equal.
static inline bool is_b_first(__local const merge_rows_tile_t *tile, const merge_input_t in,
                              const merge_part_t *part, const uint w, const uint b, const uint a,
                              const order_t order)
{
    const ulong word_b = tile->word[part->a_count + b], word_a = tile->word[a];
    if (word_b == word_a && w + 1 < order.words) {
        return second_precedes(in, w + 1, part->b_first + b, part->a_first + a, order);
    }
    return word_b < word_a;
}

// Lists the outputs [first, last), of which the first one is element `a` of run a or the element of run b that
// completes the outputs before. Returns the element of run a that follows.
static inline uint list_outputs(__local merge_rows_tile_t *tile, const merge_input_t in,
                                const merge_part_t *part, const uint w, uint a, const uint first,
                                const uint last, const order_t order)
{
    const uint a_count = part->a_count, b_count = part->count - a_count;
    uint to = first, b = first - a;
    while (to < last && a < a_count && b < b_count) {
        const bool is_b = is_b_first(tile, in, part, w, b, a, order);
        tile->list[to++] = (ushort)(is_b ? a_count + b : a);
        a += !is_b;
        b += is_b;
    }
    while (to < last && a < a_count) {
        tile->list[to++] = (ushort)a++;
    }
    while (to < last) {
        tile->list[to++] = (ushort)(a_count + b++);
    }
    return a;
}

// Makes the list of the tile.
static inline void merge_tile(__local merge_rows_tile_t *tile, const merge_input_t in,
                              const merge_part_t *part, const order_t order)
{
    const uint t = (uint)get_local_id(0), a_count = part->a_count, count = part->count;
    const uint w = load_varying(tile, in, part, order);
    const uint first = min(t * ITEMS, count), last = min(first + ITEMS, count);
    uint low = MIN_FROM_A(first, count - a_count), high = MAX_FROM_A(first, a_count);
    CO_RANK_SEARCH(low, high, is_b_first(tile, in, part, w, first - 1 - middle, middle, order))
    const uint a_after = list_outputs(tile, in, part, w, low, first, last, order);
    tile->co_rank[t] = low;
    tile->out_of_order = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (last < count && tile->co_rank[t + 1] != a_after) {
        tile->out_of_order = 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (tile->out_of_order) {
        for (uint i = first; i < last; i++) {
            tile->list[i] = (ushort)i;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

// -- the outputs ----------------------------------------------------------------------------------

// Returns the row of element i of the tile.
static inline __global const row_unit_t *row_of(const merge_input_t in, const merge_part_t *part,
                                                const uint i, const cls_merge_rows_args args)
{
    const bool is_a = i < part->a_count;
    const index_t row = is_a ? part->a_first + i : part->b_first + (i - part->a_count);
    __global const uchar *rows = is_a ? in.first->buffer[0] : in.second->buffer[0];
    return (__global const row_unit_t *)rows + (size_t)row * args.row_units + args.column;
}

// Copies the columns of the launch of the tile's records, to those from `to` on.
static inline void copy_rows(__local const merge_rows_tile_t *tile, const merge_input_t in,
                             const merge_part_t *part, __global row_unit_t *to,
                             const cls_merge_rows_args args)
{
#if GROUP_SIZE == 1
    for (uint i = 0; i < part->count; i++) {
        copy_row_units(row_of(in, part, tile->list[i], args),
                       to + (size_t)i * args.row_units + args.column, args.width);
    }
#else
    // Neighbouring work-items copy neighbouring units.
    for (uint i = (uint)get_local_id(0); i < part->count * args.width; i += GROUP_SIZE) {
        const uint row = i / args.width, unit = i % args.width;
        to[(size_t)row * args.row_units + args.column + unit] =
            row_of(in, part, tile->list[row], args)[unit];
    }
#endif
}

// Writes the indexes of the tile's elements, to those from `to` on. Those of the second input follow those of the
// first one, which has `width` elements.
static inline void write_indexes(__local const merge_rows_tile_t *tile, const merge_part_t *part,
                                 __global uchar *indexes, const index_t to, const index_t width,
                                 const cls_merge_rows_args args)
{
    for (uint j = (uint)get_local_id(0); j < part->count; j += GROUP_SIZE) {
        const uint i = tile->list[j];
        const index_t index =
            i < part->a_count ? part->a_first + i : width + part->b_first + (i - part->a_count);
        store_index(indexes, args.index_bytes, to + j, index);
    }
}

__kernel WORK_GROUP_KERNEL void merge_rows(BUFFER(control), MERGE_INPUT, BUFFER(starts),
                                           BUFFER(output), MERGE_ROUND,
                                           const cls_merge_rows_args args, ORDER)
{
    __local merge_rows_tile_t tile;
    const order_t order = ORDER_ARGUMENTS;
    LOAD_MERGE_INPUT(in, width);
    const index_t base = (index_t)get_group_id(0) * TILE;
    merge_part_t part;
    set_part(&part, AT(const cls_merge_control, control), AT(const index_t, starts), n, width,
             two_inputs);
    merge_tile(&tile, in, &part, order);
    if (args.index_bytes > 0) {
        write_indexes(&tile, &part, AT(uchar, output), base, width, args);
    } else {
        copy_rows(&tile, in, &part, AT(row_unit_t, output) + (size_t)base * args.row_units, args);
    }
}

#endif
