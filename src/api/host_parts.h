/* host_parts.h - sorts and merges parts of host arrays to other memory, on the device of an engine */
#ifndef CLSORT_API_HOST_PARTS_H
#define CLSORT_API_HOST_PARTS_H

#include "api/engine.h"
#include "host/partition.h"
#include "plan/request.h"

/* Sorts elements to `to`, which is `from` or does not overlap it, and waits until they are sorted. `from` is unchanged
 * unless it is `to`, also after an error. The request is that of CLSORT_SORT. The calling thread sorts few elements,
 * and those whose kernels fail their self-test, as in clsort_host. Sets *ns to the time that the device has taken,
 * without that of the compiler, or that of the calling thread if the kernels have failed; 0 if unknown. */
clsort_status cls_host_sort_to(clsort_engine *engine, const struct cls_request *request,
                               size_t count, struct cls_host_elements from,
                               struct cls_host_elements to, uint64_t *ns);

/* Compiles and tests the kernels of such a sort. Returns CLSORT_OK if cls_host_sort_to finds them or needs none. */
clsort_status cls_host_sort_warm(clsort_engine *engine, const struct cls_request *request,
                                 size_t count);

/* Elements that are in order. */
struct cls_host_run {
    struct cls_host_elements at;
    size_t count;
};

/* Merges two runs, which are only read, to `to`, and waits until they are merged. The request is that of
 * CLSORT_MERGE_SORTED. Sets *is_merged to false, and returns CLSORT_OK, if the device has no kernels or no buffers for
 * this merge. */
clsort_status cls_host_merge_to(clsort_engine *engine, const struct cls_request *request,
                                const struct cls_host_run runs[2], struct cls_host_elements to,
                                bool *is_merged);

/* Compiles and tests the kernels of such a merge. Returns whether there are kernels and buffers for it. */
bool cls_host_merge_warm(clsort_engine *engine, const struct cls_request *request, size_t count);

#endif
