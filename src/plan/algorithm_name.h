/* algorithm_name.h - reads the name of an algorithm with its parameters: "radix:bits=4,items=8" */
#ifndef CLSORT_PLAN_ALGORITHM_NAME_H
#define CLSORT_PLAN_ALGORITHM_NAME_H

#include "algo/algo.h"

/* An algorithm that is requested by name. */
struct cls_algorithm_request {
    const struct cls_algo *algo; /* the first variant of this name; NULL: none is requested */
    struct cls_parameters parameters;
};

/* Reads "name" or "name:parameter=value,word", which must be the complete text. Returns
 * CLSORT_E_ALGORITHM if there is no such algorithm or parameter. */
clsort_status cls_algorithm_name_read(const char *text, size_t length,
                                      struct cls_algorithm_request *request);

#endif
