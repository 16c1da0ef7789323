// work_group.cl - copies the first element of each run, for GPUs: one work-group per chunk
//
// unique.cl explains the method and its kernels. A work-group takes its chunk in tiles. The work-items
// compare neighbouring keys, so that reads are coalesced, and leave in local memory where runs begin.
// There, each work-item counts the runs that begin among ITEMS consecutive elements, and a scan of these
// counts gives each of these elements its rank, with which it is written.
//
// Options, besides those of unique.cl: ITEMS (common/work_group.cl), which is 16.
#ifndef CLSORT_UNIQUE_WORK_GROUP_CL
#define CLSORT_UNIQUE_WORK_GROUP_CL

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
    ulong sums[2 * GROUP_SIZE]; // see group_exclusive_scan
    // Of ITEMS elements each: the number of runs that begin before them, above a bit for each element,
    // which is set if it begins a run.
    uint parts[GROUP_SIZE];
    union {
        uchar begins[TILE]; // 1 where a run begins
        ushort list[TILE];  // the elements that begin runs
    } elements;
} unique_tile_t;

#define PART_BITS 16 // for the elements of a part

// Finds where runs begin in the tile, of at most TILE elements. Returns their number.
static inline uint find_runs(__local unique_tile_t *tile, const input_t in, const index_t first,
                             const uint size, const order_t order)
{
    const uint t = (uint)get_local_id(0);
#pragma unroll
    for (uint i = 0; i < ITEMS; i++) {
        const uint e = i * GROUP_SIZE + t;
        tile->elements.begins[e] = begins_run(in, first + min(e, size - 1), order) & (e < size);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uchar own[ITEMS];
    vstore16(vload16(t, tile->elements.begins), 0, own);
    uint bits = 0;
#pragma unroll
    for (uint i = 0; i < ITEMS; i++) {
        bits |= (uint)own[i] << i;
    }
    ulong total;
    const uint before = (uint)group_exclusive_scan(popcount(bits), tile->sums, &total);
    tile->parts[t] = before << PART_BITS | bits;
    barrier(CLK_LOCAL_MEM_FENCE);
    return (uint)total;
}

// Copies the columns of the launch of the listed values.
static inline void copy_values(__local const unique_tile_t *tile, const uint runs,
                               const unique_arrays_t arrays, const index_t to, const index_t first,
                               const cls_unique_args args)
{
#if ROW_UNITS > 0
    for (uint r = (uint)get_local_id(0); r < runs; r += GROUP_SIZE) {
        __global const row_unit_t *source =
            arrays.values + (size_t)(first + tile->elements.list[r]) * ROW_UNITS;
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
            arrays.values[(size_t)(first + tile->elements.list[r]) * args.row_units + u];
    }
#endif
}

__kernel WORK_GROUP_KERNEL void unique_write(BUFFER(scratch), UNIQUE_ARRAYS,
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
        const uint runs = find_runs(&tile, arrays.in, first, size, order);
#if KEY_ORDER < 3
        key_t key[ITEMS]; // read before the first is used
#pragma unroll
        for (uint i = 0; i < ITEMS; i++) {
            key[i] = arrays.in[first + min(i * GROUP_SIZE + (uint)get_local_id(0), size - 1)];
        }
#endif
#pragma unroll
        for (uint i = 0; i < ITEMS; i++) {
            const uint e = i * GROUP_SIZE + (uint)get_local_id(0);
            const uint part = tile.parts[e / ITEMS], bit = 1u << e % ITEMS;
            const uint r = (part >> PART_BITS) + popcount(part & (bit - 1));
            if (part & bit) {
                tile.elements.list[r] = (ushort)e;
                if (args.outputs & UNIQUE_KEYS) {
#if KEY_ORDER < 3
                    arrays.keys_out[to + r] = key[i];
#else
                    copy_key(arrays, to + r, first + e);
#endif
                }
                if (args.outputs & UNIQUE_INDEXES) {
                    store_index(arrays.indexes, args.index_bytes, to + r, first + e);
                }
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (args.outputs & UNIQUE_VALUES) {
            copy_values(&tile, runs, arrays, to, first, args);
        }
        to += runs;
        barrier(CLK_LOCAL_MEM_FENCE); // the elements are overwritten
    }
}

#endif
