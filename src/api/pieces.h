/* pieces.h - sorts host arrays of any size on the device: in pieces, if a buffer cannot hold them */
#ifndef CLSORT_API_PIECES_H
#define CLSORT_API_PIECES_H

#include "plan/ladder.h"
#include "plan/plan.h"

/* Returns the maximum number of elements whose keys and whose values each fit in one buffer. */
size_t cls_max_piece(const struct cls_caps *caps, const struct cls_spec *spec);

/* Returns the request of the plan for count elements, or for pieces of them if a buffer cannot hold
 * them. */
struct cls_request cls_pieces_request(const struct cls_caps *caps,
                                      const struct cls_request *request, size_t count);

/* Creates a plan for the arrays, or for their pieces if a buffer cannot hold them. */
clsort_status cls_pieces_plan(clsort_engine *engine, const struct cls_request *request,
                              size_t count, struct clsort_plan **plan);

/* Sorts arrays of any size by such a plan. Those that it cannot sort are divided into ranges of keys
 * on all cores of the host, with additional memory of the size of the arrays. After an
 * error the arrays have the same elements in an undefined order, unless the device has overwritten
 * them. Records are sorted by cls_host_records_sort_by_plan. */
cl_int cls_pieces_sort(struct clsort_plan *plan, cl_command_queue queue, size_t count, void *keys,
                       void *values);

/* The same for CLSORT_ARGSORT. The keys are only read; `indexes` becomes the permutation. If the arrays
 * exceed a buffer, a copy of the keys is sorted with its indexes. */
cl_int cls_pieces_argsort(struct clsort_plan *plan, cl_command_queue queue, size_t count,
                          void *keys, void *indexes);

/* Appends a description of the plan and of the pieces. */
void cls_pieces_describe(const struct clsort_plan *plan, size_t count, struct cls_text *text);

#endif
