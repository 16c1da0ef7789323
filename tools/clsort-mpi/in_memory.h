/* in_memory.h - clsort-mpi: sorts in the memory of the ranks */
#ifndef CLSORT_TOOLS_MPI_IN_MEMORY_H
#define CLSORT_TOOLS_MPI_IN_MEMORY_H

#include "task.h"

/* Returns the bytes that a rank needs to sort `count` elements in memory. */
uint64_t in_memory_needed(const struct task *task, uint64_t count);

/* Returns the bytes that this rank may take: those of --buffer-size that it has not taken yet, or its share of the
 * memory of the node. */
uint64_t in_memory_available(const struct task *task);

/* Sorts, and writes the output but for its commit. Collective. The return value is the same on all ranks. */
bool in_memory_sort(struct task *task);

#endif
