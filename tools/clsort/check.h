/* check.h - clsort --check */
#ifndef CLSORT_TOOLS_CHECK_H
#define CLSORT_TOOLS_CHECK_H

#include "data.h"

/* Returns whether the keys are in order; prints the first key that is not. name: the file. flags:
 * as in clsort_desc. */
bool check_order(const char *name, const struct data_type *type, uint32_t flags, const void *keys,
                 size_t count);

#endif
