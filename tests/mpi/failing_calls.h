/* failing_calls.h - functions of MPI, of which one call fails on this rank
 *
 * In programs that link failing_calls.c, its functions replace those of MPI, also for libraries. A call is made before
 * it fails, so that other ranks do not wait for it. */
#ifndef CLSORT_TEST_MPI_FAILING_CALLS_H
#define CLSORT_TEST_MPI_FAILING_CALLS_H

#include <mpi.h>

/* The calls until one fails; initially LONG_MAX: none fails. */
extern long calls_left;

#endif
