/* table.h - clsort-bench --table: tables of clsort's algorithms */
#ifndef CLSORT_BENCH_TABLE_H
#define CLSORT_BENCH_TABLE_H

#include "options.h"

/* Returns the name of a table; NULL past the last.
 *   bitonic     sets of bitonic kernels, as in Bainville's article, with his published figures
 *   selection   the choice of auto, and all other algorithms */
const char *table_name(size_t index);

enum table_outcome { TABLE_DONE, TABLE_WRONG, TABLE_ERROR };

/* Measures the table with this index and prints it as Markdown. */
enum table_outcome table_print(size_t index, const struct options *options,
                               const struct target *target);

#endif
