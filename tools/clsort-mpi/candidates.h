/* candidates.h - clsort-mpi: what the ranks sort in memory
 *
 * These are the elements of the input or, with --argsort, records of an element and its index (large_indexes.h). With
 * --top, --bottom or --nth, a rank first selects the elements that the output may have. */
#ifndef CLSORT_TOOLS_MPI_CANDIDATES_H
#define CLSORT_TOOLS_MPI_CANDIDATES_H

#include "part.h"
#include "task.h"

/* Converts the part of the input that this rank has read to what it sorts. Not collective. Prints an error and returns
 * false on failure. */
bool candidates_take(struct task *task, struct part *part);

#endif
