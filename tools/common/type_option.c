/* type_option.c - clsort-tool-common: key types on command lines */
#include "type_option.h"

#include <string.h>

const struct data_type *type_option(const struct command_line *line, const char *option,
                                    const char *argument, const char *name)
{
    const struct data_type *type = data_type_find(name), *other;
    char names[64] = ""; /* fits all, with a blank before each */

    for (size_t i = 0; type == NULL && (other = data_type_at(i)) != NULL; i++) {
        strcat(names, " ");
        strcat(names, other->name);
    }
    if (type == NULL)
        command_line_error(line,
                           "%s=%s: unknown type; the types are%s, by their number of bits (float64 "
                           "and f8 of NumPy are f64)",
                           option, argument, names);
    return type;
}
