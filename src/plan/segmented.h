/* segmented.h - the plan of segmented sorts, and of sorts whose count is in device memory if no algorithm reads it
 *
 * In the latter case, the array is sorted as one segment that begins at 0, whose end the device reads. The
 * plan consists of the sort of segments (algo/segments/), of a gather if the values are wide, and, if
 * segments have begins and ends, of a plan that sorts these by the begins. */
#ifndef CLSORT_PLAN_SEGMENTED_H
#define CLSORT_PLAN_SEGMENTED_H

#include "algo/gather/gather.h"
#include "algo/segments/segments.h"
#include "plan/ladder.h"
#include "plan/tested.h"

struct clsort_plan;

struct cls_segmented {
    struct cls_segments segments;
    cl_kernel kernels[CLS_MAX_KERNELS];
    bool gathers; /* the values are wide, and are gathered by indexes */
    struct cls_gather gather;
    cl_kernel gather_kernels[CLS_MAX_KERNELS];
    bool may_omit_keys_out;    /* scratch memory then replaces it */
    struct clsort_plan *order; /* CLSORT_BEGIN_END: sorts begins and ends; otherwise NULL */
    uint64_t max_count;
    uint64_t max_segments; /* of the request; 0: as the number of elements */
};

/* Fails if the request names something that segmented sorts do not have. */
clsort_status cls_segmented_check(const struct cls_request *request);

/* Creates the plan: compiles and tests its kernels. Errors as clsort_plan_create. */
clsort_status cls_segmented_create(struct cls_device *device, const struct cls_ladders *ladders,
                                   const struct cls_request *request,
                                   struct cls_segmented **segmented);
void cls_segmented_destroy(struct cls_segmented *segmented); /* NULL is allowed */

/* Returns whether the programs that would sort count elements have not been tested on this device. Sets
 * the subject of their verdict. */
bool cls_segmented_is_untested(struct cls_device *device, const struct cls_request *request,
                               uint64_t count, char subject[CLS_TESTED_SUBJECT]);

/* Returns the request of the sort of begins and ends, as keys and values, for segments of up to max_count elements.
 * Pure. */
struct cls_request cls_segmented_order_request(const struct cls_request *request,
                                               uint64_t max_count);

/* Returns the maximum number of segments of count elements. */
uint64_t cls_segmented_max_segments(const struct cls_segmented *segmented, uint64_t count);

/* Returns the size of scratch for count elements in a number of segments. */
uint64_t cls_segmented_scratch_for(const struct cls_segmented *segmented, uint64_t count,
                                   uint64_t number);

/* The results of clsort_scratch_size, clsort_cost_bytes and clsort_plan_describe. */
uint64_t cls_segmented_scratch_bytes(const struct cls_segmented *segmented, uint64_t count);
uint64_t cls_segmented_cost_bytes(const struct cls_segmented *segmented, uint64_t count);
void cls_segmented_describe(const struct cls_segmented *segmented, uint64_t count,
                            struct cls_text *text);

/* Enqueues the sort. If scratch.mem is NULL, scratch is allocated for this call. */
cl_int cls_segmented_enqueue(const struct cls_device *device, const struct cls_segmented *segmented,
                             const struct cls_arrays *arrays, clsort_buffer scratch,
                             struct cls_chain *chain);

/* A list of segments in device memory, for kernels of the caller (cl/segments/list.cl). */
struct cls_segmented_list {
    clsort_buffer control, list; /* the control block of the sort, and the list */
    uint64_t row;                /* elements of each row; 0: the segments are in the list */
};

/* Enqueue a sort that gathers no values in two steps, between which kernels of the caller may make the keys and
 * values: the first one makes the list, and writes the result. The second one may only be enqueued if there are
 * elements and segments. scratch.mem is not NULL. */
cl_int cls_segmented_enqueue_list(const struct cls_device *device,
                                  const struct cls_segmented *segmented,
                                  const struct cls_arrays *arrays, clsort_buffer scratch,
                                  struct cls_chain *chain, struct cls_segmented_list *list);
cl_int cls_segmented_enqueue_listed(const struct cls_device *device,
                                    const struct cls_segmented *segmented,
                                    const struct cls_arrays *arrays, clsort_buffer scratch,
                                    struct cls_chain *chain);

#endif
