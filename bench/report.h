/* report.h - the results as a table for people and as JSON lines for programs */
#ifndef CLSORT_BENCH_REPORT_H
#define CLSORT_BENCH_REPORT_H

#include "contest.h"
#include "options.h"

#include <stdio.h>

struct report {
    const struct options *options;
    FILE *table;
    FILE *json;          /* NULL: none */
    bool has_machine;    /* the line about the machine has been written */
    double copy_bytes_s; /* of copy_measure; 0: unknown, no rooflines are printed */
};

/* Opens the files and prints the head of the table. Prints an error and returns false on
 * failure. */
bool report_open(const struct options *options, const struct target *target, struct report *report);

/* Reports one contest. The first contestant must be clsort. */
bool report_contest(struct report *report, const struct job *job,
                    const struct contestant *contestants, size_t count);

/* Closes the files. Prints an error and returns false if not all results could be written. */
bool report_close(struct report *report);

#endif
