/* table.h - the words of an element, and the columns that they consist of (cl/columns/words.cl) */
#ifndef CLSORT_ALGO_COLUMNS_TABLE_H
#define CLSORT_ALGO_COLUMNS_TABLE_H

#include "base/columns.h"
#include "base/spec.h"
#include "cl/columns/layout.h"

/* A column with its order. */
struct cls_ordered_column {
    struct cls_spec spec; /* of the numbers; byte strings: of one byte */
    struct cls_column column;
    unsigned buffer; /* 0 for records */
    uint32_t stride; /* bytes from one element to the next */
};

/* The parts of the words, which the kernels read. */
struct cls_columns_table {
    unsigned words; /* of an element */
    cls_columns_part *parts;
    cls_u32 *firsts; /* words + 1 numbers: of the first part of each word, and of all parts */
};

/* Makes the table of some columns. Returns false if memory is short. The caller frees it by
 * cls_columns_table_free. */
bool cls_columns_table_make(const struct cls_ordered_column *columns, size_t count,
                            struct cls_columns_table *table);
void cls_columns_table_free(struct cls_columns_table *table); /* also after a failure */

#endif
