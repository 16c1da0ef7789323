/* check.h - clsort --check */
#ifndef CLSORT_TOOLS_CHECK_H
#define CLSORT_TOOLS_CHECK_H

#include "data.h"

/* Returns whether the keys are in order; prints the first two neighbours that are not, with their
 * indexes from 0, values and bits. name: the file. flags: as in clsort_desc. */
bool check_order(const char *name, const struct data_type *type, uint32_t flags, const void *keys,
                 size_t count);

#endif
