/* host.h - checks and a threshold that clsort_host and clsort_array share */
#ifndef CLSORT_API_HOST_H
#define CLSORT_API_HOST_H

#include "api/trials.h"

/* Up to this count the calling thread sorts in less time than a device takes to answer; measured
 * with PoCL on 2 and on 16 cores, and with an H100. Trials decide about some larger counts. */
enum { CLS_MAX_HOST_COUNT = CLS_MIN_TRIAL_COUNT };

/* Returns CLSORT_E_OPERATION or CLSORT_E_COUNT if count elements in host memory cannot be sorted by
 * this request. */
clsort_status cls_check_host_request(const struct cls_request *request, size_t count);

/* Returns CLSORT_E_ARGUMENT if an array is missing or superfluous, CLSORT_E_OVERLAP if they
 * overlap. */
clsort_status cls_check_host_arrays(const struct cls_spec *spec, size_t count, const void *keys,
                                    const void *values);

/* Returns whether the host may sort: custom orders and named algorithms exist in kernels only. */
bool cls_host_can_sort(const struct cls_request *request);

#endif
