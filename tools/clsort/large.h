/* large.h - files that are larger than the memory limit: the external sort of clsort */
#ifndef CLSORT_TOOLS_LARGE_H
#define CLSORT_TOOLS_LARGE_H

#include "job.h"
#include "stats.h"

/* All functions that return bool print an error and return false on failure. */

/* Sets *is_large to whether the open inputs are sorted externally: whether there are several, or one exceeds a part of
 * --buffer-size or, by default, of the memory that is available. A pipe is read up to this part. Fails if the limit of
 * --buffer-size is exceeded, but an option does not support it. */
bool large_choose(struct job *job, bool *is_large);

/* Opens the device, and plans the sort. */
bool large_prepare(struct job *job, struct stats *stats);

/* Checks the order of the open input, and prints the first two elements that are out of order. */
bool large_check(struct job *job, bool *ordered);

/* Prints what --explain says about the passes. */
void large_explain(const struct job *job);

/* Sorts the file to the output, which is not committed. */
bool large_sort(struct job *job, struct stats *stats);

#endif
