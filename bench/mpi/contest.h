/* contest.h - runs the sorts of a distribution alternately, and verifies each run */
#ifndef CLSORT_BENCH_MPI_CONTEST_H
#define CLSORT_BENCH_MPI_CONTEST_H

#include "options.h"

/* A sort that has taken more than CONTEST_ENOUGH_S in at least CONTEST_ENOUGH_RUNS runs makes no further runs. */
enum { CONTEST_ENOUGH_RUNS = 3, CONTEST_ENOUGH_S = 10 };

/* The runs of a sort, the same on all ranks. */
struct result {
    const struct sort *sort; /* NULL: it does not take part */
    size_t runs;
    double median_s, min_s; /* of the slowest rank */
    uint64_t max_sent;      /* maximum of the bytes that leave a rank */
    bool verified;          /* every run */
};

/* What a rank needs for all contests. */
struct contest {
    struct world *world;
    const struct options *options;
    struct share share;
    void *keys;     /* of share, like sent */
    uint64_t *sent; /* an element for each rank, like counts */
    uint64_t *counts;
    double *seconds; /* options->runs for each sort */
};

/* Takes memory for contests. Prints an error and returns false on all ranks on failure. Collective, as all functions.
 * contest_close is called in either case. */
bool contest_open(struct contest *contest, struct world *world, const struct options *options);
void contest_close(struct contest *contest);

/* Runs the sorts that take part. Sets results[0] to results[SORTS_MAX - 1]. Prints an error and returns false on all
 * ranks if a sort fails; a wrong result is no failure. */
bool contest_run(struct contest *contest, struct inputs_dist dist, struct result *results);

#endif
