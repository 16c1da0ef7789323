/* options_check.h - the combinations of options that clsort refuses */
#ifndef CLSORT_TOOLS_OPTIONS_CHECK_H
#define CLSORT_TOOLS_OPTIONS_CHECK_H

#include "command_line.h"

/* Checks the options of a whole command line, which line->target has. Prints an error and returns false if they cannot
 * be combined. */
bool options_check(const struct command_line *line);

#endif
