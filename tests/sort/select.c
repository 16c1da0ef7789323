/* select.c - CLSORT_SELECT and CLSORT_NTH with all types, orders, outputs and distributions, and canaries around all
 * arrays
 *
 *     select [MAX [TYPE]]
 *
 * MAX leaves out larger counts, for slow devices. TYPE leaves out the other types. */
#include "bits.h"
#include "check.h"
#include "guarded.h"
#include "reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t counts[] = {1, 2, 33, 1000, 4097, 70001, 300001};
static size_t max_count = SIZE_MAX;
static const char *only_type;

/* What differs between the selections of a plan. */
struct selection {
    size_t count, k;
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

enum { KEYS, VALUES, KEYS_OUT, VALUES_OUT, INDEX_OUT, SCRATCH, ARRAYS };

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
    if (plan->desc.operation == CLSORT_NTH)
        order[0] = order[selection->k];
    else if (plan->desc.flags & CLSORT_INPUT_ORDER)
        qsort(order, selection->k, sizeof *order, compare_sizes);
    return order;
}

static void make_arrays(const struct plan *plan, const struct selection *selection,
                        struct arrays *arrays)
{
    const size_t n = selection->count, key = plan->type->size, value = plan->desc.value_size;
    const size_t out = plan->desc.operation == CLSORT_NTH ? 1 : selection->k;
    const size_t index = plan->desc.index_size;
    const size_t sizes[ARRAYS] = {n * key, n * value, out * key, out * value, out * index, 0};
    for (size_t i = 0; i < ARRAYS; i++) {
        arrays->size[i] = sizes[i];
        arrays->data[i] = malloc(sizes[i] + 1);
        assert_non_null(arrays->data[i]);
    }
    assert_true(data_fill(plan->type, selection->dist, n + selection->k, arrays->data[KEYS], n));
    for (size_t i = 0; i < n && value > 0; i++)
        reference_value(i, value, arrays->data[VALUES] + i * value);
    size_t *order = expected_order(plan, selection, arrays->data[KEYS]);
    for (size_t i = 0; i < out; i++) {
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
    io.keys_out = buffers[KEYS_OUT].buffer;
    io.values_out = buffers[VALUES_OUT].buffer;
    io.index_out = buffers[INDEX_OUT].buffer;
    io.scratch = buffers[SCRATCH].buffer;
    cl_event event = NULL;
    const cl_command_queue queue = selection->k % 2 ? plan->env->out_of_order : plan->env->queue;
    assert_ok(clsort_enqueue(plan->plan, queue, &io, 0, NULL, &event));
    assert_true(env_finish_event(event));
}

static void check_array(const struct plan *plan, const struct guarded *guarded, const uint8_t *data)
{
    uint8_t *found = malloc(guarded->size + 1);
    bool intact = false;
    assert_non_null(found);
    assert_ok(guarded_read(guarded, plan->env, found, &intact));
    assert_true(intact);
    if (data)
        assert_memory_equal(found, data, guarded->size);
    free(found);
}

static void run(const struct plan *plan, const struct selection *selection)
{
    struct arrays arrays;
    struct guarded buffers[ARRAYS];
    const bool is_wanted[ARRAYS] = {true,
                                    plan->desc.value_size > 0,
                                    selection->wants_keys,
                                    selection->wants_values && plan->desc.value_size > 0,
                                    selection->wants_indexes,
                                    selection->own_scratch};
    memset(buffers, 0, sizeof buffers);
    make_arrays(plan, selection, &arrays);
    assert_ok(clsort_scratch_size(plan->plan, selection->count, &arrays.size[SCRATCH]));
    const size_t pair = plan->type->size + plan->desc.index_size, fixed = (size_t)64 << 20;
    assert_true(arrays.size[SCRATCH] <=
                (plan->desc.operation == CLSORT_NTH
                     ? selection->count * pair + fixed
                     : 4 * plan->desc.max_k * pair + selection->count / 16 + fixed));
    for (size_t i = 0; i < ARRAYS; i++)
        if (is_wanted[i])
            assert_ok(guarded_create(
                &buffers[i], plan->env, i < SCRATCH ? selection->memory : GUARDED_PLAIN,
                i <= VALUES ? GUARDED_INPUT : GUARDED_OUTPUT, 8 * (selection->k % 3),
                arrays.size[i], i <= VALUES ? arrays.data[i] : NULL));
    enqueue(plan, selection, buffers);
    for (size_t i = 0; i < ARRAYS; i++) {
        if (is_wanted[i])
            check_array(plan, &buffers[i], i < SCRATCH ? arrays.data[i] : NULL);
        guarded_release(&buffers[i]);
        free(arrays.data[i]);
    }
}

/* Selects different numbers of elements of all counts. */
static void all_counts(const struct plan *plan)
{
    const bool is_nth = plan->desc.operation == CLSORT_NTH;
    size_t number = plan->type->size;
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        const size_t n = counts[c], ks[] = {0, 1, 2, n / 16, n / 2, n - 1, n};
        for (size_t i = 0; i < sizeof ks / sizeof *ks && n <= max_count; i++, number++) {
            const struct selection selection = {
                .count = n,
                .k = ks[i],
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
    uint32_t index_size, begin_bit, end_bit;
} plans[] = {
    {CLSORT_SELECT, 0, CLSORT_U32, 0, 4, 0, 0},
    {CLSORT_SELECT, CLSORT_INPUT_ORDER, CLSORT_U32, 4, 4, 0, 0},
    {CLSORT_SELECT, CLSORT_DESCENDING, CLSORT_F32, 100, 8, 0, 0},
    {CLSORT_SELECT, CLSORT_DESCENDING | CLSORT_FLOAT_NUMERIC | CLSORT_INPUT_ORDER, CLSORT_F64, 8, 4,
     0, 0},
    {CLSORT_SELECT, 0, CLSORT_I64, 12, 8, 5, 50},
    {CLSORT_SELECT, CLSORT_DESCENDING, CLSORT_U8, 4, 4, 0, 0},
    {CLSORT_SELECT, CLSORT_INPUT_ORDER, CLSORT_F16, 0, 8, 0, 0},
    {CLSORT_NTH, 0, CLSORT_U32, 4, 4, 0, 0},
    {CLSORT_NTH, CLSORT_DESCENDING, CLSORT_I16, 0, 8, 0, 0},
    {CLSORT_NTH, CLSORT_FLOAT_NUMERIC, CLSORT_F64, 24, 4, 0, 0},
};

static void selections(void **state)
{
    struct env env;
    (void)state;
    assert_ok(env_open(&env));
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
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
        plan.desc.max_count = counts[sizeof counts / sizeof *counts - 1];
        if (plan.desc.max_count > max_count)
            plan.desc.max_count = max_count;
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(selections)};
    if (argc > 1)
        max_count = (size_t)strtoull(argv[1], NULL, 10);
    only_type = argc > 2 ? argv[2] : NULL;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
