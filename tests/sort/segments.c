/* segments.c - segmented sorts: random descriptors, segments and arrays, each compared with a plain reference
 *
 *     segments [FIRST_SEED [SEEDS [SORTS [MAX_POWER [GROUP]]]]]
 *
 * A seed determines a descriptor and the sorts of one plan: SORTS of them, of up to 2^MAX_POWER elements. GROUP seeds
 * share what programs depend on, so that thousands of plans can be tested. Seeds are printed before their plan is
 * created. All arrays are between canaries, and elements in no segment must not change. */
#include "random_arrays.h"
#include "random_plans.h"

#include "bits.h"
#include "check.h"
#include "guarded.h"
#include "reference.h"

#include "custom_order.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct random_plans plans = {1, 24, 12, 17, 1, NULL};

/* -- the plan ---------------------------------------------------------------------------------- */

static void draw_plan(struct random *programs, struct random *random, struct plan *plan)
{
    static const size_t values[] = {0, 0, 0, 0, 1, 2, 4, 4, 8, 12, 16, 24, 100};
    clsort_desc *desc = &plan->desc;
    draw_key(programs, random, plan);
    desc->segments = CLSORT_ROWS + (uint32_t)below(random, 3);
    desc->max_count = (size_t)1 << plans.max_power;
    desc->operation = one_in(programs, 4) ? CLSORT_ARGSORT : CLSORT_SORT;
    if (desc->operation == CLSORT_SORT)
        desc->value_size = values[below(programs, LENGTH(values))];
    if (desc->operation == CLSORT_ARGSORT || desc->segments != CLSORT_ROWS)
        desc->index_size = 4 * (uint32_t)below(random, 3);
    if (desc->segments != CLSORT_ROWS && one_in(random, 2))
        desc->max_segments = (size_t)1 << (plans.max_power + 2);
    plan->index_size = desc->index_size ? desc->index_size : 4;
}

/* -- arrays ------------------------------------------------------------------------------------ */

/* How a sort is called. */
struct call {
    bool in_place, wants_keys, wants_result, own_scratch, out_of_order;
    enum guarded_memory memory;
    size_t offset;
};

static void set_sizes(const struct plan *plan, const struct segments *s, const struct call *call,
                      struct arrays *arrays)
{
    const size_t n = s->count, key = plan->key_size, value = plan->desc.value_size;
    const bool is_argsort = plan->desc.operation == CLSORT_ARGSORT;
    arrays->size[KEYS] = n * key;
    arrays->size[VALUES] = n * value;
    arrays->size[KEYS_OUT] = call->in_place || !call->wants_keys ? 0 : n * key;
    arrays->size[VALUES_OUT] = call->in_place ? 0 : n * value;
    arrays->size[INDEX_OUT] = is_argsort ? n * plan->index_size : 0;
    arrays->size[RESULT] = call->wants_result ? sizeof(uint64_t) : 0;
    arrays_set_segments(arrays, plan, s);
    assert_ok(clsort_scratch_size(plan->plan, n, &arrays->size[SCRATCH]));
    if (!call->own_scratch)
        arrays->size[SCRATCH] = 0;
}

/* Sorts a segment in the expected arrays. */
static void expect_segment(const struct plan *plan, struct range range, bool in_place,
                           struct arrays *arrays)
{
    const size_t n = (size_t)(range.end - range.begin), first = (size_t)range.begin;
    size_t *order = segment_order(plan, arrays->before[KEYS] + first * plan->key_size, n);
    for (size_t i = 0; i < n; i++)
        arrays_expect_element(arrays, plan, in_place, first + i, first + order[i]);
    free(order);
}

static void fill_after(const struct plan *plan, const struct segments *s, bool in_place,
                       struct arrays *arrays)
{
    arrays_expect_unchanged(arrays);
    for (size_t i = 0; i < s->number; i++)
        if (s->sorted[i].begin < s->sorted[i].end)
            expect_segment(plan, s->sorted[i], in_place, arrays);
    if (arrays->size[RESULT] > 0)
        memcpy(arrays->after[RESULT], &s->clamped, sizeof s->clamped);
}

/* -- the call ---------------------------------------------------------------------------------- */

static void enqueue(const struct plan *plan, const struct segments *s, const struct call *call,
                    const struct arrays *arrays)
{
    clsort_io io = CLSORT_IO_INIT;
    io.count = s->count;
    io.segment_count = s->number;
    arrays_set_io(arrays, &io);
    if (call->in_place && plan->desc.operation == CLSORT_ARGSORT)
        io.keys_out = io.keys;
    run_plan_once(plan, &io, call->out_of_order);
}

/* Returns the sum of hashes of elements, which does not depend on their order. */
static uint64_t hash_of(const uint8_t *bytes, size_t size, size_t count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t hash = size;
        for (size_t at = 0; at < size; at++)
            hash = bits_mix(hash + bytes[i * size + at]);
        sum += hash;
    }
    return sum;
}

/* Compares an output with the expected one. If `less` is no strict weak order, segments have the expected
 * elements in any order. */
static bool is_expected(const struct plan *plan, const struct segments *s, const uint8_t *found,
                        const uint8_t *expected, size_t size, size_t element)
{
    if (memcmp(found, expected, size) == 0)
        return true;
    if (!plan->custom || plan->custom->precedes || element == 0)
        return false;
    uint64_t at = 0;
    for (size_t i = 0; i <= s->number; i++) {
        const struct range range =
            i < s->number ? s->sorted[i] : (struct range){s->count, s->count};
        if (i < s->number && range.begin == range.end)
            continue;
        if (memcmp(found + at * element, expected + at * element,
                   (size_t)(range.begin - at) * element) != 0 ||
            hash_of(found + range.begin * element, element, (size_t)(range.end - range.begin)) !=
                hash_of(expected + range.begin * element, element,
                        (size_t)(range.end - range.begin)))
            return false;
        at = range.end;
    }
    return true;
}

static bool check_array(const struct plan *plan, const struct segments *s,
                        const struct arrays *arrays, size_t i)
{
    const size_t elements[ARRAYS] = {[KEYS] = plan->key_size,
                                     [VALUES] = plan->desc.value_size,
                                     [KEYS_OUT] = plan->key_size,
                                     [VALUES_OUT] = plan->desc.value_size,
                                     [INDEX_OUT] = plan->index_size};
    const size_t size = arrays->size[i];
    uint8_t *found = malloc(size + 1);
    assert_non_null(found);
    bool right = arrays_read(arrays, plan->env, i, found);
    if (i != SCRATCH && !is_expected(plan, s, found, arrays->after[i], size, elements[i]))
        right = arrays_compare(arrays, i, found);
    free(found);
    return right;
}

static struct call draw_call(struct random *random, const struct plan *plan)
{
    static const enum guarded_memory memories[] = {GUARDED_PLAIN, GUARDED_CONST, GUARDED_SUB,
                                                   GUARDED_PINNED};
    const bool is_argsort = plan->desc.operation == CLSORT_ARGSORT;
    struct call call = {.in_place = one_in(random, 3),
                        .wants_keys = !is_argsort || one_in(random, 2),
                        .wants_result = one_in(random, 2),
                        .own_scratch = one_in(random, 2),
                        .out_of_order = one_in(random, 3),
                        .memory = memories[below(random, LENGTH(memories))],
                        .offset = 8 * below(random, 3)};
    if (call.in_place && call.memory == GUARDED_CONST)
        call.memory = GUARDED_PLAIN;
    return call;
}

static bool run_sort(struct random *random, const struct plan *plan)
{
    struct segments s = {0};
    struct arrays arrays = {0};
    draw_segments(random, plan, plans.max_power, &s);
    const struct call call = draw_call(random, plan);
    bool right = true;
    set_sizes(plan, &s, &call, &arrays);
    arrays_fill(&arrays, random, plan, &s);
    fill_after(plan, &s, call.in_place, &arrays);
    arrays_create(&arrays, plan->env, call.memory, call.offset, call.in_place);
    enqueue(plan, &s, &call, &arrays);
    for (size_t i = 0; i < ARRAYS; i++)
        if (arrays.size[i] > 0)
            right &= check_array(plan, &s, &arrays, i);
    arrays_release(&arrays);
    if (!right)
        fprintf(stderr, "  of %zu elements in %zu segments, %s keys%s%s%s\n", s.count, s.number,
                plan->custom ? plan->custom->name : plan->type->name,
                call.in_place ? ", in place" : "", call.wants_keys ? "" : ", without keys_out",
                call.out_of_order ? ", out of order" : "");
    free_segments(&s);
    return right;
}

static bool make_call(void *context, const char *description)
{
    struct random_plan *job = context;
    (void)description;
    return run_sort(&job->random, &job->plan);
}

static bool run_plan(const struct env *env, uint64_t seed)
{
    struct random programs = {bits_mix(seed / plans.group)};
    struct random_plan job = {{seed}, {.env = env, .desc = CLSORT_DESC_INIT}};
    fprintf(stderr, "seed %" PRIu64 "\n", seed);
    draw_plan(&programs, &job.random, &job.plan);
    /* The device may not support keys as large as some custom ones are. */
    return random_plans_run(&plans, env, seed, &job.plan.desc, job.plan.custom, &job.plan.plan,
                            make_call, &job);
}

int main(int argc, char **argv)
{
    return random_plans_main(&plans, argc, argv, run_plan);
}
