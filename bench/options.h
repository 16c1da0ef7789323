/* options.h - the command line of clsort-bench */
#ifndef CLSORT_BENCH_OPTIONS_H
#define CLSORT_BENCH_OPTIONS_H

#include "job.h"

#define OPTIONS_COUNTS_MAX 64

struct options {
    const char *device; /* NULL: the best */
    const char *algorithm;
    const char *json; /* NULL: none, "-": standard output */
    struct shape shape;
    enum data_dist dist;
    size_t counts[OPTIONS_COUNTS_MAX]; /* element counts, one contest each */
    size_t count_count;
    uint32_t peers; /* mask of peers.h */
    size_t runs;
    size_t batch;     /* 0: automatic */
    bool device_time; /* runs are timed by the device's clock too */
    bool host;        /* clsort sorts host arrays instead of device buffers */
    bool has_table;
    size_t table; /* of table.h */
};

/* Ends the program after --help, --version (status 0) and wrong usage (status 2). The options point
 * into argv. */
void options_parse(int argc, char **argv, struct options *options);

#endif
