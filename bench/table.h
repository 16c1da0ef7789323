/* table.h - tables of many contests: --table */
#ifndef CLSORT_BENCH_TABLE_H
#define CLSORT_BENCH_TABLE_H

#include "options.h"

/* The index-th table's name, NULL past the last.
 *   bitonic     sets of bitonic's kernels, as in Bainville's article, beside the figures that he published
 *   selection   what AUTO chooses beside every algorithm that can be named */
const char *table_name(size_t index);

enum table_outcome { TABLE_DONE, TABLE_WRONG, TABLE_TROUBLE };

/* Makes the table of that index and prints it as Markdown. */
enum table_outcome table_print(size_t index, const struct options *options,
                               const struct target *target);

#endif
