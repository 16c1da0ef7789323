/* plan.c - public entry points of plans, and the names of algorithms */
#include "plan/plan.h"

#include "api/engine.h"
#include "device/process.h"

clsort_status clsort_plan_create(clsort_engine *engine, const clsort_desc *desc, clsort_plan **plan)
{
    struct cls_request request;
    if (!plan)
        return CLSORT_E_ARGUMENT;
    *plan = NULL;
    if (!engine || !desc)
        return CLSORT_E_ARGUMENT;
    if (!cls_process_may_use_opencl())
        return CL_INVALID_OPERATION;
    const clsort_status status = cls_request_read(desc, &request);
    return status == CLSORT_OK ? cls_plan_create(engine->device, &engine->ladders, &request, plan)
                               : status;
}

void clsort_plan_destroy(clsort_plan *plan)
{
    if (plan && cls_process_may_use_opencl())
        cls_plan_destroy(plan);
}

static clsort_status check_count(const clsort_plan *plan, size_t count)
{
    if (!plan)
        return CLSORT_E_ARGUMENT;
    return count > plan->max_count ? CLSORT_E_COUNT : CLSORT_OK;
}

clsort_status clsort_scratch_size(const clsort_plan *plan, size_t count, size_t *bytes)
{
    if (!bytes)
        return CLSORT_E_ARGUMENT;
    const clsort_status status = check_count(plan, count);
    *bytes = status == CLSORT_OK ? (size_t)cls_plan_scratch_bytes(plan, count) : 0;
    return status;
}

clsort_status clsort_cost_bytes(const clsort_plan *plan, size_t count, uint64_t *bytes)
{
    if (!bytes)
        return CLSORT_E_ARGUMENT;
    const clsort_status status = check_count(plan, count);
    *bytes = status == CLSORT_OK ? cls_plan_cost_bytes(plan, count) : 0;
    return status;
}

clsort_status clsort_plan_describe(const clsort_plan *plan, size_t count, size_t size, char *text,
                                   size_t *size_ret)
{
    char line[1024];
    struct cls_text description = CLS_TEXT(line);
    if (size_ret)
        *size_ret = 0;
    if (!plan || (size > 0 && !text))
        return CLSORT_E_ARGUMENT;
    if (count > plan->max_count)
        return CLSORT_E_COUNT;
    cls_plan_describe(plan, count, &description);
    cls_text_return(line, size, text, size_ret);
    return CLSORT_OK;
}

const char *clsort_algorithm_name(size_t index)
{
    const struct cls_algo *algo = cls_algo_at(index);
    return algo ? algo->name : NULL;
}
