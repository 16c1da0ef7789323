/* unique.h - --unique: drops repeats from sorted keys */
#ifndef CLSORT_TOOLS_UNIQUE_H
#define CLSORT_TOOLS_UNIQUE_H

#include "data.h"

/* Moves the first key of each run of keys that are equal in the order to the front, and returns the
 * number of these. flags: as in clsort_desc. */
size_t unique_keys(const struct data_type *type, uint32_t flags, void *keys, size_t count);

#endif
