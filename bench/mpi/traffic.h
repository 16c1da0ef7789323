/* traffic.h - counts the bytes of keys that leave a rank
 *
 * traffic.c replaces MPI functions by ones that count, through the profiling interface of MPI: MPI_Isend and
 * MPI_Alltoallv, by which clsort and its peers exchange keys. Other functions exchange counts and splitters. */
#ifndef CLSORT_BENCH_MPI_TRAFFIC_H
#define CLSORT_BENCH_MPI_TRAFFIC_H

#include <stdint.h>

/* Counts from here on in to[i] what is sent to rank i of MPI_COMM_WORLD, which has `ranks` ranks. NULL: counts no
 * more. The bytes that a rank sends to itself are not counted. */
void traffic_count(uint64_t *to, int ranks);

#endif
