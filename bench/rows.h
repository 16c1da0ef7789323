/* rows.h - elements that are more than a key and a value: rows of columns, byte strings and records */
#ifndef CLSORT_BENCH_ROWS_H
#define CLSORT_BENCH_ROWS_H

#include "operation.h"

#include <clsort.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ROWS_MAX_COLUMNS = 3,
    ROWS_STRING_BYTES = 16, /* default size of a byte string */
    ROWS_RECORD_BYTES = 100,
    ROWS_RECORD_KEY_BYTES = 10,
    ROWS_PARTICLE_BYTES = 32
};

/* A row of OP_COLUMNS, which is sorted by the first column ascending, the second descending and the
 * third ascending. Contestants have an array for each column. */
struct row_of_columns {
    uint32_t first;
    uint8_t third;
    double second;
};

struct row_layout {
    struct data_type
        type; /* name: of the key, in the results; size: of a row. There is no such key type */
    char name[16];
    clsort_column
        columns[ROWS_MAX_COLUMNS]; /* where they are in a row, the most significant first */
    clsort_column described[ROWS_MAX_COLUMNS]; /* the same for clsort_desc */
    size_t column_count;
    bool has_arrays; /* contestants have an array for each column */
    /* Of the bytes behind the key, which begin with the index of the row; 0: a row is all key. */
    size_t payload_offset;
};

/* Sets the layout of the rows of an operation, which must stay where it is. string_size: of
 * OP_STRINGS. */
void rows_lay_out(enum operation operation, size_t string_size, struct row_layout *layout);

/* Sets the members of desc that describe the order. */
void rows_describe(const struct row_layout *layout, clsort_desc *desc);

/* Generates `count` rows, starting at index first, of the total rows. The first column, or the first 8
 * bytes of a byte string, have the distribution; the others are uniform. Of DATA_EQUAL, all keys are
 * equal. Of DATA_SHARED_PREFIX, the first half of all columns or of the string is equal. */
void rows_fill(const struct row_layout *layout, enum data_dist dist, uint64_t seed, uint64_t total,
               uint64_t first, void *rows, size_t count);

/* Writes the bytes of a payload: the index, and further words that differ, so that verification
 * detects a payload that is mixed from two others. */
void rows_fill_payload(uint64_t index, void *payload, size_t size);

size_t rows_column_bytes(const struct row_layout *layout, size_t column);

/* Copies a column of an array of rows to an array of its own. */
void rows_copy_column(const struct row_layout *layout, size_t column, const void *rows,
                      size_t count, void *out);

/* Returns less than 0, 0 or more than 0, as memcmp, by code that is independent of the library. */
int rows_compare(const struct row_layout *layout, const void *a, const void *b);

/* Returns NULL if the first 8 bytes of the rows, whose keys are byte strings, are different in all of
 * them; else what is wrong. */
const char *rows_check_prefixes(const struct row_layout *layout, const void *rows, size_t count);

/* Returns the index that the payload of a row contains. */
uint64_t rows_index(const struct row_layout *layout, const void *row);

#ifdef __cplusplus
}
#endif
#endif
