/* stats.h - what a sort has cost */
#ifndef CLSORT_TOOLS_STATS_H
#define CLSORT_TOOLS_STATS_H

#include <stdbool.h>
#include <stddef.h>

struct stats {
    const char *device;
    const char *algorithm;
    const char *type;
    size_t elements;
    size_t key_size;
    double setup_s; /* opening the device, compiling or loading the programs */
    double read_s;
    double sort_s;
    double write_s;
};

/* Seconds since the last call. The first call starts the clock. */
double stats_lap(void);

/* Prints to standard error. Reports its own trouble and returns false. */
bool stats_print(const struct stats *stats, bool json);

#endif
