// split.cl - the division of the output of a merge into tiles, each of which a work-group merges
//
// A tile starts at its co-rank. If the runs are out of order, a co-rank may be less than the one before it, or exceed
// it by more than the number of outputs between them. With the option CHECKED (layout.h), merge_split notes that in
// the control block, and all tiles then consist of the elements that are there before the merge, so that the output
// is a permutation of the input.
#ifndef CLSORT_MERGE_SPLIT_CL
#define CLSORT_MERGE_SPLIT_CL

#include "common/work_group.cl"
#include "merge/arrays.cl"
#include "merge/input.cl"
#include "merge/layout.h"

#define MERGE_SPLIT_GROUP CLS_MERGE_SPLIT_GROUP(GROUP_SIZE)
#define MERGE_SPLIT_TILES CLS_MERGE_SPLIT_TILES(GROUP_SIZE)

static inline void init_control(__global cls_merge_control *control)
{
    control->head.is_sorted = 0;
    control->out_of_order = 0;
}

// Sets starts[tile] to the tile's co-rank: the number of keys of run a that are output before the
// tile. The first tile of a group is the last one of the preceding group, so that each start can be
// compared with the one before it.
__kernel __attribute__((reqd_work_group_size(MERGE_SPLIT_GROUP, 1, 1))) void
merge_split(BUFFER(control), MERGE_INPUT, BUFFER(starts), MERGE_ROUND, ORDER)
{
    const order_t order = ORDER_ARGUMENTS;
    LOAD_MERGE_INPUT(in, width);
    const index_t tiles = n / TILE + (n % TILE != 0);
    const index_t first = (index_t)get_group_id(0) * MERGE_SPLIT_TILES;
    const uint last = (uint)min((index_t)MERGE_SPLIT_TILES, tiles - 1 - first);
#if CHECKED
    __local index_t group_starts[MERGE_SPLIT_TILES + 1];
#endif
    for (uint s = (uint)get_local_id(0); s <= last; s += MERGE_SPLIT_GROUP) {
        const index_t output = (first + s) * TILE;
        const index_t start = co_rank_of(in, pair_of(output, n, width, two_inputs), output, order);
        if (s > 0 || first == 0) {
            AT(index_t, starts)[first + s] = start;
        }
#if CHECKED
        group_starts[s] = start;
#endif
    }
#if CHECKED
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = 1 + (uint)get_local_id(0); s <= last; s += MERGE_SPLIT_GROUP) {
        const index_t output = (first + s) * TILE;
        const index_t start = group_starts[s], before = group_starts[s - 1];
        if (output > pair_of(output, n, width, two_inputs).first &&
            (start < before || start - before > TILE)) {
            AT(cls_merge_control, control)->out_of_order = 1;
        }
    }
#endif
}

// The part of two runs that a tile merges.
typedef struct {
    index_t a_first, b_first; // in the arrays of run a and of run b
    uint a_count, count;      // elements of run a, and of the tile
} merge_part_t;

// Sets *part to the part of this work-group.
static inline void set_part(merge_part_t *part, __global const cls_merge_control *control,
                            __global const index_t *starts, const index_t n, const index_t width,
                            const uint two_inputs)
{
    const index_t base = (index_t)get_group_id(0) * TILE;
    const uint count = (uint)min(n - base, (index_t)TILE);
    const merge_pair_t pair = pair_of(base, n, width, two_inputs);
    const index_t rank = base - pair.first, next_rank = rank + count;
    index_t a = starts[get_group_id(0)];
    index_t next_a =
        next_rank == pair.a_count + pair.b_count ? pair.a_count : starts[get_group_id(0) + 1];
#if CHECKED
    if (control->out_of_order) {
        a = min(rank, pair.a_count);
        next_a = min(next_rank, pair.a_count);
    }
#endif
    part->a_first = pair.first + a;
    part->b_first = pair.b_first + rank - a;
    part->a_count = (uint)(next_a - a);
    part->count = count;
}

#endif
