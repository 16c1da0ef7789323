/* named.h - an algorithm asked for by name: "radix:bits=4,items=8" */
#ifndef CLSORT_PLAN_NAMED_H
#define CLSORT_PLAN_NAMED_H

#include "algo/algo.h"

struct cls_named {
    const struct cls_algo *algo; /* the first of its name; NULL: none */
    struct cls_parameters parameters;
};

/* Reads "name" or "name:parameter=value,word", all of the length. False when there is no such algorithm or
 * parameter. */
bool cls_named_read(const char *text, size_t length, struct cls_named *named);

#endif
