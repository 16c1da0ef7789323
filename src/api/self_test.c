/* self_test.c - clsort_self_test: tests every primitive, every algorithm with each of its operations,
 * the gathers, the selection, the sort of segments and the selection from them, and the sort by columns */
#include "algo/primitives/primitives.h"
#include "api/engine.h"
#include "api/query.h"
#include "device/process.h"
#include "plan/operation.h"
#include "plan/plan.h"

#include <string.h>

/* Appends why a test failed, in one line: the finding that follows "ALGORITHM fails ...: ", or the
 * first lines of the build log. */
static void add_reason(clsort_status status, struct cls_text *text)
{
    enum { MAX_LENGTH = 160 };
    const char *reason = cls_error_text(status);
    const char *finding = status == CLSORT_E_SELF_TEST ? strstr(reason, ": ") : NULL;
    reason = finding ? finding + 2 : reason;
    for (size_t i = 0; reason[i] && i < MAX_LENGTH; i++)
        cls_text_add(text, "%c", reason[i] == '\n' ? ' ' : reason[i]);
}

/* Appends the line of a subject. */
static void report(const char *subject, clsort_status status, struct cls_text *text)
{
    if (status == CLSORT_OK)
        cls_text_add(text, "%s: passed\n", subject);
    else if (status == CLSORT_E_UNSUPPORTED)
        cls_text_add(text, "%s: not supported on this device\n", subject);
    else {
        cls_text_add(text, "%s: failed, ", subject);
        add_reason(status, text);
        cls_text_add(text, "\n");
    }
}

/* Fails if a variant of the algorithm failed and was replaced by another. */
static clsort_status check_variants(const clsort_plan *plan)
{
    for (size_t i = 0; i < plan->stages; i++)
        if (*plan->stage[i].excluded)
            return cls_fail(CLSORT_E_SELF_TEST, "%s", plan->stage[i].excluded);
    return CLSORT_OK;
}

/* Returns whether a variant of the algorithm supports the operation. */
static bool supports_operation(const struct cls_algo *algo, uint32_t operation)
{
    bool supports = false;
    for (size_t i = 0; cls_algos[i]; i++)
        supports |=
            cls_algo_is(cls_algos[i], algo) && cls_algos[i]->operations & CLS_OPERATION(operation);
    return supports;
}

/* Tests a sort by creating a plan for it. If algo is not NULL, the plan names it, and its max_count
 * is high enough for every kernel to run; otherwise it is low, since wide values take long. *tested
 * is the variant that the preceding call tested. If this sort chooses the same one, nothing is
 * tested, unless that has code for few different keys of this size. Otherwise *tested is set to it. */
static clsort_status test_sort(clsort_engine *engine, const struct cls_algo *algo,
                               uint32_t operation, clsort_key key, size_t value_size,
                               const struct cls_algo **tested)
{
    enum { LOW_COUNT = 1000 };
    clsort_desc desc = CLSORT_DESC_INIT;
    clsort_plan *plan = NULL;
    struct cls_request request;
    struct cls_choice choice;
    desc.key = key;
    desc.value_size = value_size;
    desc.algorithm = algo ? algo->name : NULL;
    desc.operation = operation;
    clsort_status status = cls_request_read(&desc, &request);
    if (status != CLSORT_OK)
        return status;
    if (!cls_choose(&engine->device->caps, &engine->ladders, &request, 1, 0, &choice))
        return CLSORT_E_UNSUPPORTED;
    if (choice.algo == *tested && choice.algo->few_keys_bytes != choice.spec.key_bytes)
        return CLSORT_OK;
    *tested = choice.algo;
    const bool sorts_low_count = !algo && operation == CLSORT_SORT;
    request.is_test = true;
    request.max_count = sorts_low_count ? LOW_COUNT : choice.algo->self_test_count(&choice.tuning);
    do /* the maximum count is lower if the compiled kernels need smaller work-groups */
        status = cls_plan_create(engine->device, &engine->ladders, &request, &plan);
    while (status == CLSORT_E_UNSUPPORTED && (request.max_count /= 2) > 0);
    if (status == CLSORT_OK && algo)
        status = check_variants(plan);
    if (plan)
        cls_plan_destroy(plan);
    return status;
}

/* Tests one operation: with pairs, which run most kernels, and with the keys for which some
 * algorithms have variants or code of their own. An argsort has indexes instead of values. */
static clsort_status test_operation(clsort_engine *engine, const struct cls_algo *algo,
                                    uint32_t operation)
{
    static const struct {
        clsort_key key;
        size_t value_size;
    } sorts[] = {{CLSORT_U32, 4}, {CLSORT_U32, 0}, {CLSORT_U16, 0}, {CLSORT_U64, 0}};
    const struct cls_algo *tested = NULL;
    clsort_status result = CLSORT_E_UNSUPPORTED;
    for (size_t i = 0; i < sizeof sorts / sizeof *sorts; i++) {
        const size_t value_size = operation == CLSORT_ARGSORT ? 0 : sorts[i].value_size;
        const clsort_status status =
            test_sort(engine, algo, operation, sorts[i].key, value_size, &tested);
        if (status == CLSORT_OK)
            result = status;
        else if (status != CLSORT_E_UNSUPPORTED)
            return status;
    }
    return result;
}

/* Returns CLSORT_E_UNSUPPORTED if the device supports no operation of the algorithm. */
static clsort_status test_algorithm(clsort_engine *engine, const struct cls_algo *algo)
{
    clsort_status result = CLSORT_E_UNSUPPORTED;
    for (uint32_t operation = 0; cls_operation_at(operation); operation++) {
        if (!supports_operation(algo, operation))
            continue;
        const clsort_status status = test_operation(engine, algo, operation);
        if (status == CLSORT_OK)
            result = status;
        else if (status != CLSORT_E_UNSUPPORTED)
            return status;
    }
    return result;
}

/* Tests the gathers of wide values and of CLSORT_GATHER. */
static clsort_status test_gathers(clsort_engine *engine)
{
    enum { WIDE_VALUE = 100 };
    const struct cls_algo *tested = NULL;
    const clsort_status status =
        test_sort(engine, NULL, CLSORT_SORT, CLSORT_U32, WIDE_VALUE, &tested);
    return status == CLSORT_OK || status == CLSORT_E_UNSUPPORTED
               ? test_sort(engine, NULL, CLSORT_GATHER, CLSORT_U32, WIDE_VALUE, &tested)
               : status;
}

/* Tests the kernels of CLSORT_SELECT, of the whole array or of segments, without a sort of the selected
 * elements. */
static clsort_status test_selection(clsort_engine *engine, clsort_segments segments)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    clsort_plan *plan = NULL;
    struct cls_request request;
    desc.operation = CLSORT_SELECT;
    desc.flags = CLSORT_INPUT_ORDER;
    desc.index_size = 4;
    desc.segments = segments;
    clsort_status status = cls_request_read(&desc, &request);
    request.is_test = true;
    if (status == CLSORT_OK)
        status = cls_plan_create(engine->device, &engine->ladders, &request, &plan);
    if (plan)
        cls_plan_destroy(plan);
    return status;
}

/* Tests the sort of segments of keys alone, for which CPUs have a variant, and of pairs, with or without a
 * count in device memory. */
static clsort_status test_segments_with(clsort_engine *engine, bool counted)
{
    clsort_status status = CLSORT_OK;
    for (size_t value_size = 0; value_size <= 4 && status == CLSORT_OK; value_size += 4) {
        clsort_desc desc = CLSORT_DESC_INIT;
        clsort_plan *plan = NULL;
        struct cls_request request;
        desc.segments = CLSORT_OFFSETS;
        desc.index_size = 4;
        desc.value_size = value_size;
        desc.count_size = counted ? 4 : 0;
        status = cls_request_read(&desc, &request);
        request.is_test = true;
        if (status == CLSORT_OK)
            status = cls_plan_create(engine->device, &engine->ladders, &request, &plan);
        if (plan)
            cls_plan_destroy(plan);
    }
    return status;
}

static clsort_status test_segments(clsort_engine *engine)
{
    const clsort_status status = test_segments_with(engine, false);
    return status == CLSORT_OK ? test_segments_with(engine, true) : status;
}

/* Tests an operation on records, and on columns that have a buffer each, in segments or not. count_size: as in
 * clsort_desc */
static clsort_status test_columns(clsort_engine *engine, uint32_t operation,
                                  clsort_segments segments, uint32_t count_size)
{
    static const clsort_column column = {CLSORT_U32, 0, 0, 0};
    const struct cls_operation_info *info = cls_operation_at(operation);
    clsort_status status = CLSORT_OK;
    for (size_t record_size = 0; record_size <= 4 && status == CLSORT_OK; record_size += 4) {
        clsort_desc desc = CLSORT_DESC_INIT;
        clsort_plan *plan = NULL;
        struct cls_request request;
        desc.operation = operation;
        desc.index_size = info->has_indexes || (info->indexes_columns && record_size == 0) ? 4 : 0;
        desc.segments = segments;
        desc.count_size = count_size;
        desc.columns = &column;
        desc.column_count = 1;
        desc.record_size = record_size;
        status = cls_request_read(&desc, &request);
        request.is_test = true;
        if (status == CLSORT_OK)
            status = cls_plan_create(engine->device, &engine->ladders, &request, &plan);
        if (plan)
            cls_plan_destroy(plan);
    }
    return status;
}

/* Tests an operation that compares neighbours, which has an algorithm of its own, on keys and on columns. */
static clsort_status test_neighbours(clsort_engine *engine, uint32_t operation, size_t value_size)
{
    const struct cls_algo *tested = NULL;
    const clsort_status status =
        test_sort(engine, NULL, operation, CLSORT_U32, value_size, &tested);
    return status == CLSORT_OK ? test_columns(engine, operation, CLSORT_WHOLE, 0) : status;
}

/* Tests the sorts and the merge by columns. */
static clsort_status test_column_sorts(clsort_engine *engine)
{
    clsort_status status = test_columns(engine, CLSORT_ARGSORT, CLSORT_WHOLE, 0);
    if (status == CLSORT_OK)
        status = test_columns(engine, CLSORT_ARGSORT, CLSORT_WHOLE, 4);
    if (status == CLSORT_OK)
        status = test_columns(engine, CLSORT_ARGSORT, CLSORT_OFFSETS, 0);
    return status == CLSORT_OK ? test_columns(engine, CLSORT_MERGE_SORTED, CLSORT_WHOLE, 0)
                               : status;
}

/* A primitive, an algorithm, the gathers, the selection, the sort of segments, the selection from
 * segments, an operation on neighbours, or the sort by columns. */
struct subject {
    const char *name;
    enum {
        PRIMITIVE,
        ALGORITHM,
        GATHER,
        SELECTION,
        SEGMENTS,
        SEGMENT_SELECTION,
        UNIQUE,
        CHECK,
        COLUMNS
    } kind;
    enum cls_primitive primitive;
    const struct cls_algo *algo;
};

/* Sets *subject to the i-th subject. Returns false if there are not that many. */
static bool subject_at(size_t i, struct subject *subject)
{
    if (i < CLS_PRIMITIVE_COUNT) {
        const enum cls_primitive primitive = (enum cls_primitive)i;
        *subject = (struct subject){
            .name = cls_primitive_name(primitive), .kind = PRIMITIVE, .primitive = primitive};
        return true;
    }
    i -= CLS_PRIMITIVE_COUNT;
    const struct cls_algo *algo = cls_algo_at(i);
    size_t algos = i;
    while (algos > 0 && !cls_algo_at(algos - 1))
        algos--;
    static const struct subject others[] = {
        {.name = "gather", .kind = GATHER},
        {.name = "select", .kind = SELECTION},
        {.name = "segments", .kind = SEGMENTS},
        {.name = "select_segments", .kind = SEGMENT_SELECTION},
        {.name = "unique", .kind = UNIQUE},
        {.name = "check", .kind = CHECK},
        {.name = "columns", .kind = COLUMNS},
    };
    const size_t other = i - algos;
    if (algo)
        *subject = (struct subject){.name = algo->name, .kind = ALGORITHM, .algo = algo};
    else if (other < sizeof others / sizeof *others)
        *subject = others[other];
    else
        return false;
    return true;
}

static clsort_status test_subject(clsort_engine *engine, const struct subject *subject)
{
    return subject->kind == PRIMITIVE   ? cls_primitive_test(engine->device, subject->primitive)
           : subject->kind == ALGORITHM ? test_algorithm(engine, subject->algo)
           : subject->kind == GATHER    ? test_gathers(engine)
           : subject->kind == UNIQUE    ? test_neighbours(engine, CLSORT_UNIQUE, sizeof(uint32_t))
           : subject->kind == CHECK     ? test_neighbours(engine, CLSORT_CHECK, 0)
           : subject->kind == SELECTION ? test_selection(engine, CLSORT_WHOLE)
           : subject->kind == SEGMENTS  ? test_segments(engine)
           : subject->kind == COLUMNS   ? test_column_sorts(engine)
                                        : test_selection(engine, CLSORT_ROWS);
}

/* Tests all subjects and appends their lines. Sets the error to the line of the first failure. */
static clsort_status test_all(clsort_engine *engine, struct cls_text *lines)
{
    char first[256] = "";
    struct subject subject;
    for (size_t i = 0; subject_at(i, &subject); i++) {
        cls_engine_begin(engine); /* the error is that of this subject */
        const size_t start = lines->length;
        const clsort_status status = test_subject(engine, &subject);
        if (cls_is_shortage(status))
            return status;
        report(subject.name, status, lines);
        if (status != CLSORT_OK && status != CLSORT_E_UNSUPPORTED && !*first && start < lines->size)
            cls_text_return(lines->at + start, sizeof first, first, NULL);
    }
    first[strcspn(first, "\n")] = '\0';
    return *first ? cls_fail(CLSORT_E_SELF_TEST, "%s", first) : CLSORT_OK;
}

clsort_status clsort_self_test(clsort_engine *engine, size_t size, char *text, size_t *size_ret)
{
    char line[4096] = "";
    struct cls_text lines = CLS_TEXT(line);
    cls_engine_begin(engine);
    clsort_status status = cls_check_query(engine, "engine", size, text, size_ret);
    if (status == CLSORT_OK)
        status = cls_check_process();
    if (status == CLSORT_OK) {
        status = test_all(engine, &lines);
        if (status == CLSORT_OK || status == CLSORT_E_SELF_TEST)
            cls_text_return(line, size, text, size_ret);
    }
    return cls_error_end(status);
}
