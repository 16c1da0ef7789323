/* plan.c - a compiled plan: stages that each sort a range of counts */
#include "plan/plan.h"

#include "base/arithmetic.h"
#include "base/error.h"
#include "plan/columns.h"
#include "plan/operation.h"
#include "plan/segmented.h"
#include "plan/self_test.h"
#include "plan/unstaged.h"

#include <stdlib.h>
#include <string.h>

/* More memory than any device has; sums of sizes up to this one do not overflow. */
#define MAX_BYTES (UINT64_MAX >> 8)

static const struct cls_stage *stage_for(const struct clsort_plan *plan, uint64_t count)
{
    const struct cls_stage *stage = plan->stage;
    while (stage->choice.max_count < count)
        stage++;
    return stage;
}

struct cls_sized_stage cls_plan_sized_stage(const struct clsort_plan *plan, uint64_t count)
{
    const struct cls_stage *stage = stage_for(plan, count);
    const struct cls_layout layout = cls_stage_layout(stage, count);
    /* A stage may need less scratch than the preceding one, but the size must be monotonic. */
    const uint64_t min_bytes = stage > plan->stage ? (stage - 1)->max_scratch_bytes : 0;
    return (struct cls_sized_stage){stage, layout, cls_max(layout.total, min_bytes)};
}

uint64_t cls_plan_scratch_bytes(const struct clsort_plan *plan, uint64_t count)
{
    if (plan->unstaged)
        return plan->unstaged->scratch_bytes(plan, count);
    return count > 0 ? cls_plan_sized_stage(plan, count).scratch_bytes : 0;
}

uint64_t cls_plan_max_segments(const struct clsort_plan *plan, uint64_t count)
{
    return plan->unstaged && plan->unstaged->max_segments
               ? plan->unstaged->max_segments(plan, count)
               : UINT64_MAX;
}

uint64_t cls_plan_segments_scratch_bytes(const struct clsort_plan *plan, uint64_t count,
                                         uint64_t number)
{
    if (plan->request.spec.segments == CLSORT_WHOLE)
        return cls_plan_scratch_bytes(plan, count);
    return plan->columns ? cls_columns_sort_scratch_for(plan->columns, count, number)
                         : cls_segmented_scratch_for(plan->segmented, count, number);
}

void cls_plan_append_stage(struct clsort_plan *plan)
{
    struct cls_stage *stage = &plan->stage[plan->stages++];
    plan->max_count = stage->choice.max_count;
    stage->max_scratch_bytes = cls_plan_sized_stage(plan, plan->max_count).scratch_bytes;
}

uint64_t cls_plan_cost_bytes(const struct clsort_plan *plan, uint64_t count)
{
    if (plan->unstaged)
        return plan->unstaged->cost_bytes(plan, count);
    const uint64_t bytes = cls_stage_bytes_per_element(stage_for(plan, count), count);
    return count <= UINT64_MAX / bytes ? count * bytes : UINT64_MAX;
}

/* Returns the size of the device's memory, which is at least that of its largest buffer. */
static uint64_t device_bytes(const struct cls_caps *caps)
{
    return cls_min(cls_max(caps->global_bytes, caps->max_alloc), MAX_BYTES);
}

uint64_t cls_max_device_count(const struct cls_caps *caps, const struct cls_spec *spec)
{
    return device_bytes(caps) / cls_max(spec->key_bytes, spec->value_bytes) + 1;
}

static uint64_t max_device_count(const struct clsort_plan *plan)
{
    return cls_max_device_count(&plan->device->caps, &plan->request.spec);
}

/* Returns whether the device can hold more elements, with scratch, than the stages can sort. */
static bool device_holds_more(const struct clsort_plan *plan)
{
    const size_t element = plan->request.spec.key_bytes + plan->request.spec.value_bytes;
    return plan->stages == 0 ||
           (plan->max_count < max_device_count(plan) &&
            plan->max_count * element + plan->stage[plan->stages - 1].max_scratch_bytes <
                device_bytes(&plan->device->caps));
}

/* The variants that have failed for a stage. */
struct failures {
    unsigned algos; /* cls_algo_bit */
    /* The status and text of the first failed self-test; if none has failed, those of the first failure. */
    clsort_status status;
    char text[CLS_ERROR_BYTES]; /* "": no variant has failed */
};

/* Excludes the chosen variant from the stage. `finding` describes a failed self-test, or is "". */
static void exclude(struct cls_stage *stage, clsort_status status, const char *finding,
                    struct failures *failures)
{
    struct cls_text text = {stage->excluded, sizeof stage->excluded, strlen(stage->excluded)};
    const struct cls_algo *algo = stage->choice.algo;
    cls_text_add(&text, "%s%s: %s", text.length > 0 ? ", " : "", algo->name,
                 *finding ? finding : clsort_status_string(status));
    failures->algos |= cls_algo_bit(algo);
    if (failures->text[0] && (status != CLSORT_E_SELF_TEST || failures->status == status))
        return;
    struct cls_text error = CLS_TEXT(failures->text);
    failures->status = status;
    if (status == CLSORT_E_SELF_TEST)
        cls_text_add(&error, "%s fails its self-test on this device with this driver: %s",
                     algo->name, finding);
    else
        cls_text_add(&error, "%s", cls_error_text(status));
}

/* Fails because cls_choose found no variant for count elements that has not failed. */
static clsort_status refuse(const struct clsort_plan *plan, const struct cls_caps *caps,
                            const struct cls_ladders *ladders, uint64_t count,
                            const struct failures *failures)
{
    char line[CLS_ERROR_BYTES];
    struct cls_text text = CLS_TEXT(line);
    if (failures->text[0])
        return cls_fail(failures->status, "%s", failures->text);
    const unsigned max_key = cls_max_key_bytes(caps, ladders, &plan->request, count);
    if (max_key > 0)
        return cls_fail(CLSORT_E_UNSUPPORTED,
                        "clsort_desc.key_size is %u: the maximum for this sort is %u",
                        plan->request.spec.key_bytes, max_key);
    cls_choose_explain(caps, &plan->request, count, &text);
    return cls_fail(CLSORT_E_UNSUPPORTED, "%s", line);
}

/* Compiles and tests the programs of the stage's choice, which was chosen for caps. Appends the
 * finding if the self-test fails. */
static clsort_status prepare_stage(const struct clsort_plan *plan, const struct cls_caps *caps,
                                   struct cls_stage *stage, struct cls_text *finding)
{
    const struct cls_self_test test =
        cls_self_test_for(&plan->device->caps, &plan->request, &stage->choice);
    const enum cls_self_test_state verdict = cls_self_test_lookup(plan->device, &test, finding);
    if (verdict == CLS_FAILED)
        return CLSORT_E_SELF_TEST;
    if (verdict == CLS_PASSED && plan->request.is_test)
        return CLSORT_OK;
    clsort_status status = cls_stage_prepare(plan->device, caps, stage);
    if (status != CLSORT_OK || verdict == CLS_PASSED)
        return status;
    status = cls_self_test_run(plan->device, &test, stage, finding);
    if (status != CLSORT_OK)
        cls_stage_release(stage);
    return status;
}

/* Returns whether a compiled kernel requires smaller work-groups than the device allows. */
static bool requires_smaller_groups(const struct cls_stage *stage, clsort_status status)
{
    return (status == CLSORT_E_UNSUPPORTED || status == CL_INVALID_WORK_GROUP_SIZE) &&
           stage->choice.tuning.group_size > 1;
}

/* Adds a stage for count elements: the first choice that passes its self-test. */
static clsort_status add_stage(struct clsort_plan *plan, const struct cls_ladders *ladders,
                               uint64_t count)
{
    struct cls_caps caps = plan->device->caps;
    struct cls_stage *stage = &plan->stage[plan->stages];
    struct failures failures = {0};
    while (cls_choose(&caps, ladders, &plan->request, count, failures.algos, &stage->choice)) {
        char line[128] = "";
        struct cls_text finding = CLS_TEXT(line);
        const clsort_status status = prepare_stage(plan, &caps, stage, &finding);
        if (status == CLSORT_OK)
            cls_plan_append_stage(plan);
        if (status == CLSORT_OK || cls_is_shortage(status))
            return status;
        if (requires_smaller_groups(stage, status)) {
            caps.group_size = stage->choice.tuning.group_size / 2;
        } else {
            exclude(stage, status, line, &failures);
            caps.group_size = plan->device->caps.group_size;
        }
    }
    return refuse(plan, &caps, ladders, count, &failures);
}

/* Adds stages up to the requested max_count or, without one, for as many elements as the device can
 * hold. */
static clsort_status add_stages(struct clsort_plan *plan, const struct cls_ladders *ladders)
{
    const uint64_t wanted = plan->request.max_count;
    if (plan->request.min_count > 0)
        plan->max_count = plan->request.min_count - 1; /* smaller counts get no stage */
    while (wanted > 0 ? plan->max_count < wanted : device_holds_more(plan)) {
        const clsort_status status =
            plan->stages < CLS_MAX_STAGES
                ? add_stage(plan, ladders, plan->max_count + 1)
                : cls_fail(CLSORT_E_UNSUPPORTED, "the sort needs more than %d stages",
                           CLS_MAX_STAGES);
        /* If no max_count is requested, the plan sorts the counts for which a stage works. */
        if (status != CLSORT_OK && !cls_is_shortage(status) && plan->stages > 0 && wanted == 0)
            return CLSORT_OK;
        if (status != CLSORT_OK)
            return status;
    }
    plan->max_count = cls_min(plan->max_count, wanted > 0 ? wanted : max_device_count(plan));
    return CLSORT_OK;
}

static void release_stages(struct clsort_plan *plan)
{
    for (size_t i = 0; i < plan->stages; i++)
        cls_stage_release(&plan->stage[i]);
    plan->stages = 0;
}

/* Returns whether the array may be sorted as one segment, whose end the device reads, because no
 * algorithm reads the count from device memory. */
static bool may_be_one_segment(const struct cls_request *request)
{
    return request->spec.count_bytes > 0 && !request->algorithm.algo &&
           cls_operation_of(&request->spec)->has_segments;
}

/* The caller may free the strings of a custom order once all programs are compiled. */
static void forget_custom(struct clsort_plan *plan)
{
    plan->request.spec.custom = (struct cls_custom){NULL, NULL, NULL, 0};
    for (size_t i = 0; i < plan->stages; i++)
        plan->stage[i].choice.spec.custom = plan->request.spec.custom;
}

clsort_status cls_plan_create(struct cls_device *device, const struct cls_ladders *ladders,
                              const struct cls_request *request, struct clsort_plan **created)
{
    struct clsort_plan *plan = calloc(1, sizeof *plan);
    if (!plan)
        return CLSORT_E_MEMORY;
    cls_device_retain(device);
    plan->device = device;
    plan->request = *request;
    plan->max_k = plan->max_output = UINT64_MAX;
    plan->unstaged = cls_unstaged_for(request);
    clsort_status status =
        plan->unstaged ? plan->unstaged->create(plan, ladders) : add_stages(plan, ladders);
    if (status != CLSORT_OK && !cls_is_shortage(status) && !plan->unstaged &&
        may_be_one_segment(request)) {
        release_stages(plan);
        plan->unstaged = &cls_unstaged_segmented;
        status = plan->unstaged->create(plan, ladders);
    }
    forget_custom(plan);
    if (status == CLSORT_OK && request->spec.order == CLS_ORDER_COLUMNS)
        status = cls_columns_input_create(device, &request->columns, &plan->columns_input);
    if (status != CLSORT_OK) {
        cls_plan_destroy(plan);
        return status;
    }
    *created = plan;
    return CLSORT_OK;
}

void cls_plan_destroy(struct clsort_plan *plan)
{
    release_stages(plan);
    if (plan->unstaged)
        plan->unstaged->destroy(plan);
    cls_columns_input_release(&plan->columns_input);
    cls_device_release(plan->device);
    free(plan);
}

/* Appends the counts that a stage sorts, unless the plan has one stage only. */
static void describe_range(const struct clsort_plan *plan, const struct cls_stage *stage,
                           struct cls_text *text)
{
    const unsigned long long first =
        stage > plan->stage ? (unsigned long long)(stage - 1)->choice.max_count + 1 : 1;
    if (stage < &plan->stage[plan->stages - 1])
        cls_text_add(text, ", for %llu to %llu elements", first,
                     (unsigned long long)stage->choice.max_count);
    else if (first > 1)
        cls_text_add(text, ", for %llu elements and more", first);
}

void cls_plan_describe(const struct clsort_plan *plan, uint64_t count, struct cls_text *text)
{
    if (plan->unstaged) {
        if (plan->segmented && plan->request.spec.segments != CLSORT_WHOLE)
            cls_text_add(text, "segmented ");
        cls_request_describe(&plan->request, text);
        cls_text_add(text, ", ");
        plan->unstaged->describe(plan, count, text);
        return;
    }
    const struct cls_stage *stage = stage_for(plan, count);
    const struct cls_choice *choice = &stage->choice;
    cls_text_add(text, "%s ", choice->algo->name);
    cls_request_describe(&plan->request, text);
    cls_text_add(text, plan->request.spec.value_is_index ? ", " : " ");
    choice->algo->describe(&choice->tuning, &choice->spec, count, text);
    if (choice->gathers)
        cls_text_add(text, ", values by permutation and gather");
    cls_text_add(text, ", %u-bit indexes: %s", choice->spec.index_bits, choice->reason);
    describe_range(plan, stage, text);
    if (*stage->excluded)
        cls_text_add(text, "; excluded, since it fails on this device: %s", stage->excluded);
    cls_text_add(text, "; self-test passed");
}

cl_int cls_plan_enqueue(const struct clsort_plan *plan, const struct cls_arrays *arrays,
                        clsort_buffer scratch, struct cls_chain *chain)
{
    if (plan->unstaged)
        return plan->unstaged->enqueue(plan, arrays, scratch, chain);
    const struct cls_sized_stage sized = cls_plan_sized_stage(plan, arrays->count);
    return cls_stage_enqueue(plan->device, sized.stage, &sized.layout, arrays, scratch, chain);
}
