/* large_indexes.h - --argsort of files that are larger than memory
 *
 * What is sorted are records: the key, or the columns of a record of the file, followed by the index. Keys of up to 32
 * bits with an index of 32 bits are packed in one word, which is sorted faster. Only the index is written to the
 * output. */
#ifndef CLSORT_TOOLS_LARGE_INDEXES_H
#define CLSORT_TOOLS_LARGE_INDEXES_H

#include "job.h"

/* Sets job->indexed, for the counted input, and describes the sort of its records by job->desc. */
void large_indexes_describe(struct job *job);

/* Set the functions of the order of these records. The order's sort is not set. Rows are not considered. */
void large_indexes_order(const struct job *job, struct external_order *order);

/* Copies the indexes of `count` records to the front, as those of the output. Returns their size. */
size_t large_indexes_extract(const struct job *job, void *to, const void *records, size_t count);

#endif
