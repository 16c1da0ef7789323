// work_group.cl - copies the first element of each run, for GPUs: one work-group per chunk
//
// unique.cl explains the method and its kernels. A work-group takes its chunk in tiles. Lanes compare
// neighbouring keys, so that reads are coalesced, and a ballot gives each lane the number of preceding
// lanes that begin runs. The counts of the sub-groups are added up in local memory.
//
// Options, besides those of unique.cl and of common/sub_group.cl: ITEMS (common/work_group.cl).
#ifndef CLSORT_UNIQUE_WORK_GROUP_CL
#define CLSORT_UNIQUE_WORK_GROUP_CL

#include "common/group_sum.cl"
#include "common/sub_group_tile.cl"
#include "common/unroll.cl"
#include "unique/unique.cl"

__kernel WORK_GROUP_KERNEL void unique_count(BUFFER(scratch), ELEMENTS_IN,
                                             COUNT_ARGUMENT const cls_unique_args args, ORDER)
{
    __local ulong sums[2 * GROUP_SIZE];
    const order_t order = ORDER_ARGUMENTS;
    LOAD_ELEMENTS_IN(in);
    chunk_range_t range;
    SET_CHUNK_RANGE(&range, args);
    uint runs = 0;
    for (index_t first = range.first; first < range.last; first += TILE) {
        const uint size = (uint)min(range.last - first, (index_t)TILE);
#pragma unroll 4
        for (uint i = 0; i < ITEMS; i++) {
            const uint e = i * GROUP_SIZE + (uint)get_local_id(0);
            runs += begins_run(in, first + min(e, size - 1), order) & (e < size);
        }
    }
    ulong total;
    group_exclusive_scan(runs, sums, &total);
    if (get_local_id(0) == 0) {
        AT(cls_unique_chunk, scratch)[get_group_id(0)].runs = total;
    }
}

// The local memory of a tile.
typedef struct {
    uint words[GROUP_SIZE]; // see sg_ballot and group_exclusive_sum
    ushort list[TILE];      // the elements that begin runs, if values are copied
} unique_tile_t;

// Finds where runs begin in the tile, of at most TILE elements, and reads the keys of this work-item. Sets begins[i] to
// the lanes whose element i begins a run, and *before to the number of runs that begin in the sub-groups before.
// Returns the number of runs in the tile.
static inline uint find_runs(lane_mask_t *begins, key_t *key, uint *before,
                             __local unique_tile_t *tile, const input_t in, const index_t first,
                             const uint size, const order_t order)
{
    uint is_first[ITEMS], own = 0, runs;
    UNROLL
    for (uint i = 0; i < ITEMS; i++) { // all reads before the first ballot
        const uint e = min(tile_index(i), size - 1);
        is_first[i] = begins_run(in, first + e, order);
#if KEY_ORDER < 3
        key[i] = in[first + e];
#endif
    }
    UNROLL
    for (uint i = 0; i < ITEMS; i++) {
        begins[i] = sg_ballot(is_first[i] & (tile_index(i) < size), tile->words);
        own += lane_count(begins[i]);
    }
    const bool is_lane_0 = lane_id() == 0;
    const uint sum = group_exclusive_sum(is_lane_0 ? own : 0, tile->words, &runs);
    *before = is_lane_0 ? sum : sum - own;
    return runs;
}

// Copies the columns of the launch of the listed values.
static inline void copy_values(__local const unique_tile_t *tile, const uint runs,
                               const unique_arrays_t arrays, const index_t to, const index_t first,
                               const cls_unique_args args)
{
#if ROW_UNITS > 0
    for (uint r = (uint)get_local_id(0); r < runs; r += GROUP_SIZE) {
        __global const row_unit_t *source =
            arrays.values + (size_t)(first + tile->list[r]) * ROW_UNITS;
        __global row_unit_t *target = arrays.values_out + (size_t)(to + r) * ROW_UNITS;
#pragma unroll
        for (uint u = 0; u < ROW_UNITS; u++) {
            target[u] = source[u];
        }
    }
#else
    // Neighbouring work-items copy neighbouring units.
    for (uint i = (uint)get_local_id(0); i < runs * args.width; i += GROUP_SIZE) {
        const uint r = i / args.width, u = i % args.width + args.column;
        arrays.values_out[(size_t)(to + r) * args.row_units + u] =
            arrays.values[(size_t)(first + tile->list[r]) * args.row_units + u];
    }
#endif
}

__kernel SUB_GROUP_KERNEL void unique_write(BUFFER(scratch), UNIQUE_ARRAYS,
                                            COUNT_ARGUMENT const cls_unique_args args, ORDER)
{
    __local unique_tile_t tile;
    const order_t order = ORDER_ARGUMENTS;
    LOAD_ELEMENTS_IN(in);
    const unique_arrays_t arrays = UNIQUE_ARRAYS_OF;
    index_t to = (index_t)AT(const cls_unique_chunk, scratch)[get_group_id(0)].offset;
    chunk_range_t range;
    SET_CHUNK_RANGE(&range, args);
    for (index_t first = range.first; first < range.last; first += TILE) {
        const uint size = (uint)min(range.last - first, (index_t)TILE);
        lane_mask_t begins[ITEMS];
        key_t key[ITEMS];
        uint r;
        const uint runs = find_runs(begins, key, &r, &tile, arrays.in, first, size, order);
        UNROLL
        for (uint i = 0; i < ITEMS; i++) {
            const uint e = tile_index(i);
            if (begins[i] >> lane_id() & 1) {
                const uint rank = r + lane_count(begins[i] & lanes_below());
                if (args.outputs & UNIQUE_KEYS) {
#if KEY_ORDER < 3
                    arrays.keys_out[to + rank] = key[i];
#else
                    copy_key(arrays, to + rank, first + e);
#endif
                }
                if (args.outputs & UNIQUE_INDEXES) {
                    store_index(arrays.indexes, args.index_bytes, to + rank, first + e);
                }
                if (args.outputs & UNIQUE_VALUES) {
                    tile.list[rank] = (ushort)e;
                }
            }
            r += lane_count(begins[i]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (args.outputs & UNIQUE_VALUES) {
            copy_values(&tile, runs, arrays, to, first, args);
        }
        to += runs;
    }
}

#endif
