/* compile.h - clsort-mpi: compiles the programs of a sort, on one rank of each node before the others
 *
 * All ranks need the same programs. If all of them compiled at once, each would do the same work, on the same cores.
 * One compiles instead, and the others then find the programs and the results of their self-tests in the disk cache. */
#ifndef CLSORT_TOOLS_MPI_COMPILE_H
#define CLSORT_TOOLS_MPI_COMPILE_H

#include "task.h"

/* A function that compiles programs on one rank. It prints an error and returns false on failure. */
typedef bool compile_step(struct task *task);

/* Runs the step on one rank of each node and for each kind of device there, then on the other ranks. Collective.
 * Prints an error and returns false on all ranks on failure. */
bool compile_in_turn(struct task *task, compile_step *step);

/* Steps: describes the sort, or the selection that precedes it, in job->plan, which compiles its programs; and compiles
 * the comparisons of --less. */
bool compile_sort(struct task *task);
bool compile_comparisons(struct task *task);

#endif
