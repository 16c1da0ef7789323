// gather.cl - moves wide values to the positions of their keys, by a permutation
//
// Values that are too wide to move in every pass are replaced by their indexes for the sort. The
// sorted indexes are the permutation: row i of the output is row index[i] of the input. Each row
// thus moves only once. In place, the rows move through scratch one slice of columns at a time, so
// that scratch is small.
//
// Kernels, in launch order; in place, the last two are launched once per slice of columns:
//   clear_rows       only for sorts that leave some elements where they are, and before them: sets all
//                    indexes to that of a row that does not move
//   gather_rows      copies row index[i] of the input to row i of the output, or in place to row i
//                    of scratch
//   put_back_rows    in place only: copies the columns from scratch to the output
//
// If the sort has found the input in order, the permutation is the identity. In place, the kernels
// then return early; out of place, they copy the rows without reading the index.
//
// Cost per row: out of place, twice the size of the value and the index (4 or 8 bytes); in place,
// four times the size of the value, and the index once for each slice of columns. GPUs read whole
// sectors of 32 bytes: moving a random row of 100 bytes transfers about 232 bytes, 128 read, 100 written and
// an index of 4. Measured on an H100: 1.8 ms for 2^24 records of 100 bytes, 0.74 of a copy that moves as many
// bytes.
//
// Options: those of rows.cl, and INDEX_BITS (common/types.cl).
#ifndef CLSORT_GATHER_GATHER_CL
#define CLSORT_GATHER_GATHER_CL

#include "common/layout.h"
#include "common/prefetch.cl"
#include "gather/rows.cl"

#if GROUP_SIZE > 1
#include "gather/batch.cl"
#endif

// How many rows ahead a core prefetches: about as many lines as it can wait for.
#define ROWS_AHEAD 12
// Of longer rows, the core itself prefetches the rest.
#define MAX_PREFETCHED 256

// The index of a row that does not move.
#define NO_ROW ((index_t) ~(index_t)0)

__kernel WORK_GROUP_KERNEL void clear_rows(BUFFER(index), ROWS_ARGUMENT)
{
    SIZE_ROWS
    FOR_EACH_ROW(row, rows)
    {
        AT(index_t, index)[row] = NO_ROW;
    }
}

#if GROUP_SIZE > 1

__kernel WORK_GROUP_KERNEL void gather_rows(BUFFER(control), INPUT(index), INPUT(from),
                                            INPUT(second), BUFFER(to), ROWS_ARGUMENT)
{
    __local ulong list[BATCH_ROWS];
    SIZE_ROWS
    const bool is_sorted = AT(const cls_control_head, control)->is_sorted;
    if (is_sorted && rows.in_place) {
        return;
    }
    const batch_input_t input = {AT(const row_unit_t, from), AT(const row_unit_t, second)};
    FOR_EACH_BATCH(first, rows)
    {
        const uint count = batch_rows(first, rows);
#pragma unroll
        for (uint i = 0; i < BATCH_UNITS; i++) {
            const uint r = (uint)get_local_id(0) + i * GROUP_SIZE;
            const index_t row = first + min(r, count - 1),
                          source = is_sorted ? row : AT(const index_t, index)[row];
            list[r] = rows.has_gaps && source == NO_ROW ? NO_SOURCE : (ulong)source;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        move_batch(AT(row_unit_t, to), input, list, first, count, false, rows);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

__kernel WORK_GROUP_KERNEL void put_back_rows(BUFFER(control), INPUT(index), INPUT(from),
                                              BUFFER(to), ROWS_ARGUMENT)
{
    __local ulong list[BATCH_ROWS];
    SIZE_ROWS
    if (AT(const cls_control_head, control)->is_sorted) {
        return;
    }
    const batch_input_t input = {AT(const row_unit_t, from), AT(const row_unit_t, from)};
    FOR_EACH_BATCH(first, rows)
    {
        const uint count = batch_rows(first, rows);
        for (uint r = (uint)get_local_id(0); r < count; r += GROUP_SIZE) {
            const bool moves = !rows.has_gaps || AT(const index_t, index)[first + r] != NO_ROW;
            list[r] = moves ? (ulong)(first + r) : NO_SOURCE;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        move_batch(AT(row_unit_t, to), input, list, first, count, false, rows);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

#else

// Returns a row of the input, which is in two arrays when two inputs are merged.
static inline __global const row_unit_t *input_row(const index_t row,
                                                   __global const row_unit_t *first,
                                                   __global const row_unit_t *second,
                                                   const cls_gather_rows rows)
{
    const index_t first_count = (index_t)rows.first_count;
    return row < first_count ? first + (size_t)row * rows.from_stride
                             : second + (size_t)(row - first_count) * rows.from_stride;
}

// Prefetches the columns of a row of the input that are about to move, if it is a row.
static inline void prefetch_row(const index_t row, __global const row_unit_t *first,
                                __global const row_unit_t *second, const cls_gather_rows rows)
{
    if (!rows.has_gaps || row != NO_ROW) {
        prefetch_bytes(
            (__global const uchar *)(input_row(row, first, second, rows) + rows.from_column),
            min(rows.width * UNIT_BYTES, (uint)MAX_PREFETCHED));
    }
}

__kernel WORK_GROUP_KERNEL void gather_rows(BUFFER(control), INPUT(index), INPUT(from),
                                            INPUT(second), BUFFER(to), ROWS_ARGUMENT)
{
    SIZE_ROWS
    const bool is_sorted = AT(const cls_control_head, control)->is_sorted;
    if (is_sorted && rows.in_place) {
        return;
    }
    FOR_EACH_ROW(row, rows)
    {
        const index_t source = is_sorted ? row : AT(const index_t, index)[row];
        if (rows.has_gaps && source == NO_ROW) {
            continue;
        }
        if (PREFETCHES && !is_sorted && row + ROWS_AHEAD < end_row) {
            prefetch_row(AT(const index_t, index)[row + ROWS_AHEAD], AT(const row_unit_t, from),
                         AT(const row_unit_t, second), rows);
        }
        move_row(AT(row_unit_t, to),
                 input_row(source, AT(const row_unit_t, from), AT(const row_unit_t, second), rows),
                 row, rows);
    }
}

__kernel WORK_GROUP_KERNEL void put_back_rows(BUFFER(control), INPUT(index), INPUT(from),
                                              BUFFER(to), ROWS_ARGUMENT)
{
    SIZE_ROWS
    if (AT(const cls_control_head, control)->is_sorted) {
        return;
    }
    FOR_EACH_ROW(row, rows)
    {
        if (rows.has_gaps && AT(const index_t, index)[row] == NO_ROW) {
            continue;
        }
        move_row(AT(row_unit_t, to), AT(const row_unit_t, from) + (size_t)row * rows.from_stride,
                 row, rows);
    }
}

#endif

#endif
