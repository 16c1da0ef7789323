// column.cl - sum and exclusive scan of columns of a table in global memory
//
// Loads of several rows are in flight at once, to hide their latency.
//
// Options: those of types.cl; and COLUMNS: the number of adjacent columns that a work-item adds up at once, 1 or 4.
#ifndef CLSORT_COMMON_COLUMN_CL
#define CLSORT_COMMON_COLUMN_CL

#include "common/types.cl"
#include "common/unroll.cl"

// On an H100, a table mostly has a row for each of up to 132 or 264 work-groups or compute units. MSD divides them into
// 4 parts of 33 or 66 rows. Batches of 36 or 12 rows then waste fewer loads past the end than batches of 32 or 16.
// Later rounds of MSD have few rows for each large bucket.
#define FEW_ROWS 8u
#if COLUMNS == 4
typedef uint4 columns_t;
typedef uint4 column_sums_t;
#define ROWS_AT_ONCE 12u
#else
typedef uint columns_t;
typedef index_t column_sums_t;
#define ROWS_AT_ONCE 36u
#endif

// Reads and writes a row of the columns, of which `word` is the first. Four columns are two vectors, since scratch
// memory need not be aligned to more than 8 bytes.
static inline columns_t load_columns(__global const uint *word)
{
#if COLUMNS == 4
    __global const uint2 *half_row = (__global const uint2 *)word;
    return (uint4)(half_row[0], half_row[1]);
#else
    return *word;
#endif
}

static inline void store_columns(__global uint *word, const columns_t value)
{
#if COLUMNS == 4
    __global uint2 *half_row = (__global uint2 *)word;
    half_row[0] = value.lo;
    half_row[1] = value.hi;
#else
    *word = value;
#endif
}

// Loads the columns of `at_once` rows from `first` on; beyond the last row, those of the last row. Rows are
// `stride` words apart.
static inline void load_rows(columns_t *row, __global const uint *column, const uint first,
                             const uint rows, const uint stride, const uint at_once)
{
    UNROLL
    for (uint k = 0; k < at_once; k++) {
        row[k] = load_columns(column + (size_t)min(first + k, rows - 1) * stride);
    }
}

// Adds up the rows, at_once at a time.
static inline column_sums_t sum_of_rows(__global const uint *column, const uint rows,
                                        const uint stride, const uint at_once)
{
    column_sums_t sum = 0;
    for (uint i = 0; i < rows; i += at_once) {
        columns_t row[ROWS_AT_ONCE];
        load_rows(row, column, i, rows, stride, at_once);
        UNROLL
        for (uint k = 0; k < at_once; k++) {
            // Not `?:`, which requires a vector of conditions to select between vectors.
            columns_t counts = 0;
            if (i + k < rows) {
                counts = row[k];
            }
            sum += counts;
        }
    }
    return sum;
}

static inline column_sums_t sum_of_columns(__global const uint *column, const uint rows,
                                           const uint stride)
{
    return rows <= FEW_ROWS ? sum_of_rows(column, rows, stride, FEW_ROWS)
                            : sum_of_rows(column, rows, stride, ROWS_AT_ONCE);
}

// As scan_columns, at_once rows at a time.
static inline void scan_rows(__global uint *column, const uint rows, const uint stride,
                             columns_t sum, const uint at_once)
{
    for (uint i = 0; i < rows; i += at_once) {
        columns_t row[ROWS_AT_ONCE];
        load_rows(row, column, i, rows, stride, at_once);
        UNROLL
        for (uint k = 0; k < at_once; k++) {
            if (i + k < rows) {
                store_columns(column + (size_t)(i + k) * stride, sum);
            }
            sum += row[k];
        }
    }
}

// Replaces each word of the columns by the sum of that of `sum` and the words above it.
static inline void scan_columns(__global uint *column, const uint rows, const uint stride,
                                const columns_t sum)
{
    if (rows <= FEW_ROWS) {
        scan_rows(column, rows, stride, sum, FEW_ROWS);
    } else {
        scan_rows(column, rows, stride, sum, ROWS_AT_ONCE);
    }
}

#endif
