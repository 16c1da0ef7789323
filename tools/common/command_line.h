/* command_line.h - what the command lines of all programs have in common, for argp */
#ifndef CLSORT_TOOLS_COMMAND_LINE_H
#define CLSORT_TOOLS_COMMAND_LINE_H

#include <argp.h>

/* The children of every parser: the option -h, which does the same as --help. */
extern const struct argp_child command_line_children[];

/* Refuses an option that is given again with another value. Called by the parser of options that
 * take one value, before it interprets the argument. table: the options of the program. Ignores
 * keys that are not in it and options without an argument. */
void command_line_check_repeated(const struct argp_option *table, int key, const char *argument,
                                 const struct argp_state *state);

#endif
