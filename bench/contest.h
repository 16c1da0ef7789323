/* contest.h - sorts one input with each contestant in turn, and takes the time */
#ifndef CLSORT_BENCH_CONTEST_H
#define CLSORT_BENCH_CONTEST_H

#include "peer.h"

#define CONTEST_RUNS_MAX 1000
#define CONTEST_ENOUGH_S 10
#define CONTEST_ENOUGH_RUNS 3
#define CONTEST_BATCH_MAX 1000

struct contestant {
    const struct peer *peer;
    const char *asked; /* of clsort: the algorithm, as clsort_desc.algorithm; else NULL */
    void *state;
    char algorithm[16];               /* that sorts the job; empty: the peer has only one */
    uint64_t cost_bytes;              /* bytes of its cost model; 0: there is none */
    size_t batch;                     /* sorts of a run */
    double seconds[CONTEST_RUNS_MAX]; /* of a sort, for each run */
    size_t runs;
    double median_s, min_s;
    double device_seconds[CONTEST_RUNS_MAX]; /* the same by the device's clock, of further runs */
    size_t device_runs;                      /* 0: there is no such clock, or nobody asked for it */
    double device_median_s;
    bool verified; /* every run's result was right */
    bool failed;   /* could not sort the job, so that there is nothing to report */
};

/* How often contestants are to sort n elements, of which --runs says runs: sorts of microseconds need more runs than
 * others for a median that says something. */
size_t contest_runs(size_t runs, size_t n);

/* How many sorts of n elements are a batch, of which --batch says batch, 0 for automatic: so many that starting the
 * first and waiting for the last take a small part of the time. */
size_t contest_batch(size_t batch, size_t n);

/*
 * Lets the contestants sort the job contest_runs times, interleaved: run r of each comes before run
 * r + 1 of any, so that a machine that slows down meanwhile slows all of them down. Where the job wants device times,
 * who has them runs twice in each turn. Who has taken CONTEST_ENOUGH_S
 * in CONTEST_ENOUGH_RUNS or more sits out the rest. A warm-up, not counted but verified, comes first. The caller sets
 * peer and asked, the contest everything else. Returns false when clsort failed, which has then been said
 * on standard error, as what any other contestant failed at. A wrong result is no such failure.
 */
bool contest_run(const struct job *job, size_t runs, struct contestant *contestants, size_t count);

#endif
