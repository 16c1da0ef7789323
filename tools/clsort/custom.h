/* custom.h - the options --less and --key-size of clsort: elements in the order of an expression in OpenCL C */
#ifndef CLSORT_TOOLS_CUSTOM_H
#define CLSORT_TOOLS_CUSTOM_H

#include "command_line.h"
#include "data.h"

#include <clsort.h>

enum { CUSTOM_PRELUDE_SIZE = 512 };

struct custom {
    const char *less;      /* NULL: not given */
    struct data_type type; /* that of the elements; its size is 0 if --key-size is not given */
};

/* Parses the argument of --key-size. Prints an error and returns false on failure. */
bool custom_parse_size(const struct command_line *line, const char *text, struct custom *custom);

/* Sets the fields of desc that describe the order, and writes to prelude, to which desc then points,
 * the type of the elements: a union of arrays, which have the names of the key types. */
void custom_describe(const struct custom *custom, char prelude[CUSTOM_PRELUDE_SIZE],
                     clsort_desc *desc);

#endif
