// rows.cl - rows of a gather, which are values, and their columns, units of UNIT_BYTES
//
// Options: INDEX_BITS (common/types.cl), GROUP_SIZE (common/work_group.cl), UNIT_BYTES
// (common/row_unit.cl), COUNT_BYTES (common/device_count.cl).
#ifndef CLSORT_GATHER_ROWS_CL
#define CLSORT_GATHER_ROWS_CL

#include "common/device_count.cl"
#include "common/row_unit.cl"
#include "common/types.cl"
#include "common/work_group.cl"
#include "gather/layout.h"

// The last argument of a kernel. If the count is in device memory, the rows are those of its maximum;
// SIZE_ROWS defines `rows`, and divides fewer rows among all work-groups.
#if COUNT_BYTES > 0
#define ROWS_ARGUMENT COUNT_ARGUMENT const cls_gather_rows max_rows
#define SIZE_ROWS                                                                                  \
    cls_gather_rows rows = max_rows;                                                               \
    rows.count = DEVICE_COUNT;                                                                     \
    rows.chunk = rows.count / get_num_groups(0) + (rows.count % get_num_groups(0) > 0);
#else
#define ROWS_ARGUMENT const cls_gather_rows rows
#define SIZE_ROWS
#endif

// Runs a statement for each row of the work-group that this work-item shares: `row` is its index.
#define FOR_EACH_ROW(row, rows)                                                                    \
    const index_t first_row =                                                                      \
        min((index_t)(rows).count, (index_t)get_group_id(0) * (index_t)(rows).chunk);              \
    const index_t end_row =                                                                        \
        first_row + min((index_t)(rows).count - first_row, (index_t)(rows).chunk);                 \
    for (index_t row = first_row + get_local_id(0) / (rows).lanes; row < end_row;                  \
         row += GROUP_SIZE / (rows).lanes)

// Runs a statement for each column of a row that this work-item moves: `u` is its index. The
// work-items of a row move neighbouring columns.
#define FOR_EACH_COLUMN(u, rows)                                                                   \
    for (uint u = (uint)get_local_id(0) % (rows).lanes; u < (rows).width; u += (rows).lanes)

// Returns the columns of a row of the output.
static inline __global row_unit_t *output_row(__global row_unit_t *to, const index_t row,
                                              const cls_gather_rows rows)
{
    return to + (size_t)row * rows.to_stride + rows.to_column;
}

// Moves the columns of one row. A work-item that moves a whole row moves several units at once.
static inline void move_row(__global row_unit_t *to, __global const row_unit_t *from,
                            const index_t row, const cls_gather_rows rows)
{
    __global const row_unit_t *source = from + rows.from_column;
    __global row_unit_t *target = output_row(to, row, rows);
    uint u = (uint)get_local_id(0) % rows.lanes;
    for (; rows.lanes == 1 && u + 8 <= rows.width; u += 8) {
        vstore8(vload8(0, source + u), 0, target + u);
    }
    for (; u < rows.width; u += rows.lanes) {
        target[u] = source[u];
    }
}

#endif
