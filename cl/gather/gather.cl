// gather.cl - wide values take their places after their keys: each moves once, by the permutation
//
// Out of place a row of the output is read from its place in the input. In place, values move through
// scratch in slices of a few units of each row, so that scratch stays small: gathered, then put back.
//
// Cost model: out of place 2 * VALUE bytes and the index (4 or 8 bytes) a row; in place 4 * VALUE bytes, and the
// index once for each slice. Measured with the sort before it (H200, 2^22 u32 keys with 100 bytes each, out of
// place): 1.1 ms, of which the model's 0.2 ms would be the gather's at 4.27 TB/s.
//
// UNIT_BYTES    1, 2, 4 or 8: the largest that divides the value size
// GROUP_SIZE    work-items in a group
#ifndef CLSORT_GATHER_GATHER_CL
#define CLSORT_GATHER_GATHER_CL

#include "common/layout.h"
#include "common/types.cl"
#include "common/work_group.cl"

#if UNIT_BYTES == 1
typedef uchar unit_t;
#elif UNIT_BYTES == 2
typedef ushort unit_t;
#elif UNIT_BYTES == 4
typedef uint unit_t;
#else
typedef ulong unit_t;
#endif

// Units [from_column, from_column + width) of rows of from_stride units go to the same width at to_column.
// source_of(row) is where its units come from. `lanes` neighbouring work-items share a row, so that they touch
// neighbouring units.
#define MOVE_ROWS(source_of)                                                                       \
    const index_t first = min(n, (index_t)get_group_id(0) * chunk);                                \
    const index_t last = first + min(n - first, chunk);                                            \
    const uint lane = (uint)get_local_id(0) % lanes;                                               \
    for (index_t row = first + get_local_id(0) / lanes; row < last; row += GROUP_SIZE / lanes) {   \
        __global const unit_t *source = (source_of) + from_column;                                 \
        __global unit_t *target = AT(unit_t, to) + (size_t)row * to_stride + to_column;            \
        for (uint u = lane; u < width; u += lanes)                                                 \
            target[u] = source[u];                                                                 \
    }

// Rows from `split` on are those of the second input.
static inline __global const unit_t *source_row(const index_t row, const uint stride,
                                                __global const unit_t *first,
                                                __global const unit_t *second, const index_t split)
{
    return row < split ? first + (size_t)row * stride : second + (size_t)(row - split) * stride;
}

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void
gather_rows(BUFFER(control), INPUT(index), INPUT(from), INPUT(second), const index_t split,
            BUFFER(to), const index_t n, const index_t chunk, const uint lanes, const uint width,
            const uint from_stride, const uint from_column, const uint to_stride,
            const uint to_column, const uint in_place)
{
    const bool is_sorted = AT(const cls_control_head, control)->is_sorted;
    if (is_sorted && in_place)
        return;
    MOVE_ROWS(source_row(is_sorted ? row : AT(const index_t, index)[row], from_stride,
                         AT(const unit_t, from), AT(const unit_t, second), split))
}

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void
put_back_rows(BUFFER(control), INPUT(from), BUFFER(to), const index_t n, const index_t chunk,
              const uint lanes, const uint width, const uint from_stride, const uint from_column,
              const uint to_stride, const uint to_column)
{
    if (AT(const cls_control_head, control)->is_sorted)
        return;
    MOVE_ROWS(AT(const unit_t, from) + (size_t)row * from_stride)
}

#endif
