/* report.h - the results of clsort-bench-mpi as a table for people and as JSON lines for programs */
#ifndef CLSORT_BENCH_MPI_REPORT_H
#define CLSORT_BENCH_MPI_REPORT_H

#include "contest.h"

/* Rank 0 prints; on other ranks the functions do nothing and return true. Functions that return bool print an error and
 * return false on failure. */

struct report {
    const struct options *options;
    int ranks;
    FILE *table, *json; /* json is NULL if no JSON lines are to be written */
    char mpi[64];       /* the name of the MPI implementation */
};

bool report_open(struct report *report, const struct world *world, const struct options *options);
bool report_contest(struct report *report, struct inputs_dist dist, const struct result *results);
bool report_close(struct report *report);

#endif
