// column.cl - sum and exclusive scan of a column of a table in global memory
//
// Loads of several rows are in flight at once, to hide their latency.
//
// Options: those of types.cl.
#ifndef CLSORT_COMMON_COLUMN_CL
#define CLSORT_COMMON_COLUMN_CL

#include "common/types.cl"
#include "common/unroll.cl"

// A table has a row for each work-group: 132 or 264 on an H100. MSD divides them into 4 parts of 33 or 66
// rows. Batches of 36 rows then waste fewer loads past the end than batches of 32. Later rounds of MSD have
// few rows for each large bucket.
#define ROWS_AT_ONCE 36u
#define FEW_ROWS 8u

// Loads `at_once` words of the rows from `first` on; beyond the last row, that of the last row. Rows are
// `stride` words apart.
static inline void load_rows(uint *word, __global const uint *column, const uint first,
                             const uint rows, const uint stride, const uint at_once)
{
    UNROLL
    for (uint k = 0; k < at_once; k++) {
        word[k] = column[(size_t)min(first + k, rows - 1) * stride];
    }
}

// Adds up the rows, at_once at a time.
static inline index_t sum_of_rows(__global const uint *column, const uint rows, const uint stride,
                                  const uint at_once)
{
    index_t sum = 0;
    for (uint i = 0; i < rows; i += at_once) {
        uint word[ROWS_AT_ONCE];
        load_rows(word, column, i, rows, stride, at_once);
        UNROLL
        for (uint k = 0; k < at_once; k++) {
            sum += i + k < rows ? word[k] : 0;
        }
    }
    return sum;
}

static inline index_t sum_of_column(__global const uint *column, const uint rows, const uint stride)
{
    return rows <= FEW_ROWS ? sum_of_rows(column, rows, stride, FEW_ROWS)
                            : sum_of_rows(column, rows, stride, ROWS_AT_ONCE);
}

// As scan_column, at_once rows at a time.
static inline void scan_rows(__global uint *column, const uint rows, const uint stride, uint sum,
                             const uint at_once)
{
    for (uint i = 0; i < rows; i += at_once) {
        uint word[ROWS_AT_ONCE];
        load_rows(word, column, i, rows, stride, at_once);
        UNROLL
        for (uint k = 0; k < at_once; k++) {
            if (i + k < rows) {
                column[(size_t)(i + k) * stride] = sum;
            }
            sum += word[k];
        }
    }
}

// Replaces each word of the column by the sum of `sum` and the words above it.
static inline void scan_column(__global uint *column, const uint rows, const uint stride,
                               const uint sum)
{
    if (rows <= FEW_ROWS) {
        scan_rows(column, rows, stride, sum, FEW_ROWS);
    } else {
        scan_rows(column, rows, stride, sum, ROWS_AT_ONCE);
    }
}

#endif
