/* progress.h - a line on the terminal that shows what a long run does
 *
 * The line is on standard error and is updated in place by a thread of its own. If standard error
 * is not a terminal, or with --quiet, the functions do nothing. One thread calls them. */
#ifndef CLSORT_TOOLS_PROGRESS_H
#define CLSORT_TOOLS_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* Starts the display. The first error message (print_error) ends it. */
void progress_start(bool quiet);

/* Begins a phase, such as "reading", of total bytes (0: unknown). The line appears 2 s after
 * progress_start. It shows the bytes of progress_add and their rate and, if the total is known, the
 * time left. name: a string literal. */
void progress_phase(const char *name, uint64_t total);

/* Begins a phase in which kernels may be compiled. The line appears once it has taken 1 s. */
void progress_compiling(void);

/* Adds to the bytes of the phase. */
void progress_add(uint64_t bytes);

/* Returns whether the display is on. */
bool progress_is_on(void);

/* Ends the display and erases the line. Has no effect if the display is off. */
void progress_end(void);

#endif
