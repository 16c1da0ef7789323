/* in_runs.h - clsort-mpi: sorts that exceed the memory of the ranks
 *
 * Each rank sorts its part of the input in runs in a temporary file. The ranks find splitters from samples of the runs,
 * exchange what is between these, and each merges the parts that it has received to its part of the output. */
#ifndef CLSORT_TOOLS_MPI_IN_RUNS_H
#define CLSORT_TOOLS_MPI_IN_RUNS_H

#include "task.h"

/* Decides whether the sort is in runs, and sets task->run_elements: if the part of any rank exceeds its memory.
 * Collective. Prints an error and returns false on all ranks if it exceeds that, and a sort in runs is not possible. */
bool in_runs_choose(struct task *task);

/* Sorts, and writes the output but for its commit. Collective. The return value is the same on all ranks. */
bool in_runs_sort(struct task *task);

#endif
