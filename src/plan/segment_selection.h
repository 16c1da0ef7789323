/* segment_selection.h - the plan of CLSORT_SELECT and CLSORT_NTH from segments
 *
 * It consists of the selection from each segment (algo/segments/select.h), which writes the keys and indexes of
 * the selected elements to the places of the segment in the outputs, in the order of the input; and, unless they
 * remain in this order, of a plan that sorts them in these places as segments. For custom orders and
 * orders by columns, a plan of a segmented argsort precedes the selection, which then takes the first indexes.
 *
 * A whole array in a custom order, of which the device knows the count, is one segment. */
#ifndef CLSORT_PLAN_SEGMENT_SELECTION_H
#define CLSORT_PLAN_SEGMENT_SELECTION_H

#include "algo/segments/select.h"
#include "plan/selection_parts.h"
#include "plan/tested.h"

struct cls_segment_selection {
    struct cls_segments_select select;
    struct cls_selection_parts parts;
    size_t value_bytes;    /* of the caller */
    uint64_t max_segments; /* of the request; 0: as the number of elements */
    uint64_t max_places;   /* of all segments in the outputs */
};

/* Creates the plan: compiles and tests its kernels. Errors as clsort_plan_create. */
clsort_status cls_segment_selection_create(struct cls_device *device,
                                           const struct cls_ladders *ladders,
                                           const struct cls_request *request,
                                           struct cls_segment_selection **selection);
void cls_segment_selection_destroy(struct cls_segment_selection *selection); /* NULL is allowed */

/* Returns the maximum number of segments of count elements. */
uint64_t cls_segment_selection_max_segments(const struct cls_segment_selection *selection,
                                            uint64_t count);

/* The results of clsort_scratch_size, clsort_cost_bytes and clsort_plan_describe. */
uint64_t cls_segment_selection_scratch_bytes(const struct cls_segment_selection *selection,
                                             uint64_t count);
uint64_t cls_segment_selection_cost_bytes(const struct cls_segment_selection *selection,
                                          uint64_t count);
void cls_segment_selection_describe(const struct cls_segment_selection *selection, uint64_t count,
                                    struct cls_text *text);

/* Enqueues the selection. If scratch.mem is NULL, scratch is allocated for this call. */
cl_int cls_segment_selection_enqueue(const struct cls_device *device,
                                     const struct cls_segment_selection *selection,
                                     const struct cls_arrays *arrays, clsort_buffer scratch,
                                     struct cls_chain *chain);

#endif
