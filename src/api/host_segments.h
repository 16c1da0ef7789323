/* host_segments.h - clsort_host_segments: sorts segments of arrays in host memory */
#ifndef CLSORT_API_HOST_SEGMENTS_H
#define CLSORT_API_HOST_SEGMENTS_H

#include "api/host.h"
#include "plan/plan.h"

/* Returns whether arrays of count elements fit in buffers of the device of the engine. If not, they are sorted
 * in parts (segment_pieces.h), or a custom order must be refused. */
bool cls_host_segments_fit(const clsort_engine *engine, const struct cls_request *request,
                           size_t count);

/* Creates the plan for count elements in segments on the device of the engine. */
clsort_status cls_host_segments_plan(clsort_engine *engine, const struct cls_request *request,
                                     size_t count, struct clsort_plan **plan);

#endif
