/* plan.c - a compiled plan: for each range of counts the chosen algorithm with its kernels */
#include "plan/plan.h"

#include "algo/common/limits.h"
#include "plan/operation.h"
#include "plan/self_test.h"

#include <stdlib.h>
#include <string.h>

/* More than any device holds, so that sums of sizes cannot overflow. */
#define MAX_BYTES (UINT64_MAX >> 8)

static const struct cls_stage *stage_for(const struct clsort_plan *plan, uint64_t count)
{
    const struct cls_stage *stage = plan->stage;
    while (stage->choice.max_count < count)
        stage++;
    return stage;
}

struct cls_plan_step cls_plan_step(const struct clsort_plan *plan, uint64_t count)
{
    const struct cls_stage *stage = stage_for(plan, count);
    const struct cls_layout layout = cls_stage_layout(stage, count);
    /* A stage for more elements may need less scratch than an earlier one; the size never decreases with the count. */
    return (struct cls_plan_step){stage, layout, cls_max(layout.total, stage->scratch_of_fewer)};
}

uint64_t cls_plan_scratch_bytes(const struct clsort_plan *plan, uint64_t count)
{
    return count > 0 ? cls_plan_step(plan, count).scratch_bytes : 0;
}

void cls_plan_append_stage(struct clsort_plan *plan)
{
    const struct cls_stage *stage = &plan->stage[plan->stages++];
    plan->max_count = stage->choice.max_count;
    if (plan->stages < CLS_MAX_STAGES)
        plan->stage[plan->stages].scratch_of_fewer = cls_plan_scratch_bytes(plan, plan->max_count);
}

uint64_t cls_plan_cost_bytes(const struct clsort_plan *plan, uint64_t count)
{
    const uint64_t each = cls_stage_bytes_per_element(stage_for(plan, count), count);
    return count <= UINT64_MAX / each ? count * each : UINT64_MAX;
}

static uint64_t device_bytes(const struct cls_caps *caps)
{
    const uint64_t bytes =
        caps->global_bytes > caps->max_alloc ? caps->global_bytes : caps->max_alloc;
    return bytes < MAX_BYTES ? bytes : MAX_BYTES;
}

/* The most elements of which the device can hold keys or values. */
static uint64_t device_holds(const struct clsort_plan *plan)
{
    const struct cls_spec *spec = &plan->request.spec;
    const uint64_t widest =
        spec->value_bytes > spec->key_bytes ? spec->value_bytes : spec->key_bytes;
    return device_bytes(&plan->device->caps) / widest + 1;
}

/* Whether there is room for more elements than the stages so far serve, with the scratch that they need. */
static bool holds_more(const struct clsort_plan *plan)
{
    const size_t element = plan->request.spec.key_bytes + plan->request.spec.value_bytes;
    return plan->stages == 0 ||
           (plan->max_count < device_holds(plan) &&
            plan->max_count * element + cls_plan_scratch_bytes(plan, plan->max_count) <
                device_bytes(&plan->device->caps));
}

/* The algorithms that have failed for a stage. */
struct failures {
    unsigned algos;        /* cls_algo_bit */
    clsort_status problem; /* CLSORT_E_SELF_TEST where one sorts wrong, else that of the last */
};

static void pass_over(const struct clsort_plan *plan, struct cls_stage *stage, clsort_status status,
                      const char *finding, struct failures *failures)
{
    struct cls_text text = {stage->rejected, sizeof stage->rejected, strlen(stage->rejected)};
    const struct cls_algo *algo = stage->choice.algo;
    cls_text_add(&text, "%s%s: %s", text.length > 0 ? ", " : "", algo->name,
                 *finding ? finding : clsort_status_string(status));
    failures->algos |= cls_algo_bit(algo);
    if (failures->problem != CLSORT_E_SELF_TEST)
        failures->problem = status;
    if (status == CLSORT_E_SELF_TEST)
        cls_device_log(plan->device, finding);
}

/* Compiles and tests what the stage's choice names. */
static clsort_status make_stage(const struct clsort_plan *plan, const struct cls_caps *caps,
                                struct cls_stage *stage, struct cls_text *finding)
{
    const enum cls_self_test_state recall =
        cls_self_test_lookup(plan->device, &plan->request, &stage->choice, finding);
    if (recall == CLS_FAILED)
        return CLSORT_E_SELF_TEST;
    clsort_status status =
        cls_stage_prepare(plan->device, caps, plan->request.spec.value_bytes, stage);
    if (status != CLSORT_OK || recall == CLS_PASSED)
        return status;
    status = cls_self_test(plan->device, &plan->request, stage, finding);
    if (status != CLSORT_OK)
        cls_stage_release(stage);
    return status;
}

/* Whether kernels, as compiled, need smaller groups than the device allows. */
static bool wants_smaller_groups(const struct cls_stage *stage, clsort_status status)
{
    return (status == CLSORT_E_UNSUPPORTED || status == CL_INVALID_WORK_GROUP_SIZE) &&
           stage->choice.tuning.group_size > 1;
}

/* Adds what sorts count elements and more: the best algorithm that works on this device. */
static clsort_status add_stage(struct clsort_plan *plan, const struct cls_ladders *ladders,
                               uint64_t count)
{
    struct cls_caps caps = plan->device->caps;
    struct cls_stage *stage = &plan->stage[plan->stages];
    struct failures failures = {0, CLSORT_E_UNSUPPORTED};
    while (cls_choose(&caps, ladders, &plan->request, count, failures.algos, &stage->choice)) {
        char line[128] = "";
        struct cls_text finding = CLS_TEXT(line);
        const clsort_status status = make_stage(plan, &caps, stage, &finding);
        if (status == CLSORT_OK)
            cls_plan_append_stage(plan);
        if (status == CLSORT_OK || cls_is_shortage(status))
            return status;
        if (wants_smaller_groups(stage, status)) {
            caps.group_size = stage->choice.tuning.group_size / 2;
        } else {
            pass_over(plan, stage, status, line, &failures);
            caps.group_size = plan->device->caps.group_size;
        }
    }
    return failures.problem;
}

static clsort_status add_stages(struct clsort_plan *plan, const struct cls_ladders *ladders)
{
    const uint64_t wanted = plan->request.max_count;
    if (plan->request.min_count > 0)
        plan->max_count = plan->request.min_count - 1; /* what is for fewer is not compiled */
    while (wanted > 0 ? plan->max_count < wanted : holds_more(plan)) {
        const clsort_status status = plan->stages < CLS_MAX_STAGES
                                         ? add_stage(plan, ladders, plan->max_count + 1)
                                         : CLSORT_E_UNSUPPORTED;
        /* Without a max_count the plan serves what works. */
        if (status != CLSORT_OK && !cls_is_shortage(status) && plan->stages > 0 && wanted == 0)
            return CLSORT_OK;
        if (status != CLSORT_OK)
            return status;
    }
    const uint64_t most = wanted > 0 ? wanted : device_holds(plan);
    if (plan->max_count > most)
        plan->max_count = most;
    return CLSORT_OK;
}

/* Everything is compiled; the texts are the caller's. */
static void forget_custom(struct clsort_plan *plan)
{
    plan->request.spec.custom = (struct cls_custom){NULL, NULL, NULL};
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
    const clsort_status status = add_stages(plan, ladders);
    forget_custom(plan);
    if (status == CLSORT_E_UNSUPPORTED && plan->stages < CLS_MAX_STAGES &&
        plan->stage[plan->stages].choice.reason)
        cls_device_log(device, plan->stage[plan->stages].choice.reason);
    if (status != CLSORT_OK) {
        cls_plan_destroy(plan);
        return status;
    }
    *created = plan;
    return CLSORT_OK;
}

void cls_plan_destroy(struct clsort_plan *plan)
{
    for (size_t i = 0; i < plan->stages; i++)
        cls_stage_release(&plan->stage[i]);
    cls_device_release(plan->device);
    free(plan);
}

void cls_request_describe(const struct cls_request *request, struct cls_text *text)
{
    const struct cls_spec *spec = &request->spec;
    cls_text_add(text, "%s", cls_operation_of(spec)->description);
    if (spec->order == CLS_ORDER_CUSTOM)
        cls_text_add(text, "keys of %u bytes, custom order", spec->key_bytes);
    else
        cls_text_add(text, "%s %s", spec->key_name, spec->descending ? "desc" : "asc");
    if (spec->order == CLS_ORDER_NUMERIC)
        cls_text_add(text, " numeric");
    if (spec->end_bit - spec->begin_bit < 8 * spec->key_bytes)
        cls_text_add(text, " bits %u..%u", spec->begin_bit, spec->end_bit);
    if (spec->value_bytes > 0)
        cls_text_add(text, " + %zu bytes", spec->value_bytes);
}

/* Which counts a stage serves, where that is not all of them. */
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
    const struct cls_stage *stage = stage_for(plan, count);
    const struct cls_choice *choice = &stage->choice;
    cls_text_add(text, "%s ", choice->algo->name);
    cls_request_describe(&plan->request, text);
    cls_text_add(text, " ");
    choice->algo->describe(&choice->tuning, &choice->spec, count, text);
    if (choice->gathers)
        cls_text_add(text, ", values by permutation and gather");
    cls_text_add(text, ", %u-bit indexes: %s", choice->spec.index_bits, choice->reason);
    describe_range(plan, stage, text);
    if (*stage->rejected)
        cls_text_add(text, "; passed over, since it fails here: %s", stage->rejected);
    cls_text_add(text, "; self-test passed");
}
