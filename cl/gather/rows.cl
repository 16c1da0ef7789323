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

// The rows of this work-group: [FIRST_ROW, END_ROW).
#define FIRST_ROW(rows) min((index_t)(rows).count, (index_t)get_group_id(0) * (index_t)(rows).chunk)
#define END_ROW(rows)                                                                              \
    (FIRST_ROW(rows) + min((index_t)(rows).count - FIRST_ROW(rows), (index_t)(rows).chunk))

// Runs a statement for each row of the work-group, by one work-item each: `row` is its index.
#define FOR_EACH_ROW(row, rows)                                                                    \
    for (index_t row = FIRST_ROW(rows) + get_local_id(0), end_row = END_ROW(rows); row < end_row;  \
         row += GROUP_SIZE)

// Returns the columns of a row of the output.
static inline __global row_unit_t *output_row(__global row_unit_t *to, const index_t row,
                                              const cls_gather_rows rows)
{
    return to + (size_t)row * rows.to_stride + rows.to_column;
}

// Moves the columns of one row, several units at once.
static inline void move_row(__global row_unit_t *to, __global const row_unit_t *from,
                            const index_t row, const cls_gather_rows rows)
{
    __global const row_unit_t *source = from + rows.from_column;
    __global row_unit_t *target = output_row(to, row, rows);
    uint u = 0;
    for (; u + 8 <= rows.width; u += 8) {
        vstore8(vload8(0, source + u), 0, target + u);
    }
    for (; u < rows.width; u++) {
        target[u] = source[u];
    }
}

#endif
