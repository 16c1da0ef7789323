// values.cl - reorders values by any indexes: row i of the output is row index[i] of the input
//
// Unlike a permutation (gather.cl), the indexes may be out of bounds. Such rows become zero bytes,
// and their number is the result.
//
// Kernels, in launch order:
//   gather_clear     sets the result to zero, if there is one
//   gather_values    moves the rows, and adds the number of indexes out of bounds to the result
//
// Cost per row: twice the size of the value, and the index.
//
// Options: those of rows.cl; KEY_BYTES (common/types.cl) is the size of an index.
#ifndef CLSORT_GATHER_VALUES_CL
#define CLSORT_GATHER_VALUES_CL

#include "gather/rows.cl"

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

__kernel WORK_GROUP_KERNEL void gather_values(INPUT(index), INPUT(from), BUFFER(to), BUFFER(result),
                                              const ulong source_count, const uint is_counted,
                                              const cls_gather_rows rows)
{
    uint out_of_bounds = 0;
    FOR_EACH_ROW(row, rows)
    {
        const key_t source = AT(const key_t, index)[row];
        if (source < source_count) {
            move_row(AT(row_unit_t, to),
                     AT(const row_unit_t, from) + (size_t)source * rows.from_stride, row, rows);
        } else {
            __global row_unit_t *target = output_row(AT(row_unit_t, to), row, rows);
            FOR_EACH_COLUMN(u, rows)
            {
                target[u] = 0;
            }
            out_of_bounds += get_local_id(0) % rows.lanes == 0;
        }
    }
    if (is_counted && out_of_bounds > 0) {
        add_to_result(AT(uint, result), out_of_bounds);
    }
}

#endif
