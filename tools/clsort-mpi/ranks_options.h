/* ranks_options.h - the command line of clsort-mpi */
#ifndef CLSORT_TOOLS_MPI_RANKS_OPTIONS_H
#define CLSORT_TOOLS_MPI_RANKS_OPTIONS_H

#include "options.h"

/* Parses the command line, as options_parse does for clsort. */
bool ranks_options_parse(struct options *options, int argc, char **argv, FILE *output,
                         FILE *messages, int *status);

#endif
