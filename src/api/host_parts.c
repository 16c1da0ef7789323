/* host_parts.c - sorts and merges parts of host arrays to other memory, on the device of an engine */
#include "api/host_parts.h"

#include "api/host.h"
#include "api/piece.h"
#include "api/pieces.h"
#include "base/platform.h"

/* Copies elements, unless they are there already. */
static void copy(const struct cls_request *request, struct cls_host_elements from,
                 struct cls_host_elements to, size_t count)
{
    if (from.keys != to.keys)
        cls_host_copy(&request->spec, from, to, count);
}

/* Sorts by a plan. */
static clsort_status run(struct clsort_plan *plan, cl_command_queue queue, size_t count,
                         struct cls_host_elements from, struct cls_host_elements to)
{
    if (from.keys != to.keys && count <= plan->max_count)
        return cls_piece_sort(plan, queue, count, from, to);
    copy(&plan->request, from, to, count);
    return cls_pieces_sort(plan, queue, count, to.keys, to.values);
}

clsort_status cls_host_sort_to(clsort_engine *engine, const struct cls_request *request,
                               size_t count, struct cls_host_elements from,
                               struct cls_host_elements to, uint64_t *ns)
{
    struct clsort_plan *plan = NULL;
    cl_command_queue queue;
    const bool on_host = cls_host_is_small(request, count, CLS_MAX_HOST_COUNT);
    clsort_status status = on_host ? CLSORT_OK : cls_pieces_plan(engine, request, count, &plan);
    const uint64_t start = cls_monotonic_ns();
    *ns = 0;
    if (on_host || cls_falls_back_to_host(request, status)) {
        copy(request, from, to, count);
        status = cls_sort_on_host(request, count, to.keys, to.values);
        *ns = on_host || status != CLSORT_OK ? 0 : cls_monotonic_ns() - start;
        return status;
    }
    if (status != CLSORT_OK)
        return status;
    status = cls_host_queue_open(engine->device, NULL, &queue);
    if (status == CL_SUCCESS) {
        status = run(plan, queue, count, from, to);
        *ns = status == CL_SUCCESS ? cls_monotonic_ns() - start : 0;
        cls_host_queue_close(NULL, queue);
    }
    cls_plan_destroy(plan);
    return status;
}

clsort_status cls_host_sort_warm(clsort_engine *engine, const struct cls_request *request,
                                 size_t count)
{
    struct clsort_plan *plan = NULL;
    if (cls_host_is_small(request, count, CLS_MAX_HOST_COUNT))
        return CLSORT_OK;
    const clsort_status status = cls_pieces_plan(engine, request, count, &plan);
    if (status == CLSORT_OK)
        cls_plan_destroy(plan);
    return cls_falls_back_to_host(request, status) ? CLSORT_OK : status;
}

/* Creates the plan of a merge. Returns NULL if the device has no kernels or no buffers for it. */
static struct clsort_plan *create_merge(clsort_engine *engine, const struct cls_request *request,
                                        size_t count)
{
    struct cls_request merge = *request;
    struct clsort_plan *plan = NULL;
    if (count > cls_max_piece(&engine->device->caps, &request->spec) ||
        cls_host_is_small(request, count, CLS_MAX_HOST_COUNT))
        return NULL;
    merge.max_count = merge.min_count = count;
    return cls_plan_create(engine->device, &engine->ladders, &merge, &plan) == CLSORT_OK ? plan
                                                                                         : NULL;
}

clsort_status cls_host_merge_to(clsort_engine *engine, const struct cls_request *request,
                                const struct cls_host_run runs[2], struct cls_host_elements to,
                                bool *is_merged)
{
    struct clsort_plan *plan = create_merge(engine, request, runs[0].count + runs[1].count);
    cl_command_queue queue;
    *is_merged = plan;
    if (!plan)
        return CLSORT_OK;
    clsort_status status = cls_host_queue_open(engine->device, NULL, &queue);
    if (status == CL_SUCCESS) {
        status =
            cls_piece_merge(plan, queue, runs[0].count, runs[0].at, runs[1].count, runs[1].at, to);
        cls_host_queue_close(NULL, queue);
    }
    cls_plan_destroy(plan);
    return status;
}

bool cls_host_merge_warm(clsort_engine *engine, const struct cls_request *request, size_t count)
{
    struct clsort_plan *plan = create_merge(engine, request, count);
    if (plan)
        cls_plan_destroy(plan);
    return plan;
}
