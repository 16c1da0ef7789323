// cores.cl - copies the first element of each run, for CPUs: one work-item per chunk
//
// unique.cl explains the method and its kernels. Each vector of 16 keys is compared with the vector
// that begins one key before it. With AVX-512, a compress instruction appends the keys and the indexes
// that the mask of the comparison selects. Otherwise each element is stored after those that begin
// runs, and the next one overwrites it unless it begins a run itself.
#ifndef CLSORT_UNIQUE_CORES_CL
#define CLSORT_UNIQUE_CORES_CL

#include "common/append.cl"
#include "common/vector_counts.cl"
#include "unique/unique.cl"

#if KEY_ORDER < 3
// The differences of 16 keys from their predecessors: 0 where a key is equal to the one before it.
static inline key_vector_t differences(__global const key_t *keys, const order_t order)
{
    return (ordered_vector(vload16(0, keys), order.flip) ^
            ordered_vector(vload16(0, keys - 1), order.flip)) &
           order.window;
}
#endif

// -- counts ---------------------------------------------------------------------------------------

__kernel WORK_GROUP_KERNEL void unique_count(BUFFER(scratch), ELEMENTS_IN,
                                             COUNT_ARGUMENT const cls_unique_args args, ORDER)
{
    const order_t order = ORDER_ARGUMENTS;
    LOAD_ELEMENTS_IN(in);
    chunk_range_t range;
    SET_CHUNK_RANGE(&range, args);
    index_t i = range.first;
    ulong runs = 0;
    if (i == 0 && range.last > 0) {
        runs = 1;
        i = 1;
    }
#if KEY_ORDER < 3
    const key_vector_t none = 0;
    while (range.last - i >= STEP) {
        const index_t end = i + min(range.last - i, (index_t)STRIP) / STEP * STEP;
        key_vector_t counters = 0;
        for (; i < end; i += STEP) {
#pragma unroll
            for (uint v = 0; v < STEP_VECTORS; v++) {
                counters += AS_MASK(differences(in + i + v * LANES, order) != none);
            }
        }
        runs += sum_of_lanes(counters);
    }
#endif
    for (; i < range.last; i++) {
        runs += begins_run(in, i, order);
    }
    AT(cls_unique_chunk, scratch)[get_group_id(0)].runs = runs;
}

// -- the outputs ----------------------------------------------------------------------------------

// Copies the columns of the launch of one value.
static inline void copy_value(const unique_arrays_t arrays, const index_t to, const index_t from,
                              const cls_unique_args args)
{
#if ROW_UNITS > 0
    __global const row_unit_t *source = arrays.values + (size_t)from * ROW_UNITS;
    __global row_unit_t *target = arrays.values_out + (size_t)to * ROW_UNITS;
#pragma unroll
    for (uint u = 0; u < ROW_UNITS; u++) {
        target[u] = source[u];
    }
#else
    __global const row_unit_t *source = arrays.values + (size_t)from * args.row_units + args.column;
    __global row_unit_t *target = arrays.values_out + (size_t)to * args.row_units + args.column;
    copy_row_units(source, target, args.width);
#endif
}

// Offers the elements [first, last) until `end` elements are in the outputs, so that no element is
// stored after those of the chunk.
OUTLINED void offer_elements(const unique_arrays_t *all, index_t to, const index_t end,
                             const index_t first, const index_t last, const cls_unique_args *its,
                             const order_t *its_order)
{
    const unique_arrays_t arrays = *all;
    const cls_unique_args args = *its;
    const order_t order = *its_order;
    for (index_t i = first; i < last && to < end; i++) {
        const bool is_first = begins_run(arrays.in, i, order);
        if (args.outputs & UNIQUE_KEYS) {
            copy_key(arrays, to, i);
        }
        if (args.outputs & UNIQUE_INDEXES) {
            store_index(arrays.indexes, args.index_bytes, to, i);
        }
        if (args.outputs & UNIQUE_VALUES && is_first) {
            copy_value(arrays, to, i, args);
        }
        to += is_first;
    }
}

#if defined(APPENDS_VECTORS)

// Appends the values that the mask selects of those from element `from` on.
static inline void append_values(const unique_arrays_t arrays, const index_t to, const index_t from,
                                 const ushort mask, const cls_unique_args args)
{
#if ROW_UNITS == 1 && UNIT_BYTES == 4
    append_32(arrays.values_out + to, vload16(0, arrays.values + from), mask);
#elif ROW_UNITS == 1 && UNIT_BYTES == 8
    append_64(arrays.values_out + to, vload16(0, arrays.values + from), mask);
#else
    index_t next = to;
    for (uint rest = mask; rest != 0; rest &= rest - 1) {
        copy_value(arrays, next++, from + popcount((rest & (0 - rest)) - 1), args);
    }
#endif
}

// Appends vectors of elements until less than a vector remains. Returns the index of the first element
// that is left, and advances *to to the offset of the next element.
OUTLINED index_t append_vectors(const unique_arrays_t *all, index_t *next, index_t first,
                                const index_t last, const cls_unique_args *its,
                                const order_t *its_order)
{
    const unique_arrays_t arrays = *all;
    const cls_unique_args args = *its;
    const order_t order = *its_order;
    const key_vector_t none = 0;
    index_t to = *next;
    for (; last - first >= LANES; first += LANES) {
        const ushort mask =
            KEYS_COMPARE(differences(arrays.in + first, order), none, AVX512_DIFFERS);
        if (args.outputs & UNIQUE_KEYS) {
            APPEND_KEYS(arrays.keys_out + to, vload16(0, arrays.in + first), mask);
        }
        if (args.outputs & UNIQUE_INDEXES) {
            if (args.index_bytes == 4) {
                append_indexes_32((__global uint *)arrays.indexes + to, (uint)first, mask);
            } else {
                append_indexes_64((__global ulong *)arrays.indexes + to, (ulong)first, mask);
            }
        }
        if (args.outputs & UNIQUE_VALUES) {
            append_values(arrays, to, first, mask, args);
        }
        to += (index_t)popcount((uint)mask);
    }
    *next = to;
    return first;
}

#endif

__kernel WORK_GROUP_KERNEL void unique_write(BUFFER(scratch), UNIQUE_ARRAYS,
                                             COUNT_ARGUMENT const cls_unique_args args, ORDER)
{
    const order_t order = ORDER_ARGUMENTS;
    LOAD_ELEMENTS_IN(in);
    const unique_arrays_t arrays = UNIQUE_ARRAYS_OF;
    __global const cls_unique_chunk *own = AT(const cls_unique_chunk, scratch) + get_group_id(0);
    const index_t end = (index_t)(own->offset + own->runs);
    index_t to = (index_t)own->offset;
    chunk_range_t range;
    SET_CHUNK_RANGE(&range, args);
#if defined(APPENDS_VECTORS)
    if (range.first == 0 && range.last > 0) {
        offer_elements(&arrays, to, to + 1, 0, 1, &args, &order);
        to++;
        range.first = 1;
    }
    range.first = append_vectors(&arrays, &to, range.first, range.last, &args, &order);
#endif
    offer_elements(&arrays, to, end, range.first, range.last, &args, &order);
}

#endif
