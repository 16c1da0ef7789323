/* piece.h - sorts host arrays on the device that fit in its buffers, in segments, merges them, or selects from them */
#ifndef CLSORT_API_PIECE_H
#define CLSORT_API_PIECE_H

#include "api/sort_segments.h"
#include "host/partition.h"
#include "host/select.h"
#include "plan/plan.h"

/* Sorts at most plan->max_count elements to `to`, which is `from` or does not overlap it, and waits
 * until they are sorted. `from` is unchanged unless it is `to`. If the plan is that of an argsort,
 * `from` and `to` are equal, the keys are only read, and the values become the permutation. */
cl_int cls_piece_sort(struct clsort_plan *plan, cl_command_queue queue, size_t count,
                      struct cls_host_elements from, struct cls_host_elements to);

/* Merges two runs in order to `to`, which does not overlap them, by a plan of a merge for all elements, and waits until
 * they are merged. The runs are only read. */
cl_int cls_piece_merge(struct clsort_plan *plan, cl_command_queue queue, size_t count,
                       struct cls_host_elements from, size_t second_count,
                       struct cls_host_elements second, struct cls_host_elements to);

/* Sorts the segments of arrays by the plan of a segmented sort, in place, and waits until they are sorted.
 * There is at least one element and one segment. Sets *clamped to the number of segments that were
 * clamped. */
cl_int cls_piece_sort_segments(struct clsort_plan *plan, cl_command_queue queue, size_t count,
                               struct cls_host_elements at,
                               const struct cls_host_segments *segments, uint64_t *clamped);

/* Selects keys and their indexes by a plan without values, and waits until they are selected. At
 * least one element is selected. */
cl_int cls_piece_select(struct clsort_plan *plan, cl_command_queue queue,
                        const struct cls_host_selection *selection);

#endif
