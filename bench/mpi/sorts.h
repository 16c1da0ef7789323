/* sorts.h - what clsort-bench-mpi measures: clsort and its peers */
#ifndef CLSORT_BENCH_MPI_SORTS_H
#define CLSORT_BENCH_MPI_SORTS_H

#include "data.h"
#include "world.h"

#include <clsort_mpi.h>

enum { SORTS_MAX = 8 };

/* What a rank sorts. All arrays have `count` keys, as on every rank. */
struct share {
    const struct world *world;
    clsort_mpi *mpi;
    const struct data_type *type;
    size_t count;
    const void *keys; /* the input */
    void *copy;       /* a copy of it, which sorts may overwrite */
    void *out;
    const uint64_t *sent; /* bytes that clsort has sent to each rank */
};

struct sort {
    const char *name;
    const char *
        missing; /* the CMake variable that was missing at build time. NULL: the sort is built in */
    bool
        is_floor; /* it does less than a sort: the keys of all ranks are the input, but not in order */
    /* Returns NULL if the sort takes part with this type, else why not. NULL: it supports all types. */
    const char *(*unsupported)(const struct data_type *type);
    /* Writes the keys of this rank to share->out. Prints an error and returns false on failure. Collective. */
    bool (*run)(const struct share *share);
};

extern const struct sort sort_clsort, sort_floor, sort_mpsort;

/* Returns the sort with this index, of which the first is clsort; NULL past the last. */
const struct sort *sorts_at(size_t index);

#endif
