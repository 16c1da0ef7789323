/* report.h - the results as a table for people and as JSON lines for programs */
#ifndef CLSORT_BENCH_REPORT_H
#define CLSORT_BENCH_REPORT_H

#include "contest.h"
#include "options.h"

#include <stdio.h>

struct report {
    const struct options *options;
    FILE *table;
    FILE *json;          /* NULL: not wanted */
    bool has_machine;    /* the JSON has the line about the machine */
    double copy_bytes_s; /* copy_measure; 0: not known, so that there are no rooflines */
};

/* Opens the files and prints the head of the table. On failure says why and returns false. */
bool report_open(const struct options *options, const struct target *target, struct report *report);

/* Reports one contest, of which clsort is the first contestant. */
bool report_contest(struct report *report, const struct job *job,
                    const struct contestant *contestants, size_t count);

/* Returns false, and says so, when not all could be written. */
bool report_close(struct report *report);

#endif
