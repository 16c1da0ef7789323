/* terminal.h - clsort-tool-common: keeps binary data off terminals */
#ifndef CLSORT_TOOLS_TERMINAL_H
#define CLSORT_TOOLS_TERMINAL_H

#include <stdbool.h>

/* Prints an error and returns false if the output is standard output and that is a terminal, which
 * binary data could put into any state. path: as for output_open. */
bool terminal_check_output(const char *path);

#endif
