/* segments.c - segmented sorts: random descriptors, segments and arrays, each compared with a plain reference
 *
 *     segments [FIRST_SEED [SEEDS [SORTS [MAX_POWER [GROUP]]]]]
 *
 * A seed determines a descriptor and the sorts of one plan: SORTS of them, of up to 2^MAX_POWER elements. GROUP seeds
 * share what programs depend on, so that thousands of plans can be tested. Seeds are printed before their plan is
 * created. All arrays are between canaries, and elements in no segment must not change. */
#include "random_plans.h"
#include "random_segments.h"

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

enum { KEYS, VALUES, KEYS_OUT, VALUES_OUT, INDEX_OUT, OFFSETS, ENDS, RESULT, SCRATCH, ARRAYS };

/* How a sort is called. */
struct call {
    bool in_place, wants_keys, wants_result, own_scratch, out_of_order;
    enum guarded_memory memory;
    size_t offset;
};

/* The arrays in host memory: before the call, and as they are expected after it. */
struct arrays {
    uint8_t *before[ARRAYS], *after[ARRAYS];
    size_t size[ARRAYS]; /* in bytes; 0: the array is absent */
};

static void set_sizes(const struct plan *plan, const struct segments *s, const struct call *call,
                      struct arrays *arrays)
{
    const size_t n = s->count, key = plan->key_size, value = plan->desc.value_size;
    const size_t index = plan->index_size;
    const bool is_argsort = plan->desc.operation == CLSORT_ARGSORT;
    arrays->size[KEYS] = n * key;
    arrays->size[VALUES] = n * value;
    arrays->size[KEYS_OUT] = call->in_place || !call->wants_keys ? 0 : n * key;
    arrays->size[VALUES_OUT] = call->in_place ? 0 : n * value;
    arrays->size[INDEX_OUT] = is_argsort ? n * index : 0;
    arrays->size[RESULT] = call->wants_result ? sizeof(uint64_t) : 0;
    arrays->size[OFFSETS] = plan->desc.segments == CLSORT_OFFSETS     ? (s->number + 1) * index
                            : plan->desc.segments == CLSORT_BEGIN_END ? s->number * index
                                                                      : 0;
    arrays->size[ENDS] = plan->desc.segments == CLSORT_BEGIN_END ? s->number * index : 0;
    assert_ok(clsort_scratch_size(plan->plan, n, &arrays->size[SCRATCH]));
    if (!call->own_scratch)
        arrays->size[SCRATCH] = 0;
}

static void fill_before(struct random *random, const struct plan *plan, const struct segments *s,
                        struct arrays *arrays)
{
    const size_t value = plan->desc.value_size, index = plan->index_size;
    for (size_t i = 0; i < ARRAYS; i++) {
        arrays->before[i] = malloc(arrays->size[i] + 1);
        arrays->after[i] = malloc(arrays->size[i] + 1);
        assert_true(arrays->before[i] && arrays->after[i]);
        for (size_t at = 0; i < SCRATCH && at < arrays->size[i]; at++)
            arrays->before[i][at] = (uint8_t)(at * 7 + i);
    }
    if (s->count > 0)
        fill_keys(random, plan, s->count, arrays->before[KEYS]);
    for (size_t i = 0; i < s->count && value > 0; i++)
        reference_value(i, value, arrays->before[VALUES] + i * value);
    for (size_t i = 0; i < s->number && arrays->size[OFFSETS] > 0; i++)
        store_index(s->given[i].begin, index, arrays->before[OFFSETS] + i * index);
    if (plan->desc.segments == CLSORT_OFFSETS)
        store_index(s->number > 0 ? s->given[s->number - 1].end : 0, index,
                    arrays->before[OFFSETS] + s->number * index);
    for (size_t i = 0; i < s->number && arrays->size[ENDS] > 0; i++)
        store_index(s->given[i].end, index, arrays->before[ENDS] + i * index);
    for (size_t i = 0; i < SCRATCH; i++)
        memcpy(arrays->after[i], arrays->before[i], arrays->size[i]);
}

/* Sorts a segment in the expected arrays. */
static void expect_segment(const struct plan *plan, struct range range, bool in_place,
                           struct arrays *arrays)
{
    const size_t n = (size_t)(range.end - range.begin), first = (size_t)range.begin;
    const size_t key = plan->key_size, value = plan->desc.value_size, index = plan->index_size;
    const uint8_t *keys = arrays->before[KEYS] + first * key;
    uint8_t *keys_out = arrays->after[in_place ? KEYS : KEYS_OUT] + first * key;
    uint8_t *values_out = arrays->after[in_place ? VALUES : VALUES_OUT] + first * value;
    size_t *order = segment_order(plan, keys, n);
    for (size_t i = 0; i < n; i++) {
        if (arrays->size[in_place ? KEYS : KEYS_OUT] > 0)
            memcpy(keys_out + i * key, keys + order[i] * key, key);
        if (value > 0)
            memcpy(values_out + i * value, arrays->before[VALUES] + (first + order[i]) * value,
                   value);
        if (arrays->size[INDEX_OUT] > 0)
            store_index(first + order[i], index, arrays->after[INDEX_OUT] + (first + i) * index);
    }
    free(order);
}

static void fill_after(const struct plan *plan, const struct segments *s, bool in_place,
                       struct arrays *arrays)
{
    for (size_t i = 0; i < s->number; i++)
        if (s->sorted[i].begin < s->sorted[i].end)
            expect_segment(plan, s->sorted[i], in_place, arrays);
    if (arrays->size[RESULT] > 0)
        memcpy(arrays->after[RESULT], &s->clamped, sizeof s->clamped);
}

/* -- the call ---------------------------------------------------------------------------------- */

static void enqueue(const struct plan *plan, const struct segments *s, const struct call *call,
                    const struct guarded *buffers)
{
    clsort_io io = CLSORT_IO_INIT;
    io.count = s->count;
    io.segment_count = s->number;
    io.keys = buffers[KEYS].buffer;
    io.values = buffers[VALUES].buffer;
    io.keys_out = buffers[KEYS_OUT].buffer;
    io.values_out = buffers[VALUES_OUT].buffer;
    io.index_out = buffers[INDEX_OUT].buffer;
    io.offsets = buffers[OFFSETS].buffer;
    io.ends = buffers[ENDS].buffer;
    io.result = buffers[RESULT].buffer;
    io.scratch = buffers[SCRATCH].buffer;
    if (call->in_place && plan->desc.operation == CLSORT_ARGSORT)
        io.keys_out = io.keys;
    cl_event event = NULL;
    const cl_command_queue queue = call->out_of_order ? plan->env->out_of_order : plan->env->queue;
    assert_ok(clsort_enqueue(plan->plan, queue, &io, 0, NULL, &event));
    assert_true(env_finish_event(event));
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
                        const struct guarded *guarded, const struct arrays *arrays, size_t i)
{
    static const char *const names[ARRAYS] = {"keys",       "values",    "keys_out",
                                              "values_out", "index_out", "offsets",
                                              "ends",       "result",    "scratch"};
    const size_t elements[ARRAYS] = {[KEYS] = plan->key_size,
                                     [VALUES] = plan->desc.value_size,
                                     [KEYS_OUT] = plan->key_size,
                                     [VALUES_OUT] = plan->desc.value_size,
                                     [INDEX_OUT] = plan->index_size};
    uint8_t *found = malloc(guarded->size + 1);
    bool intact = false;
    assert_non_null(found);
    assert_ok(guarded_read(guarded, plan->env, found, &intact));
    bool right = intact;
    if (!intact)
        fprintf(stderr, "%s: canaries were overwritten\n", names[i]);
    if (i != SCRATCH &&
        !is_expected(plan, s, found, arrays->after[i], guarded->size, elements[i])) {
        size_t at = 0;
        while (found[at] == arrays->after[i][at])
            at++;
        fprintf(stderr, "%s: byte %zu of %zu is wrong, elements of %zu bytes\n", names[i], at,
                guarded->size, elements[i]);
        right = false;
    }
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
    struct arrays arrays;
    struct guarded buffers[ARRAYS];
    draw_segments(random, plan, plans.max_power, &s);
    const struct call call = draw_call(random, plan);
    bool right = true;
    memset(buffers, 0, sizeof buffers);
    set_sizes(plan, &s, &call, &arrays);
    fill_before(random, plan, &s, &arrays);
    fill_after(plan, &s, call.in_place, &arrays);
    for (size_t i = 0; i < ARRAYS; i++)
        if (arrays.size[i] > 0)
            assert_ok(guarded_create(&buffers[i], plan->env, call.memory,
                                     call.in_place && i <= VALUES               ? GUARDED_BOTH
                                     : i <= VALUES || i == OFFSETS || i == ENDS ? GUARDED_INPUT
                                                                                : GUARDED_OUTPUT,
                                     call.offset, arrays.size[i],
                                     i == SCRATCH ? NULL : arrays.before[i]));
    enqueue(plan, &s, &call, buffers);
    for (size_t i = 0; i < ARRAYS; i++) {
        if (arrays.size[i] > 0)
            right &= check_array(plan, &s, &buffers[i], &arrays, i);
        guarded_release(&buffers[i]);
        free(arrays.before[i]);
        free(arrays.after[i]);
    }
    if (!right)
        fprintf(stderr, "  of %zu elements in %zu segments, %s keys%s%s%s\n", s.count, s.number,
                plan->custom ? plan->custom->name : plan->type->name,
                call.in_place ? ", in place" : "", call.wants_keys ? "" : ", without keys_out",
                call.out_of_order ? ", out of order" : "");
    free_segments(&s);
    return right;
}

static bool run_plan(const struct env *env, uint64_t seed)
{
    struct random programs = {bits_mix(seed / plans.group)}, random = {seed};
    struct plan plan = {.env = env, .desc = CLSORT_DESC_INIT};
    char text[512];
    fprintf(stderr, "seed %" PRIu64 "\n", seed);
    draw_plan(&programs, &random, &plan);
    const clsort_status status = clsort_plan_create(env->engine, &plan.desc, &plan.plan);
    if (status == CLSORT_E_UNSUPPORTED && plan.custom)
        return true; /* keys that are too large for the device */
    if (status) {
        random_plans_report(seed, &plan.desc);
        return false;
    }
    bool right = true;
    assert_ok(clsort_plan_describe(plan.plan, plan.desc.max_count, sizeof text, text, NULL));
    for (size_t i = 0; i < plans.calls; i++)
        if (!run_sort(&random, &plan)) {
            fprintf(stderr, "  seed %" PRIu64 ", sort %zu: %s\n", seed, i, text);
            right = false;
        }
    clsort_plan_destroy(plan.plan);
    return right;
}

int main(int argc, char **argv)
{
    return random_plans_main(&plans, argc, argv, run_plan);
}
