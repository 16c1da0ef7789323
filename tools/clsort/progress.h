/* progress.h - shows on standard error what a long run does
 *
 * A thread of its own shows the progress, so that a terminal or a pipe that blocks does not delay the run before its
 * end. One thread calls these functions. If the display is off, they have no effect. */
#ifndef CLSORT_TOOLS_PROGRESS_H
#define CLSORT_TOOLS_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct phase;

enum progress_when {
    PROGRESS_AUTO,   /* a line that is updated in place, if standard error is a terminal */
    PROGRESS_ALWAYS, /* lines of text: one each second, and one when a phase ends */
    PROGRESS_NEVER,
    PROGRESS_JSON /* the same lines as JSON objects */
};

/* Starts the display. The first error message (print_error) ends it. */
void progress_start(enum progress_when when);

/* Begins a phase, such as "reading", of total bytes (0: unknown). The line of a terminal appears 2 s after
 * progress_start. It shows the bytes of progress_add and their rate and, if the total is known, the
 * time left. name: a string literal. */
void progress_phase(const char *name, uint64_t total);

/* Begins a phase that continues the work of the one before it: its bytes are added to those so far, and the total is
 * known by the rest (UINT64_MAX: unknown). Only the name and the number of the pass are used. */
void progress_continue(const struct phase *phase, uint64_t rest);

/* Continues with the wait until all data are on the disk. */
void progress_wait_for_disk(void);

/* Begins a phase in which kernels may be compiled. It is shown once it has taken 1 s. */
void progress_compiling(void);

/* Adds to the bytes of the phase. */
void progress_add(uint64_t bytes);

/* Returns whether the display is on. */
bool progress_is_on(void);

/* Ends the display: erases the line of a terminal. */
void progress_end(void);

#endif
