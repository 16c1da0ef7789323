/* selection_parts.h - what the plans of selections from whole arrays and from segments have in common
 *
 * Both have kernels that select, a plan that sorts the selected elements, and maximum numbers. For custom orders, and
 * for orders by columns of segments, a plan of an argsort precedes or replaces the kernels. */
#ifndef CLSORT_PLAN_SELECTION_PARTS_H
#define CLSORT_PLAN_SELECTION_PARTS_H

#include "algo/algo.h"
#include "plan/ladder.h"
#include "plan/request.h"

struct clsort_plan;

struct cls_selection_parts {
    cl_kernel kernels[CLS_MAX_KERNELS];
    struct clsort_plan *sort;    /* sorts the selected elements; NULL: not needed */
    struct clsort_plan *argsort; /* sorts all elements before; NULL: not needed */
    uint64_t max_count, max_k;
    bool is_nth; /* CLSORT_NTH without CLSORT_PARTITION: only one element is selected */
};

/* Fails if the request has something that no selection supports. */
clsort_status cls_selection_parts_check(const struct cls_request *request);

/* Returns the sort spec of keys and indexes for a device with such limits, and sets *wanted to the maximum number of
 * elements that the request needs or, without one, that the device can hold. */
struct cls_spec cls_selection_parts_spec(const struct cls_caps *caps,
                                         const struct cls_request *request, uint64_t *wanted);

/* Sets the maximum numbers, if the kernels select from up to max_count elements. Fails if the request has more. */
clsort_status cls_selection_parts_limit(const struct cls_request *request, uint64_t wanted,
                                        uint64_t max_count, struct cls_selection_parts *parts);

/* Creates the plan of the argsort. max_segments: as in the request. */
clsort_status cls_selection_parts_argsort(struct cls_device *device,
                                          const struct cls_ladders *ladders,
                                          const struct cls_request *request, uint64_t max_segments,
                                          struct cls_selection_parts *parts);

/* Releases the kernels and the plans. */
void cls_selection_parts_release(struct cls_selection_parts *parts);

#endif
