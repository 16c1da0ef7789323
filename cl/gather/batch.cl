// batch.cl - moves rows by work-groups, for GPUs
//
// A work-group moves its rows in batches. It first lists the row of the input for each row of the
// output. Its work-items then share the units of all these rows: neighbouring work-items move
// neighbouring units, also where a row ends and the next one begins, so that all of them work and the
// writes are coalesced. Each work-item has several reads in flight.
//
// Options: those of rows.cl; GROUP_SIZE is greater than 1.
#ifndef CLSORT_GATHER_BATCH_CL
#define CLSORT_GATHER_BATCH_CL

#include "gather/rows.cl"

#define BATCH_UNITS 4 // that a work-item has in flight
#define BATCH_ROWS (BATCH_UNITS * GROUP_SIZE)

// In the list: there is no such row.
#define NO_SOURCE (~(ulong)0)

// Runs a statement for each batch of the work-group: those of the output's rows from `first` on that
// the list has. The list is complete, or may be overwritten, after a barrier.
#define FOR_EACH_BATCH(first, rows)                                                                \
    for (index_t first = FIRST_ROW(rows); first < END_ROW(rows); first += BATCH_ROWS)

// Returns the number of rows of the batch.
static inline uint batch_rows(const index_t first, const cls_gather_rows rows)
{
    return (uint)min(END_ROW(rows) - first, (index_t)BATCH_ROWS);
}

// The two parts of the input. If it has only one, `second` is not accessed. Row 0 exists.
typedef struct {
    __global const row_unit_t *first, *second;
} batch_input_t;

static inline __global const row_unit_t *batch_source(const batch_input_t from, const ulong row,
                                                      const cls_gather_rows rows)
{
    return (row < rows.first_count
                ? from.first + (size_t)row * rows.from_stride
                : from.second + (size_t)(row - rows.first_count) * rows.from_stride) +
           rows.from_column;
}

// Moves the rows of a batch, `count` of them. Where there is no source, zeros are written, or nothing.
static inline void move_batch(__global row_unit_t *to, const batch_input_t from,
                              __local const ulong *list, const index_t first, const uint count,
                              const bool writes_zeros, const cls_gather_rows rows)
{
    const uint t = (uint)get_local_id(0);
    const uint row_step = GROUP_SIZE / rows.width, column_step = GROUP_SIZE % rows.width;
    uint row = t / rows.width, column = t % rows.width;
    while (row < count) {
        row_unit_t unit[BATCH_UNITS];
        size_t at[BATCH_UNITS];
        bool writes[BATCH_UNITS];
        // Reads have no conditions, since compilers would make a branch of each, so that the reads
        // would wait for each other. A row that does not exist is replaced by row 0.
#pragma unroll
        for (uint i = 0; i < BATCH_UNITS; i++) {
            const ulong source = list[min(row, count - 1)];
            const bool exists = source != NO_SOURCE;
            const row_unit_t read = batch_source(from, exists ? source : 0, rows)[column];
            unit[i] = exists ? read : 0;
            writes[i] = row < count && (exists || writes_zeros);
            at[i] = (size_t)(first + row) * rows.to_stride + rows.to_column + column;
            column += column_step;
            row += row_step + (column >= rows.width);
            column -= column >= rows.width ? rows.width : 0;
        }
#pragma unroll
        for (uint i = 0; i < BATCH_UNITS; i++) {
            if (writes[i]) {
                to[at[i]] = unit[i];
            }
        }
    }
}

#endif
