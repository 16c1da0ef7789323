/* segment_selections.c - selections from segments: random descriptors, segments and arrays, each compared with a
 * plain reference
 *
 *     segment_selections [FIRST_SEED [SEEDS [CALLS [MAX_POWER]]]]
 *
 * A seed determines a descriptor and the calls of one plan: CALLS of them, with up to 2^MAX_POWER elements. The seed
 * of a failure is printed. All arrays are between canaries, inputs must not change, and neither may places of the
 * outputs behind the last selected element of a segment. */
#include "random_arrays.h"
#include "random_plans.h"

#include "guarded.h"
#include "reference.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PLACES = 1 << 20 };

static struct random_plans plans = {1, 24, 12, 17, 1, NULL};

/* -- the plan ---------------------------------------------------------------------------------- */

static void draw_plan(struct random *random, struct plan *plan)
{
    static const size_t values[] = {0, 0, 0, 1, 2, 4, 8, 12, 16, 24, 100};
    clsort_desc *desc = &plan->desc;
    draw_key(random, random, plan);
    desc->segments = CLSORT_ROWS + (uint32_t)below(random, 3);
    desc->max_count = (size_t)1 << plans.max_power;
    desc->operation = one_in(random, 3) ? CLSORT_NTH : CLSORT_SELECT;
    desc->value_size = values[below(random, LENGTH(values))];
    desc->index_size = 4 * (uint32_t)below(random, 3);
    desc->count_size = one_in(random, 3) ? 4 + 4 * (uint32_t)below(random, 2) : 0;
    if (one_in(random, 2))
        desc->max_segments = (size_t)1 << (plans.max_power + 2);
    plan->index_size = desc->index_size ? desc->index_size : 4;
    if (desc->operation == CLSORT_NTH)
        return;
    if (!plan->custom && one_in(random, 3))
        desc->flags |= CLSORT_INPUT_ORDER;
    desc->max_k = one_in(random, 4)
                      ? desc->max_count
                      : 1 + some_size(random, plans.max_power < 9 ? plans.max_power - 1 : 8);
    if (desc->segments == CLSORT_ROWS && one_in(random, 4))
        desc->max_k = 0;
}

/* -- calls ------------------------------------------------------------------------------------- */

struct call {
    struct segments segments;
    uint64_t device_count; /* the number of segments in device memory, which may exceed its bound */
    size_t number;         /* the segments that are selected from */
    size_t k, places;      /* of each segment */
    bool has_ks, wants_keys, wants_values, wants_indexes, wants_result, own_scratch, out_of_order;
    /* Segments that overlap are selected from, but from a sort of the segments without what they share. */
    bool may_mix;
    enum guarded_memory memory;
    size_t offset;
};

/* What is selected from each segment. */
struct expected {
    struct arrays arrays;
    uint64_t *ks;
    size_t *selected;
};

static struct range clamped(const struct call *call, size_t i)
{
    const struct range given = call->segments.given[i];
    const uint64_t n = call->segments.count;
    struct range range = {given.begin < n ? given.begin : n, given.end < n ? given.end : n};
    if (range.end < range.begin)
        range.end = range.begin;
    return range;
}

static void draw_call(struct random *random, const struct plan *plan, struct call *call)
{
    static const enum guarded_memory memories[] = {GUARDED_PLAIN, GUARDED_CONST, GUARDED_SUB,
                                                   GUARDED_PINNED};
    const clsort_desc *desc = &plan->desc;
    const bool is_nth = desc->operation == CLSORT_NTH, rows = desc->segments == CLSORT_ROWS;
    *call = (struct call){0};
    draw_segments(random, plan, plans.max_power, &call->segments);
    const size_t number = call->segments.number,
                 row = rows && number > 0 ? call->segments.count / number : SIZE_MAX;
    call->device_count = one_in(random, 4)   ? UINT32_MAX - below(random, 3)
                         : one_in(random, 4) ? number
                                             : below(random, number + 2);
    call->number =
        desc->count_size > 0 && call->device_count < number ? (size_t)call->device_count : number;
    call->has_ks = one_in(random, 2);
    call->k = some_size(random, one_in(random, 2) ? 3 : plans.max_power);
    if (desc->max_k > 0 && call->k > desc->max_k)
        call->k = desc->max_k;
    if (call->k > row - is_nth)
        call->k = row - is_nth;
    if (!is_nth && number > 0 && call->k > MAX_PLACES / number)
        call->k = MAX_PLACES / number;
    if (is_nth && call->has_ks)
        call->k = 0;
    call->places = is_nth ? 1 : call->k;
    call->wants_keys = one_in(random, 2);
    call->wants_values = desc->value_size > 0 && one_in(random, 2);
    call->wants_indexes =
        plan->custom || one_in(random, 2) || (!call->wants_keys && !call->wants_values);
    call->wants_result = one_in(random, 2);
    call->own_scratch = one_in(random, 2);
    call->out_of_order = one_in(random, 3);
    call->memory = memories[below(random, LENGTH(memories))];
    call->offset = 8 * below(random, 3);
}

static void set_sizes(const struct plan *plan, const struct call *call, struct arrays *arrays)
{
    const size_t n = call->segments.count, number = call->segments.number;
    const size_t places = number * call->places, index = plan->index_size;
    arrays->size[KEYS] = n * plan->key_size;
    arrays->size[VALUES] = n * plan->desc.value_size;
    arrays_set_segments(arrays, plan, &call->segments);
    arrays->size[KS] = call->has_ks ? number * index : 0;
    arrays->size[COUNT] = plan->desc.count_size;
    arrays->size[KEYS_OUT] = call->wants_keys ? places * plan->key_size : 0;
    arrays->size[VALUES_OUT] = call->wants_values ? places * plan->desc.value_size : 0;
    arrays->size[INDEX_OUT] = call->wants_indexes ? places * index : 0;
    arrays->size[RESULT] = call->wants_result ? sizeof(uint64_t) : 0;
    if (call->own_scratch)
        assert_ok(clsort_scratch_size(plan->plan, n, &arrays->size[SCRATCH]));
    if (arrays->size[SCRATCH] > (size_t)1 << 28)
        arrays->size[SCRATCH] = 0; /* for many more places than the call has */
}

static void draw_ks(struct random *random, const struct plan *plan, const struct call *call,
                    struct expected *expected)
{
    const uint64_t all = plan->index_size == 4 ? UINT32_MAX : UINT64_MAX;
    for (size_t i = 0; i < call->segments.number; i++) {
        const struct range range = clamped(call, i);
        const size_t length = (size_t)(range.end - range.begin);
        expected->ks[i] = !call->has_ks        ? call->k
                          : one_in(random, 20) ? all - below(random, 3)
                          : one_in(random, 5)  ? length
                                               : below(random, length + 2);
        if (call->has_ks)
            store_index(expected->ks[i], plan->index_size,
                        expected->arrays.before[KS] + i * plan->index_size);
    }
}

static void fill_before(struct random *random, const struct plan *plan, const struct call *call,
                        struct expected *expected)
{
    const size_t number = call->segments.number;
    arrays_fill(&expected->arrays, random, plan, &call->segments);
    expected->ks = calloc(number + 1, sizeof *expected->ks);
    expected->selected = calloc(number + 1, sizeof *expected->selected);
    assert_true(expected->ks && expected->selected);
    draw_ks(random, plan, call, expected);
    if (plan->desc.count_size > 0)
        store_index(call->device_count, plan->desc.count_size, expected->arrays.before[COUNT]);
    arrays_expect_unchanged(&expected->arrays);
}

/* -- the expected outputs ---------------------------------------------------------------------- */

static int compare_sizes(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* Sets what is expected of a segment. Returns whether the result counts it. */
static bool expect_segment(const struct plan *plan, const struct call *call, size_t i,
                           struct expected *expected)
{
    const struct range given = call->segments.given[i], range = clamped(call, i);
    const size_t n = (size_t)(range.end - range.begin), first = (size_t)range.begin;
    const uint64_t k = expected->ks[i];
    const bool is_clamped = given.begin > given.end || given.end > call->segments.count;
    const bool is_nth = plan->desc.operation == CLSORT_NTH;
    size_t selected = is_nth ? k < n : n;
    if (!is_nth && selected > k)
        selected = (size_t)k;
    if (!is_nth && selected > call->k)
        selected = call->k;
    expected->selected[i] = selected;
    if (selected > 0) {
        size_t *order =
            segment_order(plan, expected->arrays.before[KEYS] + first * plan->key_size, n);
        if (plan->desc.flags & CLSORT_INPUT_ORDER)
            qsort(order, selected, sizeof *order, compare_sizes);
        for (size_t j = 0; j < selected; j++)
            arrays_expect_element(&expected->arrays, plan, false, i * call->places + j,
                                  first + order[is_nth ? (size_t)k : j]);
        free(order);
    }
    return is_clamped || (is_nth ? k >= n : call->has_ks && k > call->k);
}

static void fill_after(const struct plan *plan, const struct call *call, struct expected *expected)
{
    struct arrays *arrays = &expected->arrays;
    uint64_t result = plan->desc.count_size > 0 && call->device_count > call->segments.number
                          ? CLSORT_COUNT_EXCEEDED
                          : 0;
    for (size_t i = 0; i < call->number; i++)
        result += expect_segment(plan, call, i, expected);
    if (arrays->size[RESULT] > 0)
        memcpy(arrays->after[RESULT], &result, sizeof result);
}

/* If segments that overlap were sorted before, or `less` is no strict weak order, any elements of a segment are
 * right: expects those whose indexes were found. */
static void expect_found(const struct plan *plan, const struct call *call, const uint8_t *indexes,
                         struct expected *expected)
{
    for (size_t i = 0; i < call->segments.number; i++)
        for (size_t j = 0; j < expected->selected[i]; j++) {
            const struct range range = clamped(call, i);
            const size_t place = i * call->places + j;
            const uint64_t index = load_index(plan->index_size, indexes + place * plan->index_size);
            if (index >= range.begin && index < range.end)
                arrays_expect_element(&expected->arrays, plan, false, place, (size_t)index);
        }
}

/* -- the call ---------------------------------------------------------------------------------- */

static void enqueue(const struct plan *plan, const struct call *call, const struct arrays *arrays)
{
    clsort_io io = CLSORT_IO_INIT;
    io.count = call->segments.count;
    io.segment_count = call->segments.number;
    io.k = call->k;
    arrays_set_io(arrays, &io);
    run_plan_once(plan, &io, call->out_of_order);
}

static bool check_arrays(const struct plan *plan, const struct call *call,
                         struct expected *expected)
{
    struct arrays *arrays = &expected->arrays;
    bool right = true;
    for (size_t turn = 0; turn < ARRAYS; turn++) {
        const size_t i = turn == 0 ? INDEX_OUT : turn <= INDEX_OUT ? turn - 1 : turn;
        if (arrays->size[i] == 0)
            continue;
        uint8_t *found = malloc(arrays->size[i]);
        assert_non_null(found);
        right &= arrays_read(arrays, plan->env, i, found);
        if (i == INDEX_OUT && call->may_mix)
            expect_found(plan, call, found, expected);
        right &= arrays_compare(arrays, i, found);
        free(found);
    }
    return right;
}

static bool run_call(struct random *random, const struct plan *plan, bool sorts_before)
{
    struct call call;
    struct expected expected = {0};
    draw_call(random, plan, &call);
    call.may_mix =
        (plan->custom && !plan->custom->precedes) || (sorts_before && call.segments.clamped > 0);
    call.wants_indexes |= call.may_mix;
    set_sizes(plan, &call, &expected.arrays);
    fill_before(random, plan, &call, &expected);
    fill_after(plan, &call, &expected);
    arrays_create(&expected.arrays, plan->env, call.memory, call.offset, false);
    enqueue(plan, &call, &expected.arrays);
    const bool right = check_arrays(plan, &call, &expected);
    if (!right)
        fprintf(stderr, "  k %zu%s of %zu elements in %zu segments, %s keys%s%s%s%s\n", call.k,
                call.has_ks ? " and ks" : "", call.segments.count, call.segments.number,
                plan->custom ? plan->custom->name : plan->type->name,
                call.wants_keys ? ", keys" : "", call.wants_values ? ", values" : "",
                call.wants_indexes ? ", indexes" : "", call.out_of_order ? ", out of order" : "");
    arrays_release(&expected.arrays);
    free(expected.ks);
    free(expected.selected);
    free_segments(&call.segments);
    return right;
}

static bool make_call(void *context, const char *description)
{
    struct random_plan *job = context;
    return run_call(&job->random, &job->plan, strstr(description, "by a sort of all segments"));
}

static bool run_plan(const struct env *env, uint64_t seed)
{
    struct random_plan job = {{seed}, {.env = env, .desc = CLSORT_DESC_INIT}};
    const clsort_desc *desc = &job.plan.desc;
    draw_plan(&job.random, &job.plan);
    /* Keys may be too large for the device, and segments may be too long. */
    const bool may_be_unsupported =
        job.plan.custom || (desc->flags & CLSORT_INPUT_ORDER && getenv("CLSORT_MAX_ITERATIONS"));
    return random_plans_run(&plans, env, seed, desc, may_be_unsupported, &job.plan.plan, make_call,
                            &job);
}

int main(int argc, char **argv)
{
    return random_plans_main(&plans, argc, argv, run_plan);
}
