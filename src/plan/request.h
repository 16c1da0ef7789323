/* request.h - reads a descriptor: checks it and converts it to normal form */
#ifndef CLSORT_PLAN_REQUEST_H
#define CLSORT_PLAN_REQUEST_H

#include "plan/algorithm_name.h"

struct cls_request {
    struct cls_spec spec; /* value_bytes is that of the caller; index fields are not set yet */
    uint64_t max_count;   /* 0: as many elements as the device can hold */
    uint64_t min_count;   /* the plan need not sort fewer elements; 0: unknown */
    bool no_scratch;      /* scratch memory is not allowed */
    struct cls_algorithm_request algorithm; /* algo is NULL: the library chooses */
};

/* Returns whether the sizes of count keys and values, and sums of several such sizes, fit in size_t. */
bool cls_count_fits(const struct cls_spec *spec, uint64_t count);

/* Reads a descriptor. Returns the errors that clsort_plan_create documents. */
clsort_status cls_request_read(const clsort_desc *desc, struct cls_request *request);

/* Copies a struct of any version, which starts with its struct_size, to a struct of this version. Missing fields are
 * set to zero; fields that this version does not know must be zero. */
clsort_status cls_versioned_copy(const void *from, void *to, size_t size);

#endif
