// sum_columns.cl - the sums of a table's columns, computed by a work-group
//
// A group handles COLUMNS_AT_ONCE columns at a time. Its work-items form COLUMN_LINES lines with a
// work-item for each column. Each line adds up every COLUMN_LINES-th row; add_lines then adds the
// sums of the lines.
#ifndef CLSORT_COUNT_SUM_COLUMNS_CL
#define CLSORT_COUNT_SUM_COLUMNS_CL

#include "common/types.cl"

#define COLUMNS_AT_ONCE(columns) ((columns) < GROUP_SIZE ? (columns) : GROUP_SIZE)
#define COLUMN_LINES(columns) (GROUP_SIZE / COLUMNS_AT_ONCE(columns))

// Returns to the work-items of the first line the sums of all lines. `sums` holds GROUP_SIZE
// elements; after the call it may be used for other data.
static inline index_t add_lines(index_t sum, const uint columns, __local index_t *sums)
{
    const uint t = (uint)get_local_id(0), line = COLUMNS_AT_ONCE(columns);
    sums[t] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = t + line; t < line && i < GROUP_SIZE; i += line) {
        sum += sums[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return sum;
}

#endif
