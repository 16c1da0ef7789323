/* contest.h - sorts one input with each contestant in turn, and takes the time */
#ifndef CLSORT_BENCH_CONTEST_H
#define CLSORT_BENCH_CONTEST_H

#include "peer.h"

#define CONTEST_RUNS_MAX 1000

struct contestant {
    const struct peer *peer;
    const char *asked; /* of clsort: the algorithm, as clsort_desc.algorithm; else NULL */
    void *state;
    char algorithm[16];               /* that sorts the job; empty: the peer has only one */
    double seconds[CONTEST_RUNS_MAX]; /* of each run */
    double median_s, min_s;
    bool verified; /* every run's result was right */
};

/*
 * Lets the contestants sort the job runs times, interleaved: run r of each comes before run r + 1
 * of any, so that a machine that slows down meanwhile slows all of them down. A warm-up, not
 * counted but verified, comes first. The caller sets peer and asked, the contest everything else. Returns
 * false when something failed, which has then been said on standard error; a wrong result is no
 * such failure.
 */
bool contest_run(const struct job *job, size_t runs, struct contestant *contestants, size_t count);

#endif
