/* select.c - CLSORT_SELECT and CLSORT_NTH with all types, orders, outputs and distributions, and canaries around all
 * arrays
 *
 *     select [MAX [TYPE]]
 *     select random [FIRST_SEED [SEEDS [SELECTIONS [MAX_POWER [GROUP]]]]]
 *
 * MAX leaves out larger counts, for slow devices. TYPE leaves out the other types. A seed determines a random
 * descriptor of up to 2^MAX_POWER elements (default: 19) and SELECTIONS (6); it is printed before they run. GROUP seeds
 * (1) share what programs depend on, so that thousands of plans can be tested. */
#include "random_plans.h"

#include "bits.h"
#include "check.h"
#include "guarded.h"
#include "reference.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The bytes of the outputs before the selection, and the size of the largest key or value. */
enum { FILL = 0x5a, LARGEST_ELEMENT = 100 };

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static const size_t counts[] = {1, 2, 33, 1000, 4097, 70001, 300001};
static size_t max_count = SIZE_MAX;
static const char *only_type;
static struct random_plans random_plans = {1, 40, 6, 19, 1, NULL};

/* What differs between the selections of a plan. */
struct selection {
    size_t count, k;
    uint64_t
        device_count; /* the count in device memory, if it is there, of which `count` is the bound */
    enum data_dist dist;
    bool wants_keys, wants_values, wants_indexes, own_scratch;
    enum guarded_memory memory;
};

/* A plan, and everything that it was created for. */
struct plan {
    const struct env *env;
    clsort_desc desc;
    const struct data_type *type;
    clsort_plan *plan;
};

enum { KEYS, VALUES, COUNT, KEYS_OUT, VALUES_OUT, INDEX_OUT, RESULT, SCRATCH, ARRAYS };

static const char *const names[ARRAYS] = {"keys",       "values",    "count_buffer", "keys_out",
                                          "values_out", "index_out", "result",       "scratch"};

/* The arrays in host memory: the input, and the expected output. */
struct arrays {
    uint8_t *data[ARRAYS];
    size_t size[ARRAYS]; /* in bytes */
};

static int compare_sizes(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* Returns the number of elements that the outputs have space for. */
static size_t output_count(const struct plan *plan, const struct selection *selection)
{
    return plan->desc.flags & CLSORT_PARTITION  ? selection->count
           : plan->desc.operation == CLSORT_NTH ? 1
                                                : selection->k;
}

/* Returns the selection that the device makes if it reads the count, and sets *written to the number of elements in
 * the outputs. A partition by an element that does not exist is one by the last element. */
static struct selection clamp_selection(const struct plan *plan, const struct selection *given,
                                        size_t *written)
{
    struct selection clamped = *given;
    const bool is_nth = plan->desc.operation == CLSORT_NTH,
               partitions = plan->desc.flags & CLSORT_PARTITION;
    if (plan->desc.count_size > 0 && given->device_count < given->count)
        clamped.count = (size_t)given->device_count;
    const bool exists = given->k < clamped.count;
    if (!exists)
        clamped.k = clamped.count - (partitions && clamped.count > 0);
    *written = is_nth && !partitions && !exists ? 0 : output_count(plan, &clamped);
    return clamped;
}

/* Returns what the result is: whether the bound is exceeded, and whether there is no n-th element. */
static uint64_t expected_result(const struct plan *plan, const struct selection *selection)
{
    const bool exceeds = selection->device_count > selection->count,
               is_missing =
                   plan->desc.operation == CLSORT_NTH && selection->k >= selection->device_count;
    return (exceeds ? CLSORT_COUNT_EXCEEDED : 0) + is_missing;
}

static void set_count(const struct plan *plan, const struct selection *selection,
                      struct arrays *arrays)
{
    const uint32_t narrow = (uint32_t)selection->device_count;
    const uint64_t result = expected_result(plan, selection);
    if (plan->desc.count_size == 0)
        return;
    memcpy(arrays->data[COUNT],
           plan->desc.count_size == 4 ? (const void *)&narrow
                                      : (const void *)&selection->device_count,
           plan->desc.count_size);
    memcpy(arrays->data[RESULT], &result, sizeof result);
}

/* Returns a count in device memory for a bound: 0, few elements, about k, about the bound, or more. */
static uint64_t device_count_of(size_t bound, size_t k, size_t number)
{
    const uint64_t choices[] = {0,         bound / 100 + 1, k,         k - (k > 0),
                                bound - 1, bound,           bound + 9, UINT32_MAX};
    return choices[number % LENGTH(choices)];
}

/* Changes the sorted order to that of a partition by the element k: the elements before it, equal to it and after it,
 * each in the order of the input. */
static void order_parts(const struct reference *reference, const struct selection *selection,
                        const uint8_t *keys, size_t *order)
{
    const size_t n = selection->count;
    bool *ties = malloc(n * sizeof *ties);
    size_t begin = selection->k, end = begin + 1;
    assert_non_null(ties);
    reference_ties(reference, keys, order, n, ties);
    while (ties[begin])
        begin--;
    while (end < n && ties[end])
        end++;
    qsort(order, begin, sizeof *order, compare_sizes);
    qsort(order + end, n - end, sizeof *order, compare_sizes);
    free(ties);
}

/* Returns the indexes of the expected elements in the order of the output. */
static size_t *expected_order(const struct plan *plan, const struct selection *selection,
                              const uint8_t *keys)
{
    const struct reference reference = {
        plan->type, plan->desc.flags & (CLSORT_DESCENDING | CLSORT_FLOAT_NUMERIC),
        plan->desc.begin_bit, plan->desc.end_bit};
    size_t *order = malloc((selection->count + 1) * sizeof *order);
    assert_non_null(order);
    assert_true(reference_order(&reference, keys, selection->count, order));
    if (plan->desc.flags & CLSORT_PARTITION && selection->count > 0)
        order_parts(&reference, selection, keys, order);
    else if (plan->desc.operation == CLSORT_NTH && selection->count > 0)
        order[0] = order[selection->k];
    else if (plan->desc.flags & CLSORT_INPUT_ORDER)
        qsort(order, selection->k, sizeof *order, compare_sizes);
    return order;
}

static void make_arrays(const struct plan *plan, const struct selection *selection,
                        struct arrays *arrays)
{
    const size_t n = selection->count, key = plan->type->size, value = plan->desc.value_size;
    const size_t out = output_count(plan, selection);
    const size_t index = plan->desc.index_size, device_count = plan->desc.count_size;
    const size_t sizes[ARRAYS] = {n * key,
                                  n * value,
                                  device_count,
                                  out * key,
                                  out * value,
                                  out * index,
                                  device_count > 0 ? sizeof(uint64_t) : 0};
    size_t written;
    const struct selection made = clamp_selection(plan, selection, &written);
    for (size_t i = 0; i < ARRAYS; i++) {
        arrays->size[i] = sizes[i];
        arrays->data[i] = malloc(sizes[i] + 1);
        assert_non_null(arrays->data[i]);
        memset(arrays->data[i], FILL, sizes[i]);
    }
    set_count(plan, selection, arrays);
    assert_true(data_fill(plan->type, selection->dist, n + selection->k, arrays->data[KEYS], n));
    for (size_t i = 0; i < n && value > 0; i++)
        reference_value(i, value, arrays->data[VALUES] + i * value);
    size_t *order = expected_order(plan, &made, arrays->data[KEYS]);
    for (size_t i = 0; i < written; i++) {
        const uint32_t narrow = (uint32_t)order[i];
        const uint64_t wide = order[i];
        memcpy(arrays->data[KEYS_OUT] + i * key, arrays->data[KEYS] + order[i] * key, key);
        memcpy(arrays->data[VALUES_OUT] + i * value, arrays->data[VALUES] + order[i] * value,
               value);
        memcpy(arrays->data[INDEX_OUT] + i * index,
               index == sizeof narrow ? (const void *)&narrow : (const void *)&wide, index);
    }
    free(order);
}

static void enqueue(const struct plan *plan, const struct selection *selection,
                    const struct guarded *buffers)
{
    clsort_io io = CLSORT_IO_INIT;
    io.count = selection->count;
    io.k = selection->k;
    io.keys = buffers[KEYS].buffer;
    io.values = buffers[VALUES].buffer;
    io.count_buffer = buffers[COUNT].buffer;
    io.result = buffers[RESULT].buffer;
    io.keys_out = buffers[KEYS_OUT].buffer;
    io.values_out = buffers[VALUES_OUT].buffer;
    io.index_out = buffers[INDEX_OUT].buffer;
    io.scratch = buffers[SCRATCH].buffer;
    cl_event event = NULL;
    const cl_command_queue queue = selection->k % 2 ? plan->env->out_of_order : plan->env->queue;
    assert_ok(clsort_enqueue(plan->plan, queue, &io, 0, NULL, &event));
    assert_true(env_finish_event(event));
}

static void run(const struct plan *plan, const struct selection *selection)
{
    struct arrays arrays;
    struct guarded buffers[ARRAYS];
    const bool is_wanted[ARRAYS] = {true,
                                    plan->desc.value_size > 0,
                                    plan->desc.count_size > 0,
                                    selection->wants_keys,
                                    selection->wants_values && plan->desc.value_size > 0,
                                    selection->wants_indexes,
                                    plan->desc.count_size > 0,
                                    selection->own_scratch};
    uint8_t *fill = malloc(selection->count * LARGEST_ELEMENT);
    assert_non_null(fill);
    memset(fill, FILL, selection->count * LARGEST_ELEMENT);
    memset(buffers, 0, sizeof buffers);
    make_arrays(plan, selection, &arrays);
    assert_ok(clsort_scratch_size(plan->plan, selection->count, &arrays.size[SCRATCH]));
    const size_t pair = plan->type->size + plan->desc.index_size, fixed = (size_t)64 << 20;
    const size_t index = plan->desc.flags & CLSORT_PARTITION ? plan->desc.index_size : 0;
    assert_true(plan->desc.key == CLSORT_CUSTOM ||
                arrays.size[SCRATCH] <=
                    (plan->desc.operation == CLSORT_NTH
                         ? selection->count * (pair + index) + fixed
                         : 4 * plan->desc.max_k * pair + selection->count / 16 + fixed));
    for (size_t i = 0; i < ARRAYS; i++)
        if (is_wanted[i])
            assert_ok(guarded_create(
                &buffers[i], plan->env, i < SCRATCH ? selection->memory : GUARDED_PLAIN,
                i <= COUNT ? GUARDED_INPUT : GUARDED_OUTPUT, 8 * (selection->k % 3), arrays.size[i],
                i <= COUNT   ? arrays.data[i]
                : i < RESULT ? fill
                             : NULL));
    enqueue(plan, selection, buffers);
    for (size_t i = 0; i < ARRAYS; i++) {
        if (is_wanted[i])
            assert_true(
                guarded_has(&buffers[i], plan->env, names[i], i < SCRATCH ? arrays.data[i] : NULL));
        guarded_release(&buffers[i]);
        free(arrays.data[i]);
    }
    free(fill);
}

static size_t largest_count(void)
{
    const size_t largest = counts[LENGTH(counts) - 1];
    return largest < max_count ? largest : max_count;
}

/* Selects different numbers of elements of all counts. */
static void all_counts(const struct plan *plan)
{
    const bool is_nth = plan->desc.operation == CLSORT_NTH;
    size_t number = plan->type->size;
    for (size_t c = 0; c < LENGTH(counts); c++) {
        const size_t n = counts[c], ks[] = {0, 1, 2, n / 16, n / 2, n - 1, n};
        for (size_t i = 0; i < LENGTH(ks) && n <= max_count; i++, number++) {
            const struct selection selection = {
                .count = n,
                .k = ks[i],
                .device_count = device_count_of(n, ks[i], number),
                .dist = (enum data_dist)(number * 5 % DATA_DIST_COUNT),
                .wants_keys = number % 4 != 1,
                .wants_values = number % 4 != 2,
                .wants_indexes = number % 4 != 3,
                .own_scratch = number % 3 == 0,
                .memory = number % 5 == 0 ? GUARDED_CONST : GUARDED_PLAIN};
            if (selection.k <= n - is_nth && (i == 0 || ks[i] > ks[i - 1]))
                run(plan, &selection);
        }
    }
}

static const struct {
    uint32_t operation, flags;
    clsort_key key;
    size_t value_size;
    uint32_t index_size, begin_bit, end_bit, count_size;
} plans[] = {
    {CLSORT_SELECT, 0, CLSORT_U32, 0, 4, 0, 0, 0},
    {CLSORT_SELECT, CLSORT_INPUT_ORDER, CLSORT_U32, 4, 4, 0, 0, 0},
    {CLSORT_SELECT, CLSORT_DESCENDING, CLSORT_F32, 100, 8, 0, 0, 0},
    {CLSORT_SELECT, CLSORT_DESCENDING | CLSORT_FLOAT_NUMERIC | CLSORT_INPUT_ORDER, CLSORT_F64, 8, 4,
     0, 0, 0},
    {CLSORT_SELECT, 0, CLSORT_I64, 12, 8, 5, 50, 0},
    {CLSORT_SELECT, CLSORT_DESCENDING, CLSORT_U8, 4, 4, 0, 0, 0},
    {CLSORT_SELECT, CLSORT_INPUT_ORDER, CLSORT_F16, 0, 8, 0, 0, 0},
    {CLSORT_NTH, 0, CLSORT_U32, 4, 4, 0, 0, 0},
    {CLSORT_NTH, CLSORT_PARTITION, CLSORT_U32, 4, 4, 0, 0, 0},
    {CLSORT_NTH, CLSORT_PARTITION | CLSORT_DESCENDING, CLSORT_U8, 12, 8, 0, 0, 0},
    {CLSORT_NTH, CLSORT_PARTITION | CLSORT_FLOAT_NUMERIC, CLSORT_F64, 0, 8, 0, 0, 0},
    {CLSORT_NTH, CLSORT_PARTITION, CLSORT_I64, 0, 4, 3, 44, 0},
    {CLSORT_NTH, CLSORT_DESCENDING, CLSORT_I16, 0, 8, 0, 0, 0},
    {CLSORT_NTH, CLSORT_FLOAT_NUMERIC, CLSORT_F64, 24, 4, 0, 0, 0},
    {CLSORT_SELECT, 0, CLSORT_U32, 4, 4, 0, 0, 4},
    {CLSORT_SELECT, CLSORT_INPUT_ORDER | CLSORT_DESCENDING, CLSORT_F64, 0, 8, 0, 0, 8},
    {CLSORT_NTH, 0, CLSORT_U32, 24, 4, 0, 0, 8},
    {CLSORT_NTH, CLSORT_PARTITION, CLSORT_I16, 4, 4, 0, 0, 4},
};

/* The same orders as custom ones. */
static const struct {
    uint32_t operation;
    const char *type, *key_type, *less;
    uint32_t flags; /* of the same built-in order */
    size_t value_size;
    uint32_t index_size, count_size;
} custom_plans[] = {
    {CLSORT_SELECT, "u32", "uint", "a < b", 0, 24, 4, 0},
    {CLSORT_SELECT, "i64", "long", "a > b", CLSORT_DESCENDING, 0, 4, 0},
    {CLSORT_NTH, "u32", "uint", "a > b", CLSORT_DESCENDING, 4, 4, 0},
    {CLSORT_SELECT, "u32", "uint", "a > b", CLSORT_DESCENDING, 24, 8, 8},
    {CLSORT_NTH, "u32", "uint", "a < b", 0, 3, 4, 4},
};

static void custom_orders(void **state)
{
    struct env env;
    (void)state;
    assert_ok(env_open(&env));
    for (size_t i = 0; i < LENGTH(custom_plans); i++) {
        struct plan plan = {
            .env = &env, .desc = CLSORT_DESC_INIT, .type = data_type_find(custom_plans[i].type)};
        if (only_type && strcmp(only_type, plan.type->name) != 0)
            continue;
        plan.desc.operation = custom_plans[i].operation;
        plan.desc.key = CLSORT_CUSTOM;
        plan.desc.key_size = plan.type->size;
        plan.desc.key_type = custom_plans[i].key_type;
        plan.desc.less = custom_plans[i].less;
        plan.desc.value_size = custom_plans[i].value_size;
        plan.desc.index_size = custom_plans[i].index_size;
        plan.desc.count_size = custom_plans[i].count_size;
        plan.desc.max_count = largest_count();
        if (plan.desc.operation == CLSORT_SELECT)
            plan.desc.max_k = plan.desc.max_count;
        assert_ok(clsort_plan_create(env.engine, &plan.desc, &plan.plan));
        plan.desc.flags = custom_plans[i].flags; /* for the reference */
        all_counts(&plan);
        clsort_plan_destroy(plan.plan);
        plan.desc.flags = CLSORT_INPUT_ORDER;
        if (plan.desc.operation == CLSORT_NTH)
            plan.desc.flags = CLSORT_PARTITION;
        assert_status(clsort_plan_create(env.engine, &plan.desc, &plan.plan), CLSORT_E_UNSUPPORTED);
    }
    env_close(&env);
}

/* -- random selections ------------------------------------------------------------------------- */

static size_t below(uint64_t *state, size_t end)
{
    return (size_t)(bits_mix(*state += BITS_GAMMA) % end);
}

/* Returns a number up to max whose number of bits is uniform. */
static size_t some_number(uint64_t *state, size_t max)
{
    size_t bits = 0;
    while (max >> bits > 0)
        bits++;
    const size_t number = below(state, ((size_t)1 << below(state, bits + 1)) + 1);
    return number < max ? number : max;
}

/* Draws a descriptor, and selections of its plan. */
static bool run_seed(const struct env *env, uint64_t seed)
{
    static const size_t value_sizes[] = {0, 0, 1, 4, 8, 12, 24, 100};
    uint64_t state = bits_mix(seed), programs = bits_mix(bits_mix(seed / random_plans.group));
    struct plan plan = {.env = env, .desc = CLSORT_DESC_INIT};
    clsort_desc *desc = &plan.desc;
    size_t types = 0;
    while (data_type_at(types))
        types++;
    plan.type = data_type_at(below(&programs, types));
    desc->key = plan.type->key;
    desc->operation = below(&programs, 3) ? CLSORT_SELECT : CLSORT_NTH;
    const bool selects = desc->operation == CLSORT_SELECT;
    if (below(&state, 2))
        desc->flags |= CLSORT_DESCENDING;
    if (data_type_is_float(plan.type) && below(&state, 2))
        desc->flags |= CLSORT_FLOAT_NUMERIC;
    else if (!below(&state, 3)) {
        const uint32_t width = (uint32_t)plan.type->size * 8;
        desc->begin_bit = (uint32_t)below(&state, width);
        desc->end_bit = desc->begin_bit + 1 + (uint32_t)below(&state, width - desc->begin_bit);
    }
    if (below(&programs, 2))
        desc->flags |= selects ? CLSORT_INPUT_ORDER : CLSORT_PARTITION;
    desc->value_size = value_sizes[below(&programs, LENGTH(value_sizes))];
    desc->index_size = below(&state, 2) ? 4 : 8;
    desc->count_size = below(&programs, 3) ? 0 : 8;
    desc->max_count = 1 + some_number(&state, (size_t)1 << random_plans.max_power);
    desc->max_k = selects ? 1 + some_number(&state, desc->max_count - 1) : 0;
    printf("select random %" PRIu64
           ": %s operation=%u flags=%u values=%zu bits=%u..%u max_count=%zu max_k=%zu\n",
           seed, plan.type->name, desc->operation, desc->flags, desc->value_size, desc->begin_bit,
           desc->end_bit, desc->max_count, desc->max_k);
    fflush(stdout);
    assert_ok(clsort_plan_create(env->engine, desc, &plan.plan));
    for (size_t i = 0; i < random_plans.calls; i++) {
        struct selection selection = {.count = 1 + some_number(&state, desc->max_count - 1),
                                      .dist = (enum data_dist)below(&state, DATA_DIST_COUNT),
                                      .wants_keys = below(&state, 2),
                                      .wants_values = below(&state, 2),
                                      .own_scratch = below(&state, 2),
                                      .memory = below(&state, 3) ? GUARDED_PLAIN : GUARDED_CONST};
        const size_t max_k = !selects                        ? selection.count - 1
                             : selection.count < desc->max_k ? selection.count
                                                             : desc->max_k;
        selection.k = below(&state, 2) ? some_number(&state, max_k) : below(&state, max_k + 1);
        selection.device_count = device_count_of(selection.count, selection.k, below(&state, 64));
        selection.wants_indexes =
            (!selection.wants_keys && (!selection.wants_values || !desc->value_size)) ||
            below(&state, 2);
        run(&plan, &selection);
    }
    clsort_plan_destroy(plan.plan);
    return true;
}

static void selections(void **state)
{
    struct env env;
    (void)state;
    assert_ok(env_open(&env));
    for (size_t i = 0; i < LENGTH(plans); i++) {
        struct plan plan = {
            .env = &env, .desc = CLSORT_DESC_INIT, .type = data_type_of(plans[i].key)};
        if (only_type && strcmp(only_type, plan.type->name) != 0)
            continue;
        plan.desc.operation = plans[i].operation;
        plan.desc.flags = plans[i].flags;
        plan.desc.key = plans[i].key;
        plan.desc.value_size = plans[i].value_size;
        plan.desc.index_size = plans[i].index_size;
        plan.desc.begin_bit = plans[i].begin_bit;
        plan.desc.end_bit = plans[i].end_bit;
        plan.desc.count_size = plans[i].count_size;
        plan.desc.max_count = largest_count();
        if (plan.desc.operation == CLSORT_SELECT)
            plan.desc.max_k = plan.desc.max_count;
        const clsort_status status = clsort_plan_create(env.engine, &plan.desc, &plan.plan);
        if (status) {
            char text[512];
            clsort_last_error(NULL, sizeof text, text, NULL);
            fprintf(stderr, "plan %zu: %s\n", i, text);
        }
        assert_ok(status);
        all_counts(&plan);
        clsort_plan_destroy(plan.plan);
    }
    env_close(&env);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(selections),
                                       cmocka_unit_test(custom_orders)};
    if (argc > 1 && strcmp(argv[1], "random") == 0)
        return random_plans_main(&random_plans, argc - 1, argv + 1, run_seed);
    if (argc > 1)
        max_count = (size_t)strtoull(argv[1], NULL, 10);
    only_type = argc > 2 ? argv[2] : NULL;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
