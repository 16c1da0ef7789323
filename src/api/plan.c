/* plan.c - public entry points of plans, and the names of algorithms */
#include "plan/plan.h"

#include "api/engine.h"
#include "api/query.h"
#include "device/process.h"

static clsort_status create(clsort_engine *engine, const clsort_desc *desc, clsort_plan **plan)
{
    struct cls_request request;
    if (!plan)
        return cls_fail(CLSORT_E_ARGUMENT, "plan is NULL");
    *plan = NULL;
    if (!engine || !desc)
        return cls_fail(CLSORT_E_ARGUMENT, "%s is NULL", engine ? "desc" : "engine");
    clsort_status status = cls_check_process();
    if (status == CLSORT_OK)
        status = cls_request_read(desc, &request);
    return status == CLSORT_OK ? cls_plan_create(engine->device, &engine->ladders, &request, plan)
                               : status;
}

clsort_status clsort_plan_create(clsort_engine *engine, const clsort_desc *desc, clsort_plan **plan)
{
    cls_engine_begin(engine);
    return cls_error_end(create(engine, desc, plan));
}

void clsort_plan_destroy(clsort_plan *plan)
{
    if (plan && cls_process_may_use_opencl())
        cls_plan_destroy(plan);
}

static void begin(const clsort_plan *plan)
{
    cls_error_begin(plan ? plan->device->number : 0);
}

static clsort_status check_count(const clsort_plan *plan, size_t count)
{
    return count > plan->max_count
               ? cls_fail(CLSORT_E_COUNT,
                          "count is %zu: at most the plan's max_count, which is %llu", count,
                          (unsigned long long)plan->max_count)
               : CLSORT_OK;
}

/* Checks the arguments of a query about a sort of count elements; `bytes` is its result. */
static clsort_status check_bytes(const clsort_plan *plan, size_t count, const void *bytes)
{
    if (!plan || !bytes)
        return cls_fail(CLSORT_E_ARGUMENT, "%s is NULL", plan ? "bytes" : "plan");
    return check_count(plan, count);
}

clsort_status clsort_scratch_size(const clsort_plan *plan, size_t count, size_t *bytes)
{
    begin(plan);
    const clsort_status status = check_bytes(plan, count, bytes);
    if (bytes)
        *bytes = status == CLSORT_OK ? (size_t)cls_plan_scratch_bytes(plan, count) : 0;
    return cls_error_end(status);
}

clsort_status clsort_cost_bytes(const clsort_plan *plan, size_t count, uint64_t *bytes)
{
    begin(plan);
    const clsort_status status = check_bytes(plan, count, bytes);
    if (bytes)
        *bytes = status == CLSORT_OK ? cls_plan_cost_bytes(plan, count) : 0;
    return cls_error_end(status);
}

clsort_status clsort_plan_describe(const clsort_plan *plan, size_t count, size_t size, char *text,
                                   size_t *size_ret)
{
    char line[1024];
    struct cls_text description = CLS_TEXT(line);
    begin(plan);
    clsort_status status = cls_check_query(plan, "plan", size, text, size_ret);
    if (status == CLSORT_OK)
        status = check_count(plan, count);
    if (status == CLSORT_OK) {
        cls_plan_describe(plan, count, &description);
        cls_text_return(line, size, text, size_ret);
    }
    return cls_error_end(status);
}

const char *clsort_algorithm_name(size_t index)
{
    const struct cls_algo *algo = cls_algo_at(index);
    return algo ? algo->name : NULL;
}
