/* segment_selections.c - selections from segments: random descriptors, segments and arrays, each compared with a
 * plain reference
 *
 *     segment_selections [FIRST_SEED [SEEDS [CALLS [MAX_POWER]]]]
 *
 * A seed determines a descriptor and the calls of one plan: CALLS of them, with up to 2^MAX_POWER elements. The seed
 * of a failure is printed. All arrays are between canaries, inputs must not change, and neither may places of the
 * outputs behind the last selected element of a segment. */
#include "random_plans.h"
#include "random_segments.h"

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

enum {
    KEYS,
    VALUES,
    OFFSETS,
    ENDS,
    KS,
    KEYS_OUT, /* the first output */
    VALUES_OUT,
    INDEX_OUT,
    RESULT,
    SCRATCH,
    ARRAYS
};
static const char *const names[ARRAYS] = {"keys",   "values",   "offsets",    "ends",
                                          "ks",     "keys_out", "values_out", "index_out",
                                          "result", "scratch"};

struct call {
    struct segments segments;
    size_t k, places; /* of each segment */
    bool has_ks, wants_keys, wants_values, wants_indexes, wants_result, own_scratch, out_of_order;
    /* Segments that overlap are selected from, but from a sort of the segments without what they share. */
    bool may_mix;
    enum guarded_memory memory;
    size_t offset;
};

/* The arrays in host memory: before the call, and as they are expected after it. */
struct arrays {
    uint8_t *before[ARRAYS], *after[ARRAYS];
    size_t size[ARRAYS]; /* in bytes; 0: the array is absent */
    uint64_t *ks;
    size_t *selected; /* of each segment */
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
    const uint32_t form = plan->desc.segments;
    arrays->size[KEYS] = n * plan->key_size;
    arrays->size[VALUES] = n * plan->desc.value_size;
    arrays->size[OFFSETS] = form == CLSORT_OFFSETS     ? (number + 1) * index
                            : form == CLSORT_BEGIN_END ? number * index
                                                       : 0;
    arrays->size[ENDS] = form == CLSORT_BEGIN_END ? number * index : 0;
    arrays->size[KS] = call->has_ks ? number * index : 0;
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
                    struct arrays *arrays)
{
    const uint64_t all = plan->index_size == 4 ? UINT32_MAX : UINT64_MAX;
    for (size_t i = 0; i < call->segments.number; i++) {
        const struct range range = clamped(call, i);
        const size_t length = (size_t)(range.end - range.begin);
        arrays->ks[i] = !call->has_ks        ? call->k
                        : one_in(random, 20) ? all - below(random, 3)
                        : one_in(random, 5)  ? length
                                             : below(random, length + 2);
        if (call->has_ks)
            store_index(arrays->ks[i], plan->index_size, arrays->before[KS] + i * plan->index_size);
    }
}

static void fill_before(struct random *random, const struct plan *plan, const struct call *call,
                        struct arrays *arrays)
{
    const struct segments *s = &call->segments;
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
    arrays->ks = calloc(s->number + 1, sizeof *arrays->ks);
    arrays->selected = calloc(s->number + 1, sizeof *arrays->selected);
    assert_true(arrays->ks && arrays->selected);
    draw_ks(random, plan, call, arrays);
    for (size_t i = 0; i < SCRATCH; i++)
        memcpy(arrays->after[i], arrays->before[i], arrays->size[i]);
}

/* -- the expected outputs ---------------------------------------------------------------------- */

static void put_element(const struct plan *plan, size_t place, size_t element,
                        struct arrays *arrays)
{
    const size_t key = plan->key_size, value = plan->desc.value_size, index = plan->index_size;
    if (arrays->size[KEYS_OUT] > 0)
        memcpy(arrays->after[KEYS_OUT] + place * key, arrays->before[KEYS] + element * key, key);
    if (arrays->size[VALUES_OUT] > 0)
        memcpy(arrays->after[VALUES_OUT] + place * value, arrays->before[VALUES] + element * value,
               value);
    if (arrays->size[INDEX_OUT] > 0)
        store_index(element, index, arrays->after[INDEX_OUT] + place * index);
}

static int compare_sizes(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* Sets what is expected of a segment. Returns whether the result counts it. */
static bool expect_segment(const struct plan *plan, const struct call *call, size_t i,
                           struct arrays *arrays)
{
    const struct range given = call->segments.given[i], range = clamped(call, i);
    const size_t n = (size_t)(range.end - range.begin), first = (size_t)range.begin;
    const uint64_t k = arrays->ks[i];
    const bool is_clamped = given.begin > given.end || given.end > call->segments.count;
    const bool is_nth = plan->desc.operation == CLSORT_NTH;
    size_t selected = is_nth ? k < n : n;
    if (!is_nth && selected > k)
        selected = (size_t)k;
    if (!is_nth && selected > call->k)
        selected = call->k;
    arrays->selected[i] = selected;
    if (selected > 0) {
        size_t *order = segment_order(plan, arrays->before[KEYS] + first * plan->key_size, n);
        if (plan->desc.flags & CLSORT_INPUT_ORDER)
            qsort(order, selected, sizeof *order, compare_sizes);
        for (size_t j = 0; j < selected; j++)
            put_element(plan, i * call->places + j, first + order[is_nth ? (size_t)k : j], arrays);
        free(order);
    }
    return is_clamped || (is_nth ? k >= n : call->has_ks && k > call->k);
}

static void fill_after(const struct plan *plan, const struct call *call, struct arrays *arrays)
{
    uint64_t result = 0;
    for (size_t i = 0; i < call->segments.number; i++)
        result += expect_segment(plan, call, i, arrays);
    if (arrays->size[RESULT] > 0)
        memcpy(arrays->after[RESULT], &result, sizeof result);
}

/* If segments that overlap were sorted before, or `less` is no strict weak order, any elements of a segment are
 * right: expects those whose indexes were found. */
static void expect_found(const struct plan *plan, const struct call *call, const uint8_t *indexes,
                         struct arrays *arrays)
{
    for (size_t i = 0; i < call->segments.number; i++)
        for (size_t j = 0; j < arrays->selected[i]; j++) {
            const struct range range = clamped(call, i);
            const size_t place = i * call->places + j;
            uint64_t index = 0;
            uint32_t narrow;
            memcpy(plan->index_size == 4 ? (void *)&narrow : (void *)&index,
                   indexes + place * plan->index_size, plan->index_size);
            if (plan->index_size == 4)
                index = narrow;
            if (index >= range.begin && index < range.end)
                put_element(plan, place, (size_t)index, arrays);
        }
}

/* -- the call ---------------------------------------------------------------------------------- */

static void enqueue(const struct plan *plan, const struct call *call, const struct guarded *buffers)
{
    clsort_io io = CLSORT_IO_INIT;
    io.count = call->segments.count;
    io.segment_count = call->segments.number;
    io.k = call->k;
    io.keys = buffers[KEYS].buffer;
    io.values = buffers[VALUES].buffer;
    io.keys_out = buffers[KEYS_OUT].buffer;
    io.values_out = buffers[VALUES_OUT].buffer;
    io.index_out = buffers[INDEX_OUT].buffer;
    io.offsets = buffers[OFFSETS].buffer;
    io.ends = buffers[ENDS].buffer;
    io.ks = buffers[KS].buffer;
    io.result = buffers[RESULT].buffer;
    io.scratch = buffers[SCRATCH].buffer;
    cl_event event = NULL;
    const cl_command_queue queue = call->out_of_order ? plan->env->out_of_order : plan->env->queue;
    assert_ok(clsort_enqueue(plan->plan, queue, &io, 0, NULL, &event));
    assert_true(env_finish_event(event));
}

/* Compares an array with the expected one. */
static bool check_array(const struct plan *plan, const struct guarded *guarded, const char *name,
                        const uint8_t *expected, uint8_t *found)
{
    bool intact = false;
    size_t at = 0;
    assert_ok(guarded_read(guarded, plan->env, found, &intact));
    if (!intact)
        fprintf(stderr, "%s: canaries were overwritten\n", name);
    while (expected && at < guarded->size && found[at] == expected[at])
        at++;
    if (expected && at < guarded->size)
        fprintf(stderr, "%s: byte %zu of %zu is wrong\n", name, at, guarded->size);
    return intact && (!expected || at == guarded->size);
}

static bool check_arrays(const struct plan *plan, const struct call *call,
                         const struct guarded *buffers, struct arrays *arrays)
{
    bool right = true;
    for (size_t turn = 0; turn < ARRAYS; turn++) {
        const size_t i = turn == 0 ? INDEX_OUT : turn <= INDEX_OUT ? turn - 1 : turn;
        if (arrays->size[i] == 0)
            continue;
        uint8_t *found = malloc(arrays->size[i]);
        assert_non_null(found);
        if (i == INDEX_OUT && call->may_mix) {
            bool intact;
            assert_ok(guarded_read(&buffers[i], plan->env, found, &intact));
            expect_found(plan, call, found, arrays);
        }
        right &=
            check_array(plan, &buffers[i], names[i], i == SCRATCH ? NULL : arrays->after[i], found);
        free(found);
    }
    return right;
}

static bool run_call(struct random *random, const struct plan *plan, bool sorts_before)
{
    struct call call;
    struct arrays arrays = {0};
    struct guarded buffers[ARRAYS];
    draw_call(random, plan, &call);
    call.may_mix =
        (plan->custom && !plan->custom->precedes) || (sorts_before && call.segments.clamped > 0);
    call.wants_indexes |= call.may_mix;
    memset(buffers, 0, sizeof buffers);
    set_sizes(plan, &call, &arrays);
    fill_before(random, plan, &call, &arrays);
    fill_after(plan, &call, &arrays);
    for (size_t i = 0; i < ARRAYS; i++)
        if (arrays.size[i] > 0)
            assert_ok(guarded_create(&buffers[i], plan->env, call.memory,
                                     i < KEYS_OUT ? GUARDED_INPUT : GUARDED_OUTPUT, call.offset,
                                     arrays.size[i], i == SCRATCH ? NULL : arrays.before[i]));
    enqueue(plan, &call, buffers);
    const bool right = check_arrays(plan, &call, buffers, &arrays);
    if (!right)
        fprintf(stderr, "  k %zu%s of %zu elements in %zu segments, %s keys%s%s%s%s\n", call.k,
                call.has_ks ? " and ks" : "", call.segments.count, call.segments.number,
                plan->custom ? plan->custom->name : plan->type->name,
                call.wants_keys ? ", keys" : "", call.wants_values ? ", values" : "",
                call.wants_indexes ? ", indexes" : "", call.out_of_order ? ", out of order" : "");
    for (size_t i = 0; i < ARRAYS; i++) {
        guarded_release(&buffers[i]);
        free(arrays.before[i]);
        free(arrays.after[i]);
    }
    free(arrays.ks);
    free(arrays.selected);
    free_segments(&call.segments);
    return right;
}

static bool run_plan(const struct env *env, uint64_t seed)
{
    struct random random = {seed};
    struct plan plan = {.env = env, .desc = CLSORT_DESC_INIT};
    char text[1024];
    draw_plan(&random, &plan);
    const clsort_status status = clsort_plan_create(env->engine, &plan.desc, &plan.plan);
    if (status == CLSORT_E_UNSUPPORTED &&
        (plan.custom || (plan.desc.flags & CLSORT_INPUT_ORDER && getenv("CLSORT_MAX_ITERATIONS"))))
        return true; /* keys that are too large for the device, or segments that may be too long */
    if (status) {
        random_plans_report(seed, &plan.desc);
        return false;
    }
    bool right = true;
    assert_ok(clsort_plan_describe(plan.plan, plan.desc.max_count, sizeof text, text, NULL));
    for (size_t i = 0; i < plans.calls; i++)
        if (!run_call(&random, &plan, strstr(text, "by a sort of all segments"))) {
            fprintf(stderr, "  seed %" PRIu64 ", call %zu: %s\n", seed, i, text);
            right = false;
        }
    clsort_plan_destroy(plan.plan);
    return right;
}

int main(int argc, char **argv)
{
    return random_plans_main(&plans, argc, argv, run_plan);
}
