// cores.cl - stable merge sort for CPU cores, and the merge of two sorted inputs
//
// A work-item sorts a tile that fits in its core's cache; then rounds merge pairs of sorted runs
// until one run is left. The output of a round is divided by co-ranks into pieces of equal size,
// one per work-item.
//
// Hwu, Kirk and El Hajj, "Programming massively parallel processors", 4th ed., chapter 12; Siebert
// and Traeff 2014 (merge/co_rank.cl); Habermann, "Parallel neighbor-sort", 1972.
//
// Kernels, in launch order, all with one work-item per group:
//   merge_cores_init    only for two inputs, which need no tiles, in place of merge_cores_tiles:
//                       initializes the control block and writes values that are indexes. Launched
//                       only if values are indexes
//   merge_cores_tiles   sorts runs of RUN keys by odd-even transposition in registers, then merges
//                       them back and forth between the output and scratch until the tile is one
//                       run
//   merge_cores_round   once per round: merges a piece of the output in blocks. As long as many
//                       outputs in a row come from one run, it finds their end by exponential
//                       search and copies them; otherwise, if one run is much longer, it skips
//                       elements of that run several at a time; otherwise it compares every key
//
// Cost: the tiles and each of the log2(n / tile) rounds read and write each element once: 8 bytes
// per u32 key and pass. The speed is limited not by memory but by comparisons, one per key each
// time that the length of a run doubles: the next keys to compare depend on the result, which takes
// about 10 cycles. Merges are therefore interleaved.
//
// Measured (PoCL 3.1, 2 cores of an AMD EPYC, 2^22 u32 keys): 38 Mkeys/s, 0.07 of that model (8
// passes, 64 bytes per key) at the 35 GB/s that two threads copy; a comparison takes a core 2.4 ns.
//
// With the option CHECKED (layout.h explains the options), each work-item searches for the starts
// of all preceding pieces in order. A piece then starts where the preceding one ends, so that the
// output is a permutation of the input.
#ifndef CLSORT_MERGE_CORES_CL
#define CLSORT_MERGE_CORES_CL

#include "merge/arrays.cl"
#include "merge/layout.h"
#include "merge/pair.cl"
#include "merge/piece.cl"

__kernel WORK_ITEM_KERNEL void merge_cores_tiles(BUFFER(control), INPUT(keys), BUFFER(keys_to),
                                                 BUFFER(scratch_keys),
                                                 VALUE_INPUT(values) VALUE_BUFFER(values_to)
                                                     VALUE_BUFFER(scratch_values) const index_t n,
                                                 const index_t tile, ORDER)
{
    const order_t order = ORDER_ARGUMENTS;
    const index_t first = (index_t)get_group_id(0) * tile;
    const elements_t in = INPUT_ELEMENTS(keys, values), to = ELEMENTS(keys_to, values_to),
                     scratch = ELEMENTS(scratch_keys, scratch_values);
    sort_tile(in, first, elements_at(to, first), elements_at(scratch, first), min(n - first, tile),
              order);
    if (first == 0) {
        AT(cls_merge_control, control)->head.is_sorted = 0;
    }
}

__kernel WORK_ITEM_KERNEL void merge_cores_init(BUFFER(control),
                                                VALUE_BUFFER(values) const index_t n)
{
#if VALUE_INDEX
    for (index_t i = get_global_id(0); i < n; i += get_global_size(0)) {
        AT(value_t, values)[i] = value_of_index(i);
    }
#endif
    if (get_global_id(0) == 0) {
        AT(cls_merge_control, control)->head.is_sorted = 0;
    }
}

// Merges a piece of the output. Each pair of runs consists of whole pieces, except at the end.
__kernel WORK_ITEM_KERNEL void merge_cores_round(MERGE_KEY_ARRAYS, MERGE_VALUE_ARRAYS MERGE_ROUND,
                                                 const index_t piece, const index_t block, ORDER)
{
    const order_t order = ORDER_ARGUMENTS;
    const index_t output = (index_t)get_group_id(0) * piece;
    const index_t count = min(piece, n - output);
    const merge_pair_t pair = pair_of(output, n, width, two_inputs);
    const elements_t first = ELEMENTS(keys, values), second = ELEMENTS(second_keys, second_values),
                     out = ELEMENTS(keys_to, values_to);
    const elements_t a = elements_at(first, pair.first), b = elements_at(second, pair.b_first),
                     to = elements_at(out, pair.first);
    const index_t rank = output - pair.first;
    const cut_t none = {0, 0}, all = {pair.a_count + pair.b_count, pair.a_count};
    cut_t begin = none, end;
#if CHECKED
    while (begin.rank < rank) {
        const index_t next = begin.rank + piece;
        begin.from_a = co_rank_between(a, b, begin, next, all, order);
        begin.rank = next;
    }
#else
    begin.from_a = co_rank_between(a, b, none, rank, all, order);
    begin.rank = rank;
#endif
    end.rank = rank + count;
    end.from_a = co_rank_between(a, b, begin, end.rank, all, order);
    merge_piece(a, b, to, begin, end, block, order);
}

#endif
