/* ranks_check.h - clsort-mpi --check */
#ifndef CLSORT_TOOLS_MPI_RANKS_CHECK_H
#define CLSORT_TOOLS_MPI_RANKS_CHECK_H

#include "task.h"

/* Checks the order of the elements of all inputs, of which each rank reads its part in chunks, and prints the first
 * two that are out of order. Collective. The results are the same on all ranks. */
bool ranks_check(struct task *task, bool *ordered);

#endif
