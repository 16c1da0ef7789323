/* contest.h - sorts one input with each contestant in turn, and takes the time */
#ifndef CLSORT_BENCH_CONTEST_H
#define CLSORT_BENCH_CONTEST_H

#include "peer.h"

#define CONTEST_RUNS_MAX 1000
#define CONTEST_ENOUGH_S 10
#define CONTEST_ENOUGH_RUNS 3

struct contestant {
    const struct peer *peer;
    const char *asked; /* of clsort: the algorithm, as clsort_desc.algorithm; else NULL */
    void *state;
    char algorithm[16];               /* that sorts the job; empty: the peer has only one */
    uint64_t traffic;                 /* bytes of its cost model; 0: there is none */
    double seconds[CONTEST_RUNS_MAX]; /* of each run */
    size_t runs;
    double median_s, min_s;
    bool verified; /* every run's result was right */
    bool failed;   /* could not sort the job, so that there is nothing to report */
};

/* How often contestants are to sort n elements, of which --runs says runs: sorts of microseconds need more runs than
 * others for a median that says something. */
size_t contest_runs(size_t runs, size_t n);

/*
 * Lets the contestants sort the job contest_runs times, interleaved: run r of each comes before run
 * r + 1 of any, so that a machine that slows down meanwhile slows all of them down. Who has taken CONTEST_ENOUGH_S
 * in CONTEST_ENOUGH_RUNS or more sits out the rest. A warm-up, not counted but verified, comes first. The caller sets
 * peer and asked, the contest everything else. Returns false when clsort failed, which has then been said
 * on standard error, as what any other contestant failed at. A wrong result is no such failure.
 */
bool contest_run(const struct job *job, size_t runs, struct contestant *contestants, size_t count);

#endif
