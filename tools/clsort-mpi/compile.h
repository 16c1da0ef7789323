/* compile.h - clsort-mpi: compiles the programs of a sort, on one rank of each node before the others
 *
 * All ranks need the same programs. If all of them compiled at once, each would do the same work, on the same cores.
 * One compiles instead, and the others then find the programs and the results of their self-tests in the disk cache. */
#ifndef CLSORT_TOOLS_MPI_COMPILE_H
#define CLSORT_TOOLS_MPI_COMPILE_H

#include "task.h"

/* A function that compiles programs on one rank. It prints an error and returns false on failure. */
typedef bool compile_step(struct job *job);

/* Runs the step on one rank of each node and for each kind of device there, then on the other ranks. Collective.
 * Prints an error and returns false on all ranks on failure. */
bool compile_in_turn(struct task *task, compile_step *step);

/* A step that compiles what sorts the samples of records and of elements in custom orders, by which clsort_mpi_host
 * divides them between the ranks. */
bool compile_sort_of_samples(struct job *job);

#endif
