/* counts.c - sorts whose count is in device memory: random descriptors, counts and arrays, compared with a reference
 *
 *     counts [FIRST_SEED [SEEDS [SORTS [MAX_POWER [GROUP [ALGORITHM]]]]]]
 *
 * A seed determines a descriptor and the sorts of one plan: SORTS of them, of up to 2^MAX_POWER elements. The count is
 * that of elements, of rows, or of segments by offsets or by begins and ends. It is 0, 1, near the edge of a tile, near
 * its bound, equal to it or above it, or any other number. All arrays are between canaries, elements behind the count
 * must not change, and neither must inputs. With an ALGORITHM, only whole arrays of built-in keys are sorted. GROUP is
 * not used. The seed of a failure is printed. */
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

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static struct random_plans plans = {1, 12, 16, 16, 1, NULL};

/* Returns a random number below `end`. */
static size_t below(uint64_t *random, size_t end)
{
    return (size_t)(bits_mix(*random += BITS_GAMMA) % end);
}

static size_t at_most(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* -- the plan ---------------------------------------------------------------------------------- */

struct plan {
    const struct env *env;
    clsort_desc desc;
    const struct data_type *type;      /* of built-in keys */
    const struct custom_order *custom; /* or NULL */
    size_t key_size, index_size;
    clsort_plan *plan;
};

static void draw_plan(uint64_t *random, struct plan *plan)
{
    static const size_t values[] = {0, 0, 1, 2, 4, 8, 12, 16, 24, 100};
    clsort_desc *desc = &plan->desc;
    if (below(random, 5) == 0 && !plans.algorithm) {
        size_t orders = 0;
        while (custom_orders[orders].name)
            orders++;
        plan->custom = &custom_orders[below(random, orders)];
        desc->key = CLSORT_CUSTOM;
        desc->key_size = plan->custom->key_size;
        desc->prelude = plan->custom->prelude;
        desc->key_type = plan->custom->key_type;
        desc->less = plan->custom->less;
    } else {
        plan->type = data_type_at(below(random, 11));
        desc->key = plan->type->key;
        desc->flags = below(random, 2) ? CLSORT_DESCENDING : 0;
        desc->flags |=
            data_type_is_float(plan->type) && below(random, 2) ? CLSORT_FLOAT_NUMERIC : 0;
        desc->end_bit = below(random, 4) ? 0 : 1 + (uint32_t)below(random, 8 * plan->type->size);
        desc->begin_bit = (uint32_t)below(random, desc->end_bit + 1);
    }
    plan->key_size = plan->custom ? plan->custom->key_size : plan->type->size;
    desc->algorithm = plans.algorithm;
    desc->segments = below(random, 2) || plans.algorithm ? CLSORT_WHOLE
                                                         : CLSORT_ROWS + (uint32_t)below(random, 3);
    desc->count_size = 4 + 4 * (uint32_t)below(random, 2);
    desc->max_count = (size_t)1 << plans.max_power;
    desc->operation = below(random, 3) ? CLSORT_SORT : CLSORT_ARGSORT;
    if (desc->operation == CLSORT_SORT)
        desc->value_size = values[below(random, LENGTH(values))];
    if (desc->operation == CLSORT_ARGSORT || desc->segments > CLSORT_ROWS)
        desc->index_size = 4 + 4 * (uint32_t)below(random, 2);
    plan->index_size = desc->index_size;
}

/* -- the count and the segments ---------------------------------------------------------------- */

struct range {
    uint64_t begin, end;
};

struct input {
    size_t count;  /* io.count */
    size_t number; /* io.segment_count, and the number of ranges */
    struct range *ranges;
    uint64_t device_count, result;
    size_t sorted; /* the first ranges, which are sorted */
};

/* Returns a count for a bound, sometimes a greater one. */
static uint64_t draw_count(uint64_t *random, size_t bound, size_t size)
{
    const uint64_t edge = 1024 * (uint64_t)below(random, bound / 1024 + 1);
    switch (below(random, 9)) {
    case 0:
        return 0;
    case 1:
        return at_most(1, bound);
    case 2:
        return bound - at_most(1, bound);
    case 3:
        return bound;
    case 4:
        return (uint64_t)bound + 1;
    case 5:
        return size == 4 ? UINT32_MAX : UINT64_MAX - below(random, 9);
    case 6:
        return edge;
    case 7:
        return at_most((size_t)edge + 1, bound);
    default:
        return below(random, bound + 1);
    }
}

static void draw_input(uint64_t *random, const struct plan *plan, struct input *input)
{
    const bool whole = plan->desc.segments == CLSORT_WHOLE,
               rows = plan->desc.segments == CLSORT_ROWS;
    const size_t mean = 1 + below(random, (size_t)1 << below(random, plans.max_power));
    input->count = below(random, ((size_t)1 << below(random, plans.max_power + 1)) + 1);
    if (rows)
        input->count -= input->count % mean;
    input->ranges = calloc(input->count + 1, sizeof *input->ranges);
    assert_non_null(input->ranges);
    for (uint64_t at = 0; !whole && at < input->count && input->number < input->count;) {
        const size_t length = rows ? mean : below(random, 2 * mean);
        const uint64_t end = at_most((size_t)at + length, input->count);
        input->ranges[input->number++] = (struct range){at, end};
        at = end;
    }
    for (size_t i = input->number; plan->desc.segments == CLSORT_BEGIN_END && i > 1; i--) {
        const size_t other = below(random, i);
        const struct range last = input->ranges[i - 1];
        input->ranges[i - 1] = input->ranges[other];
        input->ranges[other] = last;
    }
    const size_t bound = whole ? input->count : input->number;
    input->device_count = draw_count(random, bound, plan->desc.count_size);
    input->result = input->device_count > bound ? CLSORT_COUNT_EXCEEDED : 0;
    input->sorted = input->device_count > bound ? bound : (size_t)input->device_count;
    if (whole) {
        input->ranges[0].end = input->sorted;
        input->sorted = 1;
    }
}

/* -- arrays ------------------------------------------------------------------------------------ */

enum {
    KEYS,
    VALUES,
    KEYS_OUT,
    VALUES_OUT,
    INDEX_OUT,
    OFFSETS,
    ENDS,
    COUNT,
    RESULT,
    SCRATCH,
    ARRAYS
};

static const char *const names[ARRAYS] = {"keys",      "values",  "keys_out", "values_out",
                                          "index_out", "offsets", "ends",     "count_buffer",
                                          "result",    "scratch"};

/* The arrays in host memory: before the call, and as they are expected after it. */
struct arrays {
    uint8_t *before[ARRAYS], *after[ARRAYS];
    size_t size[ARRAYS]; /* in bytes; 0: the array is absent */
};

static void store_index(uint64_t index, size_t size, uint8_t *at)
{
    const uint32_t narrow = (uint32_t)index;
    memcpy(at, size == sizeof narrow ? (const void *)&narrow : (const void *)&index, size);
}

static void set_sizes(uint64_t *random, const struct plan *plan, const struct input *input,
                      bool in_place, struct arrays *arrays)
{
    const size_t n = input->count, keys = n * plan->key_size, values = n * plan->desc.value_size;
    const bool is_argsort = plan->desc.operation == CLSORT_ARGSORT;
    const size_t index = plan->index_size, number = input->number;
    arrays->size[KEYS] = keys;
    arrays->size[VALUES] = values;
    arrays->size[KEYS_OUT] = in_place || (is_argsort && below(random, 2)) ? 0 : keys;
    arrays->size[VALUES_OUT] = in_place ? 0 : values;
    arrays->size[INDEX_OUT] = is_argsort ? n * index : 0;
    arrays->size[OFFSETS] = plan->desc.segments == CLSORT_OFFSETS     ? (number + 1) * index
                            : plan->desc.segments == CLSORT_BEGIN_END ? number * index
                                                                      : 0;
    arrays->size[ENDS] = plan->desc.segments == CLSORT_BEGIN_END ? number * index : 0;
    arrays->size[COUNT] = plan->desc.count_size;
    arrays->size[RESULT] = below(random, 2) ? sizeof(uint64_t) : 0;
    if (below(random, 2))
        assert_ok(clsort_scratch_size(plan->plan, n, &arrays->size[SCRATCH]));
}

static void fill_before(uint64_t *random, const struct plan *plan, const struct input *input,
                        struct arrays *arrays)
{
    const size_t index = plan->index_size, value = plan->desc.value_size, n = input->count;
    for (size_t i = 0; i < ARRAYS; i++) {
        arrays->before[i] = malloc(arrays->size[i] + 1);
        arrays->after[i] = malloc(arrays->size[i] + 1);
        assert_true(arrays->before[i] && arrays->after[i]);
        for (size_t at = 0; i < SCRATCH && at < arrays->size[i]; at++)
            arrays->before[i][at] = (uint8_t)(at * 7 + i);
    }
    const enum data_dist dist = (enum data_dist)below(random, DATA_DIST_COUNT);
    if (plan->custom)
        custom_order_fill(plan->custom, *random, arrays->before[KEYS], n);
    else if (n > 0)
        assert_true(data_fill(plan->type, dist, *random, arrays->before[KEYS], n));
    for (size_t i = 0; i < n && value > 0; i++)
        reference_value(i, value, arrays->before[VALUES] + i * value);
    for (size_t i = 0; i < input->number; i++)
        store_index(input->ranges[i].begin, index, arrays->before[OFFSETS] + i * index);
    if (plan->desc.segments == CLSORT_OFFSETS)
        store_index(input->number > 0 ? input->ranges[input->number - 1].end : 0, index,
                    arrays->before[OFFSETS] + input->number * index);
    for (size_t i = 0; i < input->number && arrays->size[ENDS] > 0; i++)
        store_index(input->ranges[i].end, index, arrays->before[ENDS] + i * index);
    store_index(input->device_count, plan->desc.count_size, arrays->before[COUNT]);
    for (size_t i = 0; i < SCRATCH; i++)
        memcpy(arrays->after[i], arrays->before[i], arrays->size[i]);
}

/* Sorts a range in the expected arrays. */
static void expect_range(const struct plan *plan, struct range range, bool in_place,
                         struct arrays *arrays)
{
    const size_t n = (size_t)(range.end - range.begin), first = (size_t)range.begin;
    const size_t key = plan->key_size, value = plan->desc.value_size, index = plan->index_size;
    const uint8_t *keys = arrays->before[KEYS] + first * key;
    uint8_t *keys_out = arrays->after[in_place ? KEYS : KEYS_OUT] + first * key;
    uint8_t *values_out = arrays->after[in_place ? VALUES : VALUES_OUT] + first * value;
    size_t *order = malloc((n + 1) * sizeof *order);
    const struct reference reference = {plan->type, plan->desc.flags, plan->desc.begin_bit,
                                        plan->desc.end_bit};
    assert_non_null(order);
    assert_true(plan->custom ? custom_order_sort(plan->custom, keys, n, order)
                             : reference_order(&reference, keys, n, order));
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

/* -- the call ---------------------------------------------------------------------------------- */

static void enqueue(uint64_t *random, const struct plan *plan, const struct input *input,
                    bool in_place, const struct guarded *buffers)
{
    clsort_io io = CLSORT_IO_INIT;
    io.count = input->count;
    io.segment_count = input->number;
    io.keys = buffers[KEYS].buffer;
    io.values = buffers[VALUES].buffer;
    io.keys_out = buffers[KEYS_OUT].buffer;
    io.values_out = buffers[VALUES_OUT].buffer;
    io.index_out = buffers[INDEX_OUT].buffer;
    io.offsets = buffers[OFFSETS].buffer;
    io.ends = buffers[ENDS].buffer;
    io.count_buffer = buffers[COUNT].buffer;
    io.result = buffers[RESULT].buffer;
    io.scratch = buffers[SCRATCH].buffer;
    if (in_place && plan->desc.operation == CLSORT_ARGSORT)
        io.keys_out = io.keys;
    cl_event event = NULL;
    const cl_command_queue queue = below(random, 2) ? plan->env->out_of_order : plan->env->queue;
    assert_ok(clsort_enqueue(plan->plan, queue, &io, 0, NULL, &event));
    assert_true(env_finish_event(event));
}

static bool run_sort(uint64_t *random, const struct plan *plan)
{
    struct input input = {0};
    struct arrays arrays = {{NULL}, {NULL}, {0}};
    struct guarded buffers[ARRAYS];
    const bool in_place = below(random, 3) == 0;
    const enum guarded_memory memory = below(random, 2) ? GUARDED_PLAIN : GUARDED_SUB;
    const size_t offset = 8 * below(random, 3);
    bool right = true;
    memset(buffers, 0, sizeof buffers);
    draw_input(random, plan, &input);
    set_sizes(random, plan, &input, in_place, &arrays);
    fill_before(random, plan, &input, &arrays);
    for (size_t i = 0; i < input.sorted; i++)
        expect_range(plan, input.ranges[i], in_place, &arrays);
    if (arrays.size[RESULT] > 0)
        memcpy(arrays.after[RESULT], &input.result, sizeof input.result);
    for (size_t i = 0; i < ARRAYS; i++)
        if (arrays.size[i] > 0)
            assert_ok(guarded_create(&buffers[i], plan->env, memory,
                                     in_place && i <= VALUES                       ? GUARDED_BOTH
                                     : i <= VALUES || (i >= OFFSETS && i <= COUNT) ? GUARDED_INPUT
                                                                                   : GUARDED_OUTPUT,
                                     offset, arrays.size[i],
                                     i == SCRATCH ? NULL : arrays.before[i]));
    enqueue(random, plan, &input, in_place, buffers);
    for (size_t i = 0; i < ARRAYS; i++) {
        if (arrays.size[i] > 0)
            right &= guarded_has(&buffers[i], plan->env, names[i],
                                 i == SCRATCH ? NULL : arrays.after[i]);
        guarded_release(&buffers[i]);
        free(arrays.before[i]);
        free(arrays.after[i]);
    }
    if (!right)
        fprintf(stderr, "  of %zu elements in %zu segments, device count %" PRIu64 "%s\n",
                input.count, input.number, input.device_count, in_place ? ", in place" : "");
    free(input.ranges);
    return right;
}

struct job {
    uint64_t random;
    struct plan plan;
};

static bool make_call(void *context, const char *description)
{
    struct job *job = context;
    assert_non_null(strstr(description, "count in device memory"));
    assert_true(!job->plan.desc.algorithm || strncmp(description, "segments", 8) != 0);
    return run_sort(&job->random, &job->plan);
}

/* Some algorithms sort whole keys only. */
static void fit_algorithm(const struct env *env, clsort_desc *desc)
{
    clsort_plan *plan = NULL;
    if (!desc->algorithm)
        return;
    if (clsort_plan_create(env->engine, desc, &plan) == CLSORT_E_UNSUPPORTED) {
        desc->flags &= ~(uint32_t)CLSORT_FLOAT_NUMERIC;
        desc->begin_bit = desc->end_bit = 0;
    }
    clsort_plan_destroy(plan);
}

static bool run_plan(const struct env *env, uint64_t seed)
{
    struct job job = {seed, {.env = env, .desc = CLSORT_DESC_INIT}};
    draw_plan(&job.random, &job.plan);
    fit_algorithm(env, &job.plan.desc);
    /* The device may not support keys as large as some custom ones are. */
    return random_plans_run(&plans, env, seed, &job.plan.desc, job.plan.custom, &job.plan.plan,
                            make_call, &job);
}

int main(int argc, char **argv)
{
    return random_plans_main(&plans, argc, argv, run_plan);
}
