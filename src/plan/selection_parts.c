/* selection_parts.c - what the plans of selections from whole arrays and from segments have in common */
#include "plan/selection_parts.h"

#include "algo/common/programs.h"
#include "base/arithmetic.h"
#include "base/error.h"
#include "plan/plan.h"
#include "plan/tested.h"

clsort_status cls_selection_parts_check(const struct cls_request *request)
{
    const bool partitions = request->spec.partitions;
    if (request->no_scratch)
        return cls_fail(CLSORT_E_UNSUPPORTED,
                        "selections need scratch memory, which CLSORT_NO_SCRATCH forbids");
    if (request->spec.order == CLS_ORDER_CUSTOM && (request->input_order || partitions))
        return cls_fail(CLSORT_E_UNSUPPORTED, "selections by custom orders do not support %s",
                        request->input_order ? "CLSORT_INPUT_ORDER" : "CLSORT_PARTITION");
    return CLSORT_OK;
}

struct cls_spec cls_selection_parts_spec(const struct cls_caps *caps,
                                         const struct cls_request *request, uint64_t *wanted)
{
    struct cls_spec spec = request->spec;
    *wanted = cls_tested_wanted(caps, request, true);
    spec.value_is_index = true;
    spec.value_bytes = request->index_bytes;
    spec.index_bits = *wanted <= caps->index32_max ? 32 : 64;
    return spec;
}

clsort_status cls_selection_parts_limit(const struct cls_request *request, uint64_t wanted,
                                        uint64_t max_count, struct cls_selection_parts *parts)
{
    parts->is_nth = request->spec.operation == CLSORT_NTH && !request->spec.partitions;
    parts->max_count = cls_min(wanted, max_count);
    parts->max_k = parts->is_nth        ? 1
                   : request->max_k > 0 ? cls_min(request->max_k, parts->max_count)
                                        : parts->max_count;
    return cls_tested_check_max(request, wanted, parts->max_count, "selected from");
}

clsort_status cls_selection_parts_argsort(struct cls_device *device,
                                          const struct cls_ladders *ladders,
                                          const struct cls_request *request, uint64_t max_segments,
                                          struct cls_selection_parts *parts)
{
    struct cls_request argsort = *request;
    argsort.spec.operation = CLSORT_ARGSORT;
    argsort.spec.value_bytes = request->index_bytes;
    argsort.spec.value_is_index = true;
    argsort.max_segments = max_segments;
    return cls_plan_create(device, ladders, &argsort, &parts->argsort);
}

void cls_selection_parts_release(struct cls_selection_parts *parts)
{
    cls_kernels_release(parts->kernels);
    if (parts->sort)
        cls_plan_destroy(parts->sort);
    if (parts->argsort)
        cls_plan_destroy(parts->argsort);
}
