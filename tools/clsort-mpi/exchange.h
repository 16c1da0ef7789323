/* exchange.h - clsort-mpi: passes parts of the sorted runs to the ranks that merge them */
#ifndef CLSORT_TOOLS_MPI_EXCHANGE_H
#define CLSORT_TOOLS_MPI_EXCHANGE_H

#include "sorted_runs.h"

/* What a rank merges: parts of the runs of all ranks, in the order of the ranks. */
struct received {
    const char *folder;
    int fd; /* a temporary file with the parts of other ranks */
    size_t count;
    struct external_input *parts;
    uint64_t elements; /* in all parts */
    uint64_t bytes;    /* from other ranks */
};

/* Exchanges the parts of runs that splitting_find has found. Collective. The return value is the same on all ranks, and
 * an error is printed. The caller calls exchange_free in either case. */
bool exchange_parts(struct received *received, struct task *task, size_t size,
                    const struct sorted_runs *runs, const uint64_t *cuts);

void exchange_free(struct received *received);

#endif
