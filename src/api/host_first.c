/* host_first.c - whether the host sorts sooner than the programs of a device are compiled */
#include "api/host_first.h"

#include "api/host_segments.h"
#include "api/host_select.h"
#include "api/pieces.h"
#include "base/arithmetic.h"
#include "device/host_time.h"
#include "device/process.h"
#include "plan/columns_test.h"
#include "plan/operation.h"
#include "plan/segmented.h"
#include "plan/selection.h"
#include "plan/self_test.h"

enum {
    /* Rough figures suffice, since a wrong one costs at most a small multiple of the optimum. PoCL 3.1
     * compiles and tests the programs of a sort in 1 to 2 seconds on an idle core; drivers of GPUs
     * take as long. One core sorts 60 million u32 keys per second. */
    SETUP_MS = 1500,
    HOST_NS_PER_BYTE = 4,
    HOST_NS_PER_KEY = 1 /* of a selection, besides the sort of the selected elements */
};

/* Returns the estimated time of the host, without overflow. */
static uint64_t host_ns(const struct cls_request *request, size_t count)
{
    const bool selects = cls_operation_of(&request->spec)->selects;
    const uint64_t value = selects ? request->index_bytes : request->spec.value_bytes,
                   element = request->spec.key_bytes + value,
                   max = UINT64_MAX / 4 / HOST_NS_PER_BYTE / element;
    if (!selects)
        return cls_min(count, max) * element * HOST_NS_PER_BYTE;
    const uint64_t k = request->spec.operation == CLSORT_NTH ? 1
                       : request->max_k > 0                  ? request->max_k
                                                             : count;
    return cls_min(count, UINT64_MAX / 4) * HOST_NS_PER_KEY +
           cls_min(cls_min(k, count), max) * element * HOST_NS_PER_BYTE;
}

/* Sets *test to the self-test of the programs that would sort. Returns whether it has not run on this
 * device, as far as the verdicts show; false also if no algorithm is left. */
static bool find_untested(clsort_engine *engine, const struct cls_request *request,
                          struct cls_self_test *test)
{
    struct cls_device *device = engine->device;
    struct cls_choice choice;
    unsigned failed = 0;
    while (
        cls_choose(&device->caps, &engine->ladders, request, request->max_count, failed, &choice)) {
        char line[256] = "";
        struct cls_text finding = CLS_TEXT(line);
        *test = cls_self_test_for(&device->caps, request, &choice);
        const enum cls_self_test_state state = cls_self_test_lookup(device, test, &finding);
        if (state != CLS_FAILED)
            return state == CLS_UNTESTED;
        failed |= cls_algo_bit(choice.algo);
    }
    return false;
}

bool cls_host_first(clsort_engine *engine, const struct cls_request *request, size_t count)
{
    const uint64_t setup_ns = (uint64_t)SETUP_MS * 1000000, ns = host_ns(request, count);
    const bool selects = cls_operation_of(&request->spec)->selects;
    char subject[CLS_TESTED_SUBJECT];
    struct cls_self_test test;
    if (!cls_host_can_sort(request))
        return false;
    if (count <= (selects ? (size_t)CLS_MAX_HOST_SELECTION : (size_t)CLS_MAX_HOST_COUNT))
        return true;
    if (ns > setup_ns)
        return false;
    if (request->spec.segments != CLSORT_WHOLE)
        return cls_host_segments_fit(engine, request, count) &&
               cls_segmented_is_untested(engine->device, request, count, subject) &&
               cls_host_time_add(engine->device, subject, ns, setup_ns);
    if (selects)
        return cls_selection_is_untested(engine->device, request, count, subject) &&
               cls_host_time_add(engine->device, subject, ns, setup_ns);
    const struct cls_request piece = cls_pieces_request(&engine->device->caps, request, count);
    if (request->columns.count > 0) {
        struct cls_columns_sort columns = {0};
        return cls_tested_is_untested(&cls_columns_tested, engine->device, &piece, &columns,
                                      subject) &&
               cls_host_time_add(engine->device, subject, ns, setup_ns);
    }
    return find_untested(engine, &piece, &test) &&
           cls_host_time_add(engine->device, test.subject, ns, setup_ns);
}

static clsort_status host_first(clsort_engine *engine, const clsort_desc *desc, size_t count,
                                int *is_first)
{
    struct cls_request request;
    if (!is_first)
        return cls_fail(CLSORT_E_ARGUMENT, "is_first is NULL");
    *is_first = 0;
    if (!engine || !desc)
        return cls_fail(CLSORT_E_ARGUMENT, "%s is NULL", engine ? "desc" : "engine");
    clsort_status status = cls_check_process();
    if (status == CLSORT_OK)
        status = cls_request_read(desc, &request);
    if (status == CLSORT_OK)
        status = cls_check_host_operation(&request, count);
    if (status == CLSORT_OK)
        *is_first = cls_host_first(engine, &request, count);
    return status;
}

clsort_status clsort_host_first(clsort_engine *engine, const clsort_desc *desc, size_t count,
                                int *is_first)
{
    cls_engine_begin(engine);
    return cls_error_end(host_first(engine, desc, count, is_first));
}
