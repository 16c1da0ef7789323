/* context.h - the struct behind clsort_mpi */
#ifndef CLSORT_MPI_CONTEXT_H
#define CLSORT_MPI_CONTEXT_H

#include "group/splitters.h"
#include "mpi/ranks.h"

#include <clsort_mpi.h>

/* What a rank sends to all others when a function begins. */
struct cls_call {
    uint64_t status; /* 0: its arguments are right */
    uint64_t hash;   /* of what must be the same on all ranks */
    uint64_t count, out_count;
};

/* Where a rank wants samples of another one. */
struct cls_wanted {
    struct cls_window window;
    uint64_t step;
};

struct clsort_mpi {
    struct cls_ranks ranks;
    clsort_engine *engine;

    /* Arrays with an element for each rank, so that no sort fails for lack of memory for them. */
    struct cls_call *calls;
    uint64_t *first_out; /* the index in the whole output of the first element of its output */
    uint64_t *position; /* where its part of the sorted elements of this rank begins; and the end */
    uint64_t *received; /* elements that this rank gets from it */
    uint64_t *received_first;   /* and where they go */
    struct cls_window *windows; /* of the search of this rank */
    struct cls_wanted *asked, *wanted;
    uint64_t *narrowing; /* CLS_NARROW_WORDS for each */

    char *staging; /* CLS_MERGE_STAGING_BYTES */
    char *block;   /* the copy of the elements, kept for the next sort */
    size_t block_bytes;
};

/* Begins a collective function with what this rank has been called with. Returns an error that all ranks agree on: that
 * of the first rank whose status is not CLSORT_OK, hashes that differ, or counts that do not add up. After success,
 * mpi->calls and mpi->first_out are set, and *total is the number of elements of all ranks. */
clsort_status cls_mpi_begin(clsort_mpi *mpi, clsort_status status, uint64_t hash, uint64_t count,
                            uint64_t out_count, uint64_t *total);

/* Makes sure that mpi->block has at least this size. */
clsort_status cls_mpi_take(clsort_mpi *mpi, uint64_t bytes);

#endif
