/* request.h - what a descriptor asks for, checked and in normal form */
#ifndef CLSORT_PLAN_REQUEST_H
#define CLSORT_PLAN_REQUEST_H

#include "plan/named.h"

struct cls_request {
    struct cls_spec spec;   /* value_bytes is the caller's; index fields are not settled yet */
    uint64_t max_count;     /* 0: as many as the device can hold */
    uint64_t min_count;     /* none of fewer elements will be asked for; 0: unknown */
    bool no_scratch;        /* nothing but the arrays may be used */
    struct cls_named named; /* no algorithm: the library chooses */
};

/* Whether the bytes of count elements can be counted, with room for the sums of several such sizes. */
bool cls_count_fits(const struct cls_spec *spec, uint64_t count);

/* Fails with the CLSORT_E_* that clsort_plan_create documents. */
clsort_status cls_request_read(const clsort_desc *desc, struct cls_request *request);

/* Copies a caller's struct that starts with its struct_size, of any version, to one of this version:
 * missing fields are zero, and fields from the future must be. */
clsort_status cls_versioned_copy(const void *from, void *to, size_t size);

#endif
