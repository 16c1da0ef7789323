/* report.h - clsort-external: divides a sort into phases and measures these */
#ifndef CLSORT_EXTERNAL_REPORT_H
#define CLSORT_EXTERNAL_REPORT_H

#include "external.h"
#include "io.h"

struct report {
    struct external *external;
    const struct io *io;
    double start; /* of the current phase */
    struct io_totals before;
};

/* Begins a phase, and ends the one before it. name: a string literal. pass_count: 0, or the number of passes, of which
 * this is one. rest: bytes that this phase and later ones read and write, or EXTERNAL_UNKNOWN. */
void report_begin(struct report *report, const char *name, unsigned pass, unsigned pass_count,
                  uint64_t rest);

/* Ends the last phase. */
void report_end(struct report *report);

#endif
