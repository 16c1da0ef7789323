// column.cl - the sum of a column of a table in global memory
//
// Several rows are read at once, since each read takes long.
//
// Options: those of types.cl.
#ifndef CLSORT_COMMON_COLUMN_CL
#define CLSORT_COMMON_COLUMN_CL

#include "common/types.cl"
#include "common/unroll.cl"

#define ROWS_AT_ONCE 36u // An H100 has 132 or 264 rows, little more than a multiple of 32.

// Returns the sum of a column, whose rows are `stride` words apart.
static inline index_t sum_of_column(__global const uint *column, const uint rows, const uint stride)
{
    index_t sum = 0;
    for (uint i = 0; i < rows; i += ROWS_AT_ONCE) {
        uint word[ROWS_AT_ONCE];
        UNROLL
        for (uint k = 0; k < ROWS_AT_ONCE; k++) {
            word[k] = column[(size_t)min(i + k, rows - 1) * stride];
        }
        UNROLL
        for (uint k = 0; k < ROWS_AT_ONCE; k++) {
            sum += i + k < rows ? word[k] : 0;
        }
    }
    return sum;
}

#endif
