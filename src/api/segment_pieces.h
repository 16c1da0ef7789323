/* segment_pieces.h - sorts segments of host arrays on the device that exceed its largest buffer */
#ifndef CLSORT_API_SEGMENT_PIECES_H
#define CLSORT_API_SEGMENT_PIECES_H

#include "api/sort_segments.h"
#include "plan/plan.h"

/* Creates the plan that sorts as many consecutive ones of a number of segments as fit in the buffers of the device.
 * The order is a built-in one. */
clsort_status cls_segment_pieces_plan(clsort_engine *engine, const struct cls_request *request,
                                      size_t number, struct clsort_plan **plan);

/* Appends a description of the plan. */
void cls_segment_pieces_describe(const struct clsort_plan *batch, struct cls_text *text);

/* Sorts the segments of count elements in host memory, of any number and length: those that fit in a buffer in
 * batches, and each longer one as clsort_host sorts an array. `batch` is the plan above. Sets *clamped to the
 * number of segments that were clamped. */
clsort_status cls_segment_pieces_sort(clsort_engine *engine, struct clsort_plan *batch,
                                      cl_command_queue queue, const struct cls_request *request,
                                      size_t count, void *keys, void *values,
                                      const struct cls_host_segments *segments, uint64_t *clamped);

#endif
