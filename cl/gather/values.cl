// values.cl - reorders values by any indexes: row i of the output is row index[i] of the input
//
// Unlike a permutation (gather.cl), the indexes may be out of bounds. Such rows become zero bytes,
// and their number is the result.
//
// Kernels, in launch order:
//   gather_clear     sets the result to zero, if there is one
//   gather_values    moves the rows, and adds the number of indexes out of bounds to the result
//
// Cost per row: twice the size of the value, and the index. Measured with 2^22 random indexes on PoCL
// 3.1 (2 cores of an EPYC with AVX-512): 491 million rows of 4 bytes per second, 205 of 16 bytes and
// 50 of 100 bytes, which is 0.12 to 0.15 of a copy that moves as many bytes: each row is in a cache
// line of its own. On an H100, 2^24 random rows of 4, 16 and 100 bytes take 0.41, 0.64 and 1.81 ms: 0.55,
// 0.46 and 0.74 of a copy that moves as many bytes, if each row is read in whole sectors of 32 bytes.
//
// Options: those of rows.cl; KEY_BYTES (common/types.cl) is the size of an index.
//   ROW_UNITS    1 to 4: the units of a row, if work-groups have one work-item; 0: a row has more
#ifndef CLSORT_GATHER_VALUES_CL
#define CLSORT_GATHER_VALUES_CL

#include "gather/rows.cl"

#if GROUP_SIZE > 1
#include "gather/batch.cl"
#endif

__kernel WORK_ITEM_KERNEL void gather_clear(BUFFER(result))
{
    AT(ulong, result)[0] = 0;
}

// Adds to a number of 64 bits that other work-items also add to. OpenCL C 1.2 has atomic operations
// for 32 bits only; the work-item whose addition overflows the low half adds the carry.
static inline void add_to_result(__global uint *result, const uint addend)
{
#ifdef __ENDIAN_LITTLE__
    __global uint *low = result, *high = result + 1;
#else
    __global uint *low = result + 1, *high = result;
#endif
    if (atomic_add(low, addend) > UINT_MAX - addend) {
        atomic_inc(high);
    }
}

#if GROUP_SIZE == 1
// Writes the columns of a row of the output: those of the row at `source`, or zeros if it is NULL.
static inline void write_row(__global row_unit_t *to, __global const row_unit_t *source,
                             const index_t row, const cls_gather_rows rows)
{
#if ROW_UNITS > 0
    __global row_unit_t *target = to + (size_t)row * ROW_UNITS;
#pragma unroll
    for (uint u = 0; u < ROW_UNITS; u++) {
        target[u] = source ? source[u] : 0;
    }
#else
    __global row_unit_t *target = output_row(to, row, rows);
    if (source) {
        move_row(to, source, row, rows);
        return;
    }
    for (uint u = 0; u < rows.width; u++) {
        target[u] = 0;
    }
#endif
}
#endif

__kernel WORK_GROUP_KERNEL void gather_values(INPUT(index), INPUT(from), BUFFER(to), BUFFER(result),
                                              const ulong source_count, const uint is_counted,
                                              ROWS_ARGUMENT)
{
    SIZE_ROWS
    uint out_of_bounds = 0;
#if GROUP_SIZE > 1
    __local ulong list[BATCH_ROWS];
    // Row 0 of the input is read for indexes out of bounds, and not used; an empty input has none.
    __global const row_unit_t *rows_from =
        source_count > 0 ? AT(const row_unit_t, from) : AT(const row_unit_t, to);
    const batch_input_t input = {rows_from, rows_from};
    FOR_EACH_BATCH(first, rows)
    {
        const uint count = batch_rows(first, rows);
#pragma unroll
        for (uint i = 0; i < BATCH_UNITS; i++) {
            const uint r = (uint)get_local_id(0) + i * GROUP_SIZE;
            const key_t source = AT(const key_t, index)[first + min(r, count - 1)];
            const bool is_valid = source < source_count;
            list[r] = is_valid ? (ulong)source : NO_SOURCE;
            out_of_bounds += r < count && !is_valid;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        move_batch(AT(row_unit_t, to), input, list, first, count, true, rows);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#else
    FOR_EACH_ROW(row, rows)
    {
        const key_t source = AT(const key_t, index)[row];
        const bool is_valid = source < source_count;
        write_row(AT(row_unit_t, to),
                  is_valid ? AT(const row_unit_t, from) + (size_t)source * rows.from_stride : 0,
                  row, rows);
        out_of_bounds += !is_valid;
    }
#endif
    if (is_counted && out_of_bounds > 0) {
        add_to_result(AT(uint, result), out_of_bounds);
    }
}

#endif
