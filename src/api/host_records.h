/* host_records.h - sorts of records and byte strings in host memory, for clsort_host */
#ifndef CLSORT_API_HOST_RECORDS_H
#define CLSORT_API_HOST_RECORDS_H

#include "host/records.h"
#include "plan/plan.h"

/* Returns what the records of a request with columns are ordered by. */
struct cls_host_records cls_host_records_of(const struct cls_request *request);

/* Sorts records in the calling thread, by a request with columns. With CLSORT_ARGSORT, the records are
 * only read, and `indexes` becomes the permutation. */
clsort_status cls_host_records_sort(const struct cls_request *request, size_t count, void *records,
                                    void *indexes);

/* Returns the request of the plan for count records, or for pieces of them if a buffer of the device
 * cannot hold them, or its scratch memory. */
struct cls_request cls_host_records_request(const struct cls_caps *caps,
                                            const struct cls_request *request, size_t count);

/* Sorts records of any number by such a plan. If there are several pieces, the device sorts them one after
 * the other, and the calling thread merges them, with additional memory of the size of the records
 * or, for CLSORT_ARGSORT, of the indexes. After an error the contents are undefined. */
clsort_status cls_host_records_sort_by_plan(struct clsort_plan *plan, cl_command_queue queue,
                                            size_t count, void *records, void *indexes);

#endif
