/* command_line.h - what the command lines of all programs have in common, for argp */
#ifndef CLSORT_TOOLS_COMMAND_LINE_H
#define CLSORT_TOOLS_COMMAND_LINE_H

#include <argp.h>

/* The children of every parser: the option -h, which does the same as --help. */
extern const struct argp_child command_line_children[];

/* Refuses an option that is given again with another value. A parser calls it for every key, except
 * those of options that may be repeated, before it interprets the argument. table: the options of
 * the program. ARGP_KEY_INIT begins a new command line; other keys that are not in the table, and
 * options without an argument, are ignored. */
void command_line_check_repeated(const struct argp_option *table, int key, const char *argument,
                                 const struct argp_state *state);

#endif
