/* contest.h - measures all contestants alternately, on the same input */
#ifndef CLSORT_BENCH_CONTEST_H
#define CLSORT_BENCH_CONTEST_H

#include "peer.h"

#define CONTEST_RUNS_MAX 1000
#define CONTEST_ENOUGH_S 10
#define CONTEST_ENOUGH_RUNS 3
#define CONTEST_BATCH_MAX 1000

struct contestant {
    const struct peer *peer;
    const char *requested; /* clsort: as clsort_desc.algorithm; peers: NULL */
    void *state;
    char algorithm[16];               /* that ran; empty: the peer has only one */
    uint64_t cost_bytes;              /* by the cost model; 0: there is none */
    size_t batch;                     /* sorts per run */
    double seconds[CONTEST_RUNS_MAX]; /* per sort, for each run */
    size_t runs;
    double median_s, min_s;
    double device_seconds[CONTEST_RUNS_MAX]; /* by the clock of the device, in further runs */
    size_t device_runs;                      /* 0: not measured */
    double device_median_s;
    bool verified; /* the results of all runs are correct */
    bool failed;   /* there is no result to report */
    bool refused;  /* failed since the peer does not sort this input, which is no error */
    bool suspect;  /* far slower than the library should be; set by expect_judge */
};

/* Returns the number of runs for n elements. runs: of --runs. Short sorts have more runs, so that
 * their medians are reproducible. */
size_t contest_runs(size_t runs, size_t n);

/* Returns the number of sorts of n elements per batch. batch: of --batch. 0: automatic, so that the
 * start of the first sort and the wait for the last one take a small part of the time. */
size_t contest_batch(size_t batch, size_t n);

/* Runs a contest. The contestants alternate: run r of each precedes run r + 1 of any, so that a
 * machine that becomes slower affects all of them. With device time, contestants that support it
 * make a second run each time. A contestant that has taken more than CONTEST_ENOUGH_S in at least
 * CONTEST_ENOUGH_RUNS runs makes no further runs. A warm-up run, which is verified but not counted,
 * comes first.
 *
 * The caller sets peer and requested of the contestants; the contest sets all other fields except suspect. Prints
 * an error for each contestant that fails, and why a peer refuses. Returns false if clsort failed;
 * wrong results are not failures. */
bool contest_run(const struct job *job, size_t runs, struct contestant *contestants, size_t count);

/* Returns whether all results of a contest are right. A peer that refused has none. */
bool contest_is_right(const struct contestant *contestants, size_t count);

#endif
