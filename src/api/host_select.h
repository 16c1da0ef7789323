/* host_select.h - clsort_host_select: selects from arrays in host memory */
#ifndef CLSORT_API_HOST_SELECT_H
#define CLSORT_API_HOST_SELECT_H

#include "api/host.h"
#include "host/select.h"
#include "plan/plan.h"

/* Up to this count the calling thread selects in less time than a device takes for the launches. */
enum { CLS_MAX_HOST_SELECTION = 1 << 18 };

/* Sets *selection to the arguments of clsort_host_select, if they are valid. */
clsort_status cls_host_selection_read(const struct cls_request *request, size_t count,
                                      const void *keys, const void *values, size_t k,
                                      void *keys_out, void *values_out, void *index_out,
                                      struct cls_host_selection *selection);

/* Returns whether each array of a selection on the device of the engine fits in a buffer. If not, the
 * calling thread selects, or must refuse a custom order. */
bool cls_host_selection_fits(const clsort_engine *engine, const struct cls_request *request,
                             size_t count);

/* Creates the plan of a selection of request->max_k elements (0: count) on the device of the engine.
 * Values are not moved there. */
clsort_status cls_host_selection_plan(clsort_engine *engine, const struct cls_request *request,
                                      size_t count, struct clsort_plan **plan);

/* Does what clsort_host_select does. */
clsort_status cls_host_selection_run(clsort_engine *engine, cl_command_queue queue,
                                     const struct cls_request *request,
                                     const struct cls_host_selection *selection);

#endif
