/* part.h - clsort-mpi: elements of a rank in its memory */
#ifndef CLSORT_TOOLS_MPI_PART_H
#define CLSORT_TOOLS_MPI_PART_H

#include "job.h"

struct part {
    size_t count;
    unsigned char *elements; /* page-aligned */
    size_t bytes;            /* that are allocated */
};

/* Allocates elements of `size` bytes. Prints an error and returns false if memory runs out. The caller calls part_free
 * in either case. */
bool part_allocate(struct part *part, const struct job *job, size_t count, size_t size);
void part_free(struct part *part);

#endif
