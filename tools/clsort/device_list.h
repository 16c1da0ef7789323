/* device_list.h - the argument of clsort --devices */
#ifndef CLSORT_TOOLS_DEVICE_LIST_H
#define CLSORT_TOOLS_DEVICE_LIST_H

#include "command_line.h"

#include <clsort.h>

/* Devices by their indexes in --list-devices. */
struct device_list {
    bool is_given, is_all;
    size_t count; /* indexes; 0 with is_all */
    unsigned indexes[CLSORT_MAX_GROUP];
    char first[12]; /* the index of the first device, as text */
};

/* Parses "all" or indexes with commas between them. Prints an error and returns false on failure. */
bool device_list_parse(const struct command_line *line, const char *text, struct device_list *list);

#endif
