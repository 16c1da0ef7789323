/* value_gather.h - the gather of an array of values: in place or not, of all elements or of some
 *
 * It consists of the kernels of algo/gather/gather.h. Plans run it after an argsort. */
#ifndef CLSORT_PLAN_VALUE_GATHER_H
#define CLSORT_PLAN_VALUE_GATHER_H

#include "algo/gather/gather.h"
#include "plan/request.h"

struct cls_value_gather {
    struct cls_spec spec; /* that of the request */
    struct cls_gather gather;
    cl_kernel kernels[CLS_MAX_KERNELS];
};

/* Returns the maximum number of elements for indexes of this size. */
uint64_t cls_value_gather_max_count(unsigned index_bytes);

/* Sets *gather, and compiles and tests its kernels, for a request of CLSORT_GATHER (cls_gather_spec). The count in
 * device memory is a clamped one. The caller releases it, also after a failure. */
clsort_status cls_value_gather_create(struct cls_device *device, const struct cls_request *request,
                                      struct cls_value_gather *gather);
void cls_value_gather_release(struct cls_value_gather *gather);

#endif
