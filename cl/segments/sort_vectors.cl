// sort_vectors.cl - segmented sort for CPU cores of keys of 4 or 8 bytes without values, by AVX-512
//
// Up to MAX_NETWORK_KEYS keys are sorted by a network in registers, and more by the vectorised
// quicksort (common/vector_quicksort.cl). segments/cores.cl has the kernels in launch order and the
// cost. Measured (PoCL 3.1, 2 cores of an EPYC with AVX-512, 2^24 u32 keys): rows of 2^8 keys take a
// core 1.0 ns per key, rows of 2^3 take 1.2 to 1.7, and rows of 2^16 take 5.5.
#ifndef CLSORT_SEGMENTS_SORT_VECTORS_CL
#define CLSORT_SEGMENTS_SORT_VECTORS_CL

#include "common/vector_quicksort.cl"
#include "segments/cores.cl"

typedef struct {
    __global key_t *workspace; // LARGE_WORKSPACE keys
    key_t flip, pad;
} part_sorter_t;

// Loads the first `count` keys of a row, as ordered keys. The others become the largest.
INLINED key_vector_t load_ordered_row(__global const key_t *from, const uint count,
                                      const part_sorter_t *sorter)
{
    key_vector_t row;
#if KEYS_PER_REGISTER == VECTOR_LANES
    row = AS_KEYS(AVX512_LOAD((__global const signed_t *)from,
                              AS_SIGNED((register_keys_t)sorter->pad), mask_below(count)));
#else
    const register_keys_t pad = sorter->pad;
    row.lo =
        AS_KEYS(AVX512_LOAD((__global const signed_t *)from, AS_SIGNED(pad), mask_below(count)));
    row.hi =
        AS_KEYS(AVX512_LOAD((__global const signed_t *)(from + KEYS_PER_REGISTER), AS_SIGNED(pad),
                            mask_below(sub_sat(count, (uint)KEYS_PER_REGISTER))));
#endif
    return ordered_vector(row, sorter->flip);
}

// Sorts at most rows * VECTOR_LANES keys by a network in registers.
INLINED void sort_segment_in_rows(const part_sorter_t *sorter, __global const key_t *from,
                                  const uint count, __global key_t *to, const uint rows)
{
    key_vector_t x[MAX_ROWS];
#pragma unroll
    for (uint r = 0; r < rows; r++) {
        x[r] = load_ordered_row(from + r * VECTOR_LANES, sub_sat(count, r * VECTOR_LANES), sorter);
    }
    sort_matrix(x, rows);
#pragma unroll
    for (uint r = 0; r < rows; r++) {
        store_row(written_row(x[r], sorter->flip), to + r * VECTOR_LANES,
                  sub_sat(count, r * VECTOR_LANES));
    }
}

OUTLINED void sort_small_segment(const part_sorter_t *sorter, __global const key_t *from,
                                 const uint count, __global key_t *to)
{
    if (count <= VECTOR_LANES) {
        store_row(written_row(sort_lanes(load_ordered_row(from, count, sorter)), sorter->flip), to,
                  count);
    } else if (count <= 4 * VECTOR_LANES) {
        sort_segment_in_rows(sorter, from, count, to, 4);
    } else if (count <= 8 * VECTOR_LANES) {
        sort_segment_in_rows(sorter, from, count, to, 8);
    } else {
        sort_segment_in_rows(sorter, from, count, to, MAX_ROWS);
    }
}

// Copies keys as ordered keys. `to` may equal `from`.
static inline void order_keys(const part_sorter_t *sorter, __global const key_t *from,
                              const index_t count, __global key_t *to)
{
    index_t i = 0;
    for (; i + VECTOR_LANES <= count; i += VECTOR_LANES) {
        vstore16(ordered_vector(vload16(0, from + i), sorter->flip), 0, to + i);
    }
    for (; i < count; i++) {
        to[i] = ordered(from[i], sorter->flip);
    }
}

OUTLINED void sort_large_segment(const part_sorter_t *sorter, __global const key_t *from,
                                 const index_t count, __global key_t *to)
{
    if (count <= MAX_BUFFERED_KEYS) {
        order_keys(sorter, from, count, sorter->workspace);
        quicksort(sorter->workspace, (uint)count, 0, LARGEST_KEY, to, sorter->flip);
        return;
    }
    order_keys(sorter, from, count, to);
    quicksort_large(to, count, 0, LARGEST_KEY, sorter->workspace, to, sorter->flip);
}

static inline void sort_part_of_segment(const part_sorter_t *sorter, const part_arrays_t *part)
{
    __global const key_t *from = part->in.keys + part->first;
    if (part->count <= MAX_NETWORK_KEYS) {
        sort_small_segment(sorter, from, (uint)part->count, part->to.keys);
    } else {
        sort_large_segment(sorter, from, part->count, part->to.keys);
    }
}

__kernel WORK_ITEM_KERNEL void segments_tiles(TILES_ARGUMENTS)
{
    const order_t order = ORDER_ARGUMENTS;
    DECLARE_TILES_ARRAYS;
    BEGIN_WALK(walk);
    part_arrays_t part;
    const part_sorter_t sorter = {(__global key_t *)SLICE, order.flip, (key_t)args.pad};
    while (NEXT_PART(walk, part)) {
        sort_part_of_segment(&sorter, &part);
    }
}

#endif
