/* options.h - the command line of clsort-bench-mpi */
#ifndef CLSORT_BENCH_MPI_OPTIONS_H
#define CLSORT_BENCH_MPI_OPTIONS_H

#include "inputs.h"
#include "sorts.h"

#include <stdio.h>

enum { OPTIONS_MAX_DISTS = 32, OPTIONS_MAX_RUNS = 1000 };

struct options {
    const struct data_type *type;
    size_t count; /* keys of each rank */
    struct inputs_dist dists[OPTIONS_MAX_DISTS];
    size_t dist_count;
    bool takes_part[SORTS_MAX]; /* by the index in sorts_at */
    size_t runs;
    const char *json; /* a file; "-": standard output, NULL: none */
};

/* Parses the command line, as command_line_parse, which explains the result and *status. The options point into
 * argv. */
bool options_parse(int argc, char **argv, FILE *output, FILE *messages, struct options *options,
                   int *status);

#endif
