/* options.h - the command line of clsort-bench */
#ifndef CLSORT_BENCH_OPTIONS_H
#define CLSORT_BENCH_OPTIONS_H

#include "job.h"

#define OPTIONS_COUNTS_MAX 64

/* Numbers of elements. */
struct count_list {
    size_t counts[OPTIONS_COUNTS_MAX];
    size_t length;
};

struct options {
    const char *device; /* NULL: $CLSORT_DEVICE, else the best */
    const char *algorithm;
    const char *json; /* a file; "-": standard output, NULL: none */
    struct spec spec;
    enum data_dist dist;
    struct count_list first, second; /* of both inputs; the second is empty except for merges */
    struct row_layout rows;          /* of operations that have rows; spec.rows points to it */
    uint32_t peers;                  /* mask of peers_parse */
    size_t runs;
    size_t batch;            /* 0: automatic */
    bool device_time;        /* also measure by the clock of the device */
    bool host;               /* clsort sorts host arrays instead of device buffers */
    bool enqueue;            /* host arrays are also sorted by clsort_enqueue */
    struct count_list group; /* host arrays are also sorted on a group of the devices with these
                                indexes; empty: none */
    size_t sub_devices;      /* the same of this number of sub-devices of the device; 0: none */
    bool has_table;
    size_t table; /* index of table_name */
};

/* Parses the command line, as command_line_parse, which explains the result and *status. The options
 * point into argv. */
bool options_parse(int argc, char **argv, struct options *options, int *status);

/* Sets *size to the numbers of elements of the contest with this index. Returns false past the last.
 * There is a contest for each number, in merges for each pair of numbers. */
bool options_size(const struct options *options, size_t index, struct job_size *size);

#endif
