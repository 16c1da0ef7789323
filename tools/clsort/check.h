/* check.h - whether keys are in order */
#ifndef CLSORT_TOOLS_CHECK_H
#define CLSORT_TOOLS_CHECK_H

#include "data.h"

/* Whether the keys are in the order of the flags; reports the first that is not. */
bool check_order(const char *name, const struct data_type *type, uint32_t flags, const void *keys,
                 size_t count);

#endif
