/* type_option.h - clsort-tool-common: key types on command lines */
#ifndef CLSORT_TOOLS_TYPE_OPTION_H
#define CLSORT_TOOLS_TYPE_OPTION_H

#include "command_line.h"
#include "data.h"

/* Returns the type with this name. option, argument: where it is on the command line. If the name is
 * unknown, prints an error that lists all types and returns NULL. */
const struct data_type *type_option(const struct command_line *line, const char *option,
                                    const char *argument, const char *name);

#endif
