/* stats.h - clsort --stats */
#ifndef CLSORT_TOOLS_STATS_H
#define CLSORT_TOOLS_STATS_H

#include "external.h"

#include <stdbool.h>
#include <stddef.h>

struct stats {
    const char *device;
    const char *algorithm;
    const char *type;
    size_t elements;
    size_t key_size;
    size_t pieces;      /* of a row, which are sorted alone and then merged */
    double setup_s;     /* to open the device, and to compile or load and to test the programs */
    double build_s;     /* part of setup_s: to compile or load the programs */
    double self_test_s; /* part of setup_s */
    double read_s;
    double sort_s;
    double write_s;
    double peak_bytes;             /* maximum resident memory of a process */
    size_t ranks;                  /* of MPI; 0: there is one process, without MPI */
    struct external_report report; /* the phases; the other members only of an external sort */
};

/* Appends a phase. name: a string literal. */
void stats_add_phase(struct stats *stats, const char *name, uint64_t read_bytes,
                     uint64_t written_bytes, double seconds);

/* Returns the seconds since the previous call. The result of the first call is meaningless. */
double stats_lap(void);

/* Prints the statistics to standard error, as JSON or text. Prints an error and returns false if
 * memory runs out. */
bool stats_print(const struct stats *stats, bool json);

#endif
