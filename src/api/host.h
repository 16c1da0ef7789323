/* host.h - checks and a threshold that clsort_host and clsort_array share */
#ifndef CLSORT_API_HOST_H
#define CLSORT_API_HOST_H

#include "api/trials.h"
#include "base/spans.h"

/* Up to this count the calling thread sorts in less time than a device takes to answer; measured
 * with PoCL on 2 and on 16 cores, and with an H100. Trials decide about some larger counts. */
enum { CLS_MAX_HOST_COUNT = CLS_MIN_TRIAL_COUNT };

/* Returns CLSORT_E_COUNT if there may not be as many elements in host memory. */
clsort_status cls_check_host_count(const struct cls_request *request, size_t count);

/* Returns CLSORT_E_OPERATION, CLSORT_E_COUNT or CLSORT_E_UNSUPPORTED if count elements in host memory
 * cannot be sorted by this request, in segments or not. */
clsort_status cls_check_host_request(const struct cls_request *request, size_t count);

/* Returns the same for a function that describes what clsort_host, clsort_host_segments or
 * clsort_host_select would do, whichever has the operation. */
clsort_status cls_check_host_operation(const struct cls_request *request, size_t count);

/* Returns CLSORT_E_ARGUMENT if an array is missing or superfluous, CLSORT_E_OVERLAP if they
 * overlap. */
clsort_status cls_check_host_arrays(const struct cls_spec *spec, size_t count, const void *keys,
                                    const void *values);

/* Returns CLSORT_E_SEGMENTS if the request has segments. */
clsort_status cls_check_host_whole(const struct cls_request *request);

/* Reads the descriptor of a sort of whole arrays in host memory, and checks the arrays, as clsort_host does. */
clsort_status cls_host_read(const clsort_desc *desc, size_t count, const void *keys,
                            const void *values, struct cls_request *request);

/* Returns whether the calling thread processes count elements, since they are at most max_host_count: it takes less
 * time than the device takes to answer. */
bool cls_host_is_small(const struct cls_request *request, size_t count, size_t max_host_count);

/* Finds out where to work on count elements. Sets *on_host if the calling thread does, either because
 * they are at most max_host_count or because OpenCL cannot be used. Otherwise the queue, if there is
 * one, is checked and finished. */
clsort_status cls_host_choose_processor(clsort_engine *engine, cl_command_queue queue,
                                        const struct cls_request *request, size_t count,
                                        size_t max_host_count, bool *on_host);

/* Returns whether the host can replace a device on which cls_plan_create has returned this status,
 * because no kernels pass their self-test. */
bool cls_falls_back_to_host(const struct cls_request *request, clsort_status status);

/* Sorts in the calling thread, by a request for which cls_host_can_sort is true unless count is at most 1. The arrays
 * are unchanged if it returns CLSORT_E_MEMORY. */
clsort_status cls_sort_on_host(const struct cls_request *request, size_t count, void *keys,
                               void *values);

/* Returns CLSORT_E_COUNT, with the reason that an array exceeds a buffer and that the host cannot sort instead. */
clsort_status cls_host_exceeds_buffer(const clsort_engine *engine, size_t count);

/* Sets *used to the queue or, if it is NULL, to one that is created; the caller passes both to
 * cls_host_queue_close. */
clsort_status cls_host_queue_open(const struct cls_device *device, cl_command_queue queue,
                                  cl_command_queue *used);
void cls_host_queue_close(cl_command_queue queue, cl_command_queue used);

/* Returns CLSORT_OK if the device of the engine, which may be NULL, can be used. */
clsort_status cls_host_check_engine(const clsort_engine *engine);

/* Returns whether the host may sort: custom orders and named algorithms exist in kernels only. */
bool cls_host_can_sort(const struct cls_request *request);

#endif
