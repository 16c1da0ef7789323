/* ranks_stats.h - clsort-mpi --stats */
#ifndef CLSORT_TOOLS_MPI_RANKS_STATS_H
#define CLSORT_TOOLS_MPI_RANKS_STATS_H

#include "task.h"

/* Prints the line of --explain that names the device of this rank. */
void ranks_print_device(const struct job *job);

/* Prints the statistics on rank 0: the maxima of all ranks, and the phases of rank 0. Collective. Prints an error and
 * returns false on failure, on all ranks. */
bool ranks_stats(struct task *task);

#endif
