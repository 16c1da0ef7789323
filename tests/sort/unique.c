/* unique.c - CLSORT_UNIQUE and CLSORT_CHECK with all types, orders and outputs, inputs in order and not, and canaries
 * around all arrays
 *
 *     unique [MAX [TYPE]]
 *     unique random [FIRST_SEED [SEEDS [INPUTS [MAX_POWER [GROUP]]]]]
 *
 * MAX leaves out larger counts, for slow devices. TYPE leaves out the other types. A seed determines a random
 * descriptor of up to 2^MAX_POWER elements (default: 19) and INPUTS (6); it is printed before they run. GROUP seeds (1)
 * share what programs depend on, so that thousands of plans can be tested. */
#include "random_plans.h"

#include "bits.h"
#include "check.h"
#include "guarded.h"
#include "reference.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* Steps, strips, tiles and chunks of the kernels end at these or next to them. */
static const size_t counts[] = {0,    1,    2,    16,   17,   64,   65,    255,   1000,
                                2049, 4095, 4096, 4097, 8193, 9001, 70001, 300001};
static size_t max_count = SIZE_MAX;
static const char *only_type;
static struct random_plans random_plans = {1, 40, 6, 19, 1, NULL};

/* How the keys are arranged. */
enum arrangement {
    IN_ORDER,
    ONE_VIOLATION, /* in order, but for an element that precedes the one before it */
    AS_GENERATED,
    ARRANGEMENTS
};

struct input {
    size_t count;
    uint64_t device_count; /* with clsort_desc.count_size: `count` is then its maximum */
    enum data_dist dist;
    enum arrangement arrangement;
    uint64_t seed;
    bool wants_keys, wants_values, wants_indexes, own_scratch;
    enum guarded_memory memory;
};

/* A plan, and everything that it was created for. */
struct plan {
    const struct env *env;
    clsort_desc desc;
    const struct data_type *type;
    uint32_t order_flags; /* of a built-in order that is the same */
    clsort_plan *plan;
};

enum { KEYS, VALUES, DEVICE_COUNT, KEYS_OUT, VALUES_OUT, INDEX_OUT, RESULT, SCRATCH, ARRAYS };

static const char *const names[ARRAYS] = {"keys",       "values",    "count_buffer", "keys_out",
                                          "values_out", "index_out", "result",       "scratch"};

/* The arrays in host memory: the input, and the expected output. */
struct arrays {
    uint8_t *data[ARRAYS];
    size_t size[ARRAYS]; /* in bytes */
};

static struct reference reference_of(const struct plan *plan)
{
    return (struct reference){plan->type, plan->order_flags, plan->desc.begin_bit,
                              plan->desc.end_bit};
}

static uint64_t rank_at(const struct plan *plan, const uint8_t *keys, size_t i)
{
    const struct reference reference = reference_of(plan);
    return reference_rank(&reference, keys + i * plan->type->size);
}

/* Sorts the keys, most of which then have equal neighbours if half of them are copies of others. */
static void sort_keys(const struct plan *plan, size_t count, uint8_t *keys)
{
    const struct reference reference = reference_of(plan);
    const size_t size = plan->type->size;
    size_t *order = malloc((count + 1) * sizeof *order);
    uint8_t *sorted = malloc(count * size + 1);
    assert_true(order && sorted);
    assert_true(reference_order(&reference, keys, count, order));
    for (size_t i = 0; i < count; i++)
        memcpy(sorted + i * size, keys + order[i] * size, size);
    memcpy(keys, sorted, count * size);
    free(order);
    free(sorted);
}

static void fill_keys(const struct plan *plan, const struct input *input, uint8_t *keys)
{
    const size_t n = input->count, size = plan->type->size;
    uint64_t state = input->seed;
    assert_true(data_fill(plan->type, input->dist, input->seed, keys, n));
    for (size_t i = 1; i < n; i++)
        if (bits_mix(state += BITS_GAMMA) % 4 == 0)
            memcpy(keys + i * size, keys + (i - 1) * size, size);
    if (input->arrangement == AS_GENERATED)
        return;
    sort_keys(plan, n, keys);
    if (n > 0 && input->arrangement == ONE_VIOLATION)
        memcpy(keys + bits_mix(state) % n * size, keys, size);
}

/* Fills the expected outputs behind the last run with the bytes that are there before. */
static void expect_runs(const struct plan *plan, size_t count, const struct arrays *arrays)
{
    const size_t key = plan->type->size, value = plan->desc.value_size,
                 index = plan->desc.index_size;
    uint64_t runs = 0;
    for (size_t i = KEYS_OUT; i <= INDEX_OUT; i++)
        memset(arrays->data[i], 0x5a, arrays->size[i]);
    for (size_t i = 0; i < count; i++) {
        const uint32_t narrow = (uint32_t)i;
        const uint64_t wide = i;
        if (i > 0 &&
            rank_at(plan, arrays->data[KEYS], i) == rank_at(plan, arrays->data[KEYS], i - 1))
            continue;
        memcpy(arrays->data[KEYS_OUT] + runs * key, arrays->data[KEYS] + i * key, key);
        memcpy(arrays->data[VALUES_OUT] + runs * value, arrays->data[VALUES] + i * value, value);
        memcpy(arrays->data[INDEX_OUT] + runs * index,
               index == sizeof narrow ? (const void *)&narrow : (const void *)&wide, index);
        runs++;
    }
    memcpy(arrays->data[RESULT], &runs, sizeof runs);
}

static void expect_violation(const struct plan *plan, size_t count, const struct arrays *arrays)
{
    uint64_t first = count;
    for (size_t i = 1; i < count && first == count; i++)
        if (rank_at(plan, arrays->data[KEYS], i) < rank_at(plan, arrays->data[KEYS], i - 1))
            first = i;
    memcpy(arrays->data[RESULT], &first, sizeof first);
}

/* Sets the flag of a count in device memory in the expected result. */
static void flag_excess(bool exceeds, const struct arrays *arrays)
{
    uint64_t result;
    memcpy(&result, arrays->data[RESULT], sizeof result);
    result |= exceeds ? CLSORT_COUNT_EXCEEDED : 0;
    memcpy(arrays->data[RESULT], &result, sizeof result);
}

static bool is_unique(const struct plan *plan)
{
    return plan->desc.operation == CLSORT_UNIQUE;
}

static void make_arrays(const struct plan *plan, const struct input *input, struct arrays *arrays)
{
    const size_t n = input->count, key = plan->type->size, value = plan->desc.value_size;
    const uint32_t count_size = plan->desc.count_size, narrow = (uint32_t)input->device_count;
    const bool exceeds = count_size > 0 && input->device_count > n;
    const size_t compared = count_size == 0 || exceeds ? n : (size_t)input->device_count;
    const size_t sizes[ARRAYS] = {n * key,          n * value, count_size,
                                  n * key,          n * value, n * plan->desc.index_size,
                                  sizeof(uint64_t), 0};
    for (size_t i = 0; i < ARRAYS; i++) {
        arrays->size[i] = sizes[i];
        arrays->data[i] = malloc(sizes[i] + 1);
        assert_non_null(arrays->data[i]);
    }
    fill_keys(plan, input, arrays->data[KEYS]);
    for (size_t i = 0; i < n && value > 0; i++)
        reference_value(i, value, arrays->data[VALUES] + i * value);
    memcpy(arrays->data[DEVICE_COUNT],
           count_size == sizeof narrow ? (const void *)&narrow : (const void *)&input->device_count,
           count_size);
    if (is_unique(plan))
        expect_runs(plan, compared, arrays);
    else
        expect_violation(plan, compared, arrays);
    flag_excess(exceeds, arrays);
    assert_ok(clsort_scratch_size(plan->plan, n, &arrays->size[SCRATCH]));
    assert_true(arrays->size[SCRATCH] <= n / 64 + ((size_t)1 << 20));
}

static void create_buffers(const struct plan *plan, const struct input *input,
                           const struct arrays *arrays, struct guarded *buffers)
{
    const bool has_values = plan->desc.value_size > 0;
    const bool is_wanted[ARRAYS] = {true,
                                    has_values && input->wants_values,
                                    plan->desc.count_size > 0,
                                    is_unique(plan) && input->wants_keys,
                                    has_values && input->wants_values,
                                    is_unique(plan) && input->wants_indexes,
                                    true,
                                    input->own_scratch};
    memset(buffers, 0, ARRAYS * sizeof *buffers);
    for (size_t i = 0; i < ARRAYS; i++) {
        uint8_t *before = malloc(arrays->size[i] + 1);
        assert_non_null(before);
        memset(before, 0x5a, arrays->size[i]);
        if (is_wanted[i])
            assert_ok(guarded_create(
                &buffers[i], plan->env, i < RESULT ? input->memory : GUARDED_PLAIN,
                i < KEYS_OUT ? GUARDED_INPUT : GUARDED_OUTPUT, 8 * (input->count % 3),
                arrays->size[i], i < KEYS_OUT ? arrays->data[i] : before));
        free(before);
    }
}

static void enqueue(const struct plan *plan, const struct input *input,
                    const struct guarded *buffers)
{
    clsort_io io = CLSORT_IO_INIT;
    io.count = input->count;
    io.keys = buffers[KEYS].buffer;
    io.values = buffers[VALUES].buffer;
    io.keys_out = buffers[KEYS_OUT].buffer;
    io.values_out = buffers[VALUES_OUT].buffer;
    io.index_out = buffers[INDEX_OUT].buffer;
    io.result = buffers[RESULT].buffer;
    io.scratch = buffers[SCRATCH].buffer;
    io.count_buffer = buffers[DEVICE_COUNT].buffer;
    cl_event event = NULL;
    const cl_command_queue queue = input->seed % 2 ? plan->env->out_of_order : plan->env->queue;
    assert_ok(clsort_enqueue(plan->plan, queue, &io, 0, NULL, &event));
    assert_true(env_finish_event(event));
}

static void run(const struct plan *plan, const struct input *input)
{
    struct arrays arrays;
    struct guarded buffers[ARRAYS];
    make_arrays(plan, input, &arrays);
    create_buffers(plan, input, &arrays, buffers);
    enqueue(plan, input, buffers);
    for (size_t i = 0; i < ARRAYS; i++) {
        if (buffers[i].buffer.mem)
            assert_true(
                guarded_has(&buffers[i], plan->env, names[i], i < SCRATCH ? arrays.data[i] : NULL));
        guarded_release(&buffers[i]);
        free(arrays.data[i]);
    }
}

static void create_plan(struct plan *plan)
{
    const clsort_status status = clsort_plan_create(plan->env->engine, &plan->desc, &plan->plan);
    if (status) {
        char text[512];
        clsort_last_error(NULL, sizeof text, text, NULL);
        fprintf(stderr, "%s: %s\n", plan->type->name, text);
    }
    assert_ok(status);
}

/* Runs the plan with inputs of all counts and arrangements. */
static void all_counts(const struct plan *plan)
{
    size_t number = plan->type->size;
    for (size_t c = 0; c < LENGTH(counts) && counts[c] <= max_count; c++)
        for (int a = 0; a < ARRANGEMENTS; a++, number++) {
            const bool is_large = counts[c] * plan->desc.value_size > (size_t)16 << 20;
            const size_t count = is_large ? counts[c] / 50 : counts[c];
            const uint64_t device_counts[] = {count / 100, count, count + 1, count / 2 + 1};
            const struct input input = {.count = count,
                                        .device_count = device_counts[(c + number) % 4],
                                        .dist = (enum data_dist)(number * 5 % DATA_DIST_COUNT),
                                        .arrangement = (enum arrangement)a,
                                        .seed = number,
                                        .wants_keys = number % 4 != 1,
                                        .wants_values = number % 4 != 2,
                                        .wants_indexes = number % 4 != 3,
                                        .own_scratch = number % 5 == 0,
                                        .memory = number % 5 == 1 ? GUARDED_CONST : GUARDED_PLAIN};
            run(plan, &input);
        }
}

static const struct {
    uint32_t flags;
    clsort_key key;
    size_t value_size;
    uint32_t index_size, begin_bit, end_bit, count_size;
} plans[] = {
    {0, CLSORT_U32, 0, 4, 0, 0, 0},
    {0, CLSORT_U32, 4, 8, 0, 0, 4},
    {CLSORT_DESCENDING, CLSORT_U32, 16, 4, 4, 20, 0},
    {0, CLSORT_U64, 8, 4, 0, 0, 0},
    {CLSORT_DESCENDING, CLSORT_I64, 100, 8, 0, 0, 0},
    {0, CLSORT_I32, 3, 4, 32, 32, 0},
    {0, CLSORT_I8, 1, 4, 0, 0, 8},
    {CLSORT_DESCENDING, CLSORT_U8, 2, 8, 3, 7, 0},
    {0, CLSORT_U16, 12, 4, 0, 0, 0},
    {CLSORT_DESCENDING, CLSORT_I16, 1000, 4, 0, 0, 8},
    {0, CLSORT_F16, 6, 4, 0, 0, 0},
    {CLSORT_FLOAT_NUMERIC, CLSORT_F16, 0, 8, 0, 0, 0},
    {0, CLSORT_F32, 24, 4, 0, 0, 0},
    {CLSORT_DESCENDING | CLSORT_FLOAT_NUMERIC, CLSORT_F32, 4, 8, 0, 0, 0},
    {CLSORT_DESCENDING, CLSORT_F64, 0, 4, 0, 0, 0},
    {CLSORT_FLOAT_NUMERIC, CLSORT_F64, 8, 8, 0, 0, 4},
};

/* Runs both operations, of which only CLSORT_UNIQUE has values and indexes. */
static void both_operations(struct plan *plan, uint32_t index_size)
{
    const size_t value_size = plan->desc.value_size;
    for (uint32_t operation = CLSORT_UNIQUE; operation <= CLSORT_CHECK; operation++) {
        plan->desc.operation = operation;
        plan->desc.value_size = is_unique(plan) ? value_size : 0;
        plan->desc.index_size = is_unique(plan) ? index_size : 0;
        create_plan(plan);
        all_counts(plan);
        clsort_plan_destroy(plan->plan);
    }
}

static void built_in_orders(void **state)
{
    struct env env;
    (void)state;
    assert_ok(env_open(&env));
    for (size_t i = 0; i < LENGTH(plans); i++) {
        struct plan plan = {
            .env = &env, .desc = CLSORT_DESC_INIT, .type = data_type_of(plans[i].key)};
        if (only_type && strcmp(only_type, plan.type->name) != 0)
            continue;
        plan.desc.flags = plan.order_flags = plans[i].flags;
        plan.desc.key = plans[i].key;
        plan.desc.value_size = plans[i].value_size;
        plan.desc.begin_bit = plans[i].begin_bit;
        plan.desc.end_bit = plans[i].end_bit;
        plan.desc.count_size = plans[i].count_size;
        both_operations(&plan, plans[i].index_size);
    }
    env_close(&env);
}

/* Orders that are also built in. */
static const struct {
    const char *type, *key_type, *less;
    uint32_t flags; /* of the built-in order */
    size_t value_size;
    uint32_t count_size;
} custom_plans[] = {
    {"u32", "uint", "a < b", 0, 24, 0},
    {"i64", "long", "a > b", CLSORT_DESCENDING, 0, 8},
    {"u8", "uchar", "a > b", CLSORT_DESCENDING, 4, 0},
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
        plan.order_flags = custom_plans[i].flags;
        plan.desc.key = CLSORT_CUSTOM;
        plan.desc.key_size = plan.type->size;
        plan.desc.key_type = custom_plans[i].key_type;
        plan.desc.less = custom_plans[i].less;
        plan.desc.value_size = custom_plans[i].value_size;
        plan.desc.count_size = custom_plans[i].count_size;
        both_operations(&plan, 4);
    }
    env_close(&env);
}

/* -- random inputs ----------------------------------------------------------------------------- */

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

static void draw_descriptor(struct plan *plan, uint64_t seed, uint64_t *state)
{
    static const size_t value_sizes[] = {0, 0, 1, 4, 8, 12, 24, 100};
    uint64_t programs = bits_mix(bits_mix(seed / random_plans.group));
    clsort_desc *desc = &plan->desc;
    size_t types = 0;
    while (data_type_at(types))
        types++;
    plan->type = data_type_at(below(&programs, types));
    desc->key = plan->type->key;
    desc->operation = below(&programs, 3) ? CLSORT_UNIQUE : CLSORT_CHECK;
    if (below(state, 2))
        desc->flags |= CLSORT_DESCENDING;
    if (data_type_is_float(plan->type) && below(state, 2))
        desc->flags |= CLSORT_FLOAT_NUMERIC;
    else if (!below(state, 3)) {
        const uint32_t width = (uint32_t)plan->type->size * 8;
        desc->begin_bit = (uint32_t)below(state, width);
        desc->end_bit = desc->begin_bit + 1 + (uint32_t)below(state, width - desc->begin_bit);
    }
    plan->order_flags = desc->flags;
    if (!below(state, 4))
        desc->flags |= CLSORT_UNSTABLE;
    desc->value_size = is_unique(plan) ? value_sizes[below(&programs, LENGTH(value_sizes))] : 0;
    desc->index_size = !is_unique(plan) ? 0 : below(state, 2) ? 4 : 8;
    desc->count_size = below(&programs, 3) ? 0 : 4 + 4 * (uint32_t)below(&programs, 2);
    desc->max_count = 1 + some_number(state, (size_t)1 << random_plans.max_power);
}

static bool run_seed(const struct env *env, uint64_t seed)
{
    uint64_t state = bits_mix(seed);
    struct plan plan = {.env = env, .desc = CLSORT_DESC_INIT};
    draw_descriptor(&plan, seed, &state);
    printf("unique random %" PRIu64
           ": %s operation=%u flags=%u values=%zu indexes=%u bits=%u..%u max_count=%zu "
           "count_size=%u\n",
           seed, plan.type->name, plan.desc.operation, plan.desc.flags, plan.desc.value_size,
           plan.desc.index_size, plan.desc.begin_bit, plan.desc.end_bit, plan.desc.max_count,
           plan.desc.count_size);
    fflush(stdout);
    create_plan(&plan);
    for (size_t i = 0; i < random_plans.calls; i++) {
        struct input input = {.count = some_number(&state, plan.desc.max_count),
                              .dist = (enum data_dist)below(&state, DATA_DIST_COUNT),
                              .arrangement = (enum arrangement)below(&state, ARRANGEMENTS),
                              .seed = bits_mix(state),
                              .wants_keys = below(&state, 2),
                              .wants_values = below(&state, 2),
                              .own_scratch = below(&state, 2),
                              .memory = below(&state, 3) ? GUARDED_PLAIN : GUARDED_CONST};
        input.device_count =
            below(&state, 4) ? some_number(&state, input.count) : input.count + below(&state, 3);
        input.wants_indexes =
            (!input.wants_keys && (!input.wants_values || !plan.desc.value_size)) ||
            below(&state, 2);
        run(&plan, &input);
    }
    clsort_plan_destroy(plan.plan);
    return true;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(built_in_orders),
                                       cmocka_unit_test(custom_orders)};
    if (argc > 1 && strcmp(argv[1], "random") == 0)
        return random_plans_main(&random_plans, argc - 1, argv + 1, run_seed);
    if (argc > 1)
        max_count = (size_t)strtoull(argv[1], NULL, 10);
    only_type = argc > 2 ? argv[2] : NULL;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
