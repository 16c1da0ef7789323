/* splitting.h - clsort-mpi: which elements of the sorted runs each rank merges
 *
 * Regular samples of all runs, in the order of (element, rank, position), give one splitter between two ranks (Shi and
 * Schaeffer, "Parallel sorting by regular sampling", 1992). A rank merges the elements between two splitters in this
 * order, so that equal elements are divided, too. The parts are nearly equal; they need not be exactly, since they
 * follow each other in one file. */
#ifndef CLSORT_TOOLS_MPI_SPLITTING_H
#define CLSORT_TOOLS_MPI_SPLITTING_H

#include "sorted_runs.h"

/* Elements of more bytes are not sorted in runs. */
enum { SPLITTING_MAX_SIZE = 1 << 16 };

/* Sets cuts[r * runs->count + i] to the first element of run i, as its index in the file, that rank r or a later one
 * merges, for r from 0 to the number of ranks. Collective. The return value is the same on all ranks. */
bool splitting_find(struct task *task, const struct external_order *order,
                    const struct sorted_runs *runs, uint64_t *cuts);

#endif
