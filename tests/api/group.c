/* group.c - clsort_group_host: the result is that of clsort_host, whatever devices there are and whichever of them fail
 *
 *   clsort-test-group                     the contracts, on few descriptors
 *   clsort-test-group many                the same with 7 devices
 *   clsort-test-group all                 a group of all devices of all platforms
 *   clsort-test-group FIRST_SEED SEEDS    random descriptors and inputs */
#include "group_fixture.h"

#include "custom_order.h"
#include "threads.h"

#include "bits.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- keys of built-in types ------------------------------------------------------------------------ */

/* The random descriptors have more types. */
static void sorts(void **data)
{
    static const struct group_kind kinds[] = {
        {CLSORT_U32, 0, DATA_UNIFORM, MAX_COUNT, 0, 0},
        {CLSORT_U32, 0, DATA_UNIFORM, 2 * MIN_SHARE - 1, 0, 0},
        {CLSORT_U32, 0, DATA_UNIFORM, 2 * MIN_SHARE + 1, 0, 0},
        {CLSORT_U32, 0, DATA_HOT, 5 * MIN_SHARE + 3, 4, 0},
        {CLSORT_U32, 0, DATA_EQUAL, 3 * MIN_SHARE + 1, 4, 0},
        {CLSORT_U32, 0, DATA_FEW, 7 * MIN_SHARE + 9, 4, 0},
        {CLSORT_U32, 0, DATA_SORTED, MAX_COUNT, 0, 0},
        {CLSORT_U32, 0, DATA_REVERSED, MAX_COUNT, 0, 0},
        {CLSORT_U64, CLSORT_DESCENDING, DATA_ROOT_DUPS, 100001, 0, 0},
        {CLSORT_F64, CLSORT_FLOAT_NUMERIC, DATA_SPECIAL, 6 * MIN_SHARE - 5, 0, 0},
        {CLSORT_F32, 0, DATA_SPECIAL, 70000, 20, 0},
        {CLSORT_U32, 0, DATA_FEW, MAX_COUNT + 1, 0, 4},
        {CLSORT_I64, CLSORT_DESCENDING, DATA_RUNS, 90000, 0, 8},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const struct group_sort sort = group_sort_of(&kinds[i], i);
        group_check(*data, &sort, data_dist_name(kinds[i].dist));
        free(sort.keys);
    }
}

/* Devices that differ: the second sort has shares by their speed. */
static void sorts_on_all(void **data)
{
    static const struct group_kind kinds[] = {
        {CLSORT_U32, 0, DATA_UNIFORM, MAX_COUNT, 0, 0},
        {CLSORT_U32, 0, DATA_FEW, MAX_COUNT, 4, 0},
    };
    for (size_t i = 0; i < 4; i++) {
        const struct group_sort sort = group_sort_of(&kinds[i / 2], i);
        group_check(*data, &sort, "all devices");
        free(sort.keys);
    }
}

/* Fewer elements than devices, and as many as the calling thread sorts. */
static void few(void **data)
{
    static const size_t counts[] = {0, 1, 2, 3, 6, 7, 1000, MIN_SHARE, MIN_SHARE + 1};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const struct group_kind kind = {CLSORT_U32, 0, DATA_FEW, counts[i], 4, 0};
        const struct group_sort sort = group_sort_of(&kind, i);
        group_check(*data, &sort, "few");
        free(sort.keys);
    }
}

/* A bit range, and a named algorithm, also for few elements. */
static void options(void **data)
{
    static const size_t counts[] = {5, 1000, 80000};
    for (size_t i = 0; i < 3; i++) {
        const struct group_kind kind = {CLSORT_U32, 0, DATA_UNIFORM, counts[i], 4, 0};
        struct group_sort sort = group_sort_of(&kind, i);
        sort.desc.algorithm = "radix";
        group_check(*data, &sort, "algorithm");
        sort.desc.algorithm = NULL;
        sort.desc.begin_bit = 7;
        sort.desc.end_bit = 10;
        group_check(*data, &sort, "bit range");
        free(sort.keys);
    }
}

/* Checks that a result has all elements in order; equal ones may be in any order. */
static void check_unstable(const struct group_sort *sort, struct group_arrays arrays,
                           struct group_arrays right)
{
    const struct group_arrays given = group_copy(sort);
    assert_memory_equal(arrays.keys, right.keys, sort->count * sort->key_size);
    assert_true(data_checksum(arrays.values, sort->value_size, sort->count) ==
                data_checksum(right.values, sort->value_size, sort->count));
    for (size_t i = 0; i < sort->count && sort->desc.index_size > 0; i++) {
        const uint32_t *indexes = (const uint32_t *)arrays.values,
                       *stable = (const uint32_t *)right.values;
        assert_in_range(indexes[i], 0, sort->count - 1);
        assert_memory_equal(given.keys + indexes[i] * sort->key_size,
                            given.keys + stable[i] * sort->key_size, sort->key_size);
    }
    group_drop(given);
}

/* Several devices support and refuse flags as a plan of one device does. */
static void flags_of_sorts(void **data)
{
    static const struct group_kind kinds[] = {{CLSORT_U32, 0, DATA_FEW, 4 * MIN_SHARE, 0, 0},
                                              {CLSORT_U32, 0, DATA_FEW, 4 * MIN_SHARE, 4, 0},
                                              {CLSORT_U32, 0, DATA_FEW, 4 * MIN_SHARE, 0, 4}};
    static const struct {
        size_t kind;
        uint32_t flags;
        clsort_status expected;
    } rows[] = {
        {0, CLSORT_UNSTABLE, CLSORT_OK},
        {0, CLSORT_NO_SCRATCH, CLSORT_OK},
        {1, CLSORT_UNSTABLE, CLSORT_OK},
        {1, CLSORT_NO_SCRATCH, CLSORT_E_UNSUPPORTED}, /* no stable algorithm does without scratch */
        {1, CLSORT_UNSTABLE | CLSORT_NO_SCRATCH, CLSORT_OK},
        {2, CLSORT_UNSTABLE, CLSORT_OK},
        {2, CLSORT_NO_SCRATCH, CLSORT_E_UNSUPPORTED},
        {2, CLSORT_UNSTABLE | CLSORT_NO_SCRATCH, CLSORT_E_UNSUPPORTED},
    };
    const struct group_state *state = *data;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct group_sort sort = group_sort_of(&kinds[rows[i].kind], i);
        const struct group_arrays right = group_expected(state, &sort);
        sort.desc.flags = rows[i].flags;
        for (size_t g = 0; g < state->count; g++) {
            const struct group_arrays arrays = group_copy(&sort);
            if (state->devices[g] > 1)
                assert_status(group_run(state->groups[g], &sort, arrays), rows[i].expected);
            if (state->devices[g] > 1 && rows[i].expected == CLSORT_OK)
                check_unstable(&sort, arrays, right);
            group_drop(arrays);
        }
        group_drop(right);
        free(sort.keys);
    }
}

/* -- records and custom orders --------------------------------------------------------------------- */

static const clsort_column columns[] = {{CLSORT_U16, CLSORT_DESCENDING, 0, 3},
                                        {CLSORT_BYTES, 0, 5, 8}};

static struct group_sort make_records(size_t count, size_t size, uint32_t index_size)
{
    struct group_sort sort = {.desc = CLSORT_DESC_INIT,
                              .count = count,
                              .key_size = size,
                              .value_size = index_size,
                              .keys = malloc(count * size + 1)};
    uint64_t random = count;
    assert_non_null(sort.keys);
    for (size_t i = 0; i < count * size; i++) { /* many fields are equal */
        const uint64_t bits = bits_mix(random += BITS_GAMMA);
        sort.keys[i] = bits % 8 == 0 ? (uint8_t)(bits >> 8) : 0;
    }
    if (index_size > 0)
        sort.desc.operation = CLSORT_ARGSORT;
    sort.desc.index_size = index_size;
    return sort;
}

static void records(void **data)
{
    static const size_t counts[] = {9, 2 * MIN_SHARE + 5, 7 * MIN_SHARE + 100};
    for (size_t i = 0; i < 6; i++) {
        struct group_sort sort = make_records(counts[i / 2], 21, i % 2 ? 4 : 0);
        sort.desc.columns = columns;
        sort.desc.column_count = 2;
        sort.desc.record_size = 21;
        group_check(*data, &sort, "records");
        free(sort.keys);
    }
}

static void byte_strings(void **data)
{
    for (size_t i = 0; i < 2; i++) {
        struct group_sort sort = make_records(3 * MIN_SHARE + i, 11, i % 2 ? 8 : 0);
        sort.desc.key = CLSORT_BYTES;
        sort.desc.key_size = 11;
        sort.desc.flags = i == 0 ? 0 : CLSORT_DESCENDING;
        group_check(*data, &sort, "byte strings");
        free(sort.keys);
    }
}

static struct group_sort make_custom(const struct custom_order *order, size_t count,
                                     size_t value_size, uint32_t index_size)
{
    struct group_sort sort = {.desc = CLSORT_DESC_INIT,
                              .count = count,
                              .key_size = order->key_size,
                              .value_size = value_size + index_size,
                              .keys = malloc(count * order->key_size + 1)};
    assert_non_null(sort.keys);
    custom_order_fill(order, count, sort.keys, count);
    sort.desc.key = CLSORT_CUSTOM;
    sort.desc.key_size = order->key_size;
    sort.desc.prelude = order->prelude;
    sort.desc.key_type = order->key_type;
    sort.desc.less = order->less;
    sort.desc.value_size = value_size;
    if (index_size > 0)
        sort.desc.operation = CLSORT_ARGSORT;
    sort.desc.index_size = index_size;
    return sort;
}

static void custom(void **data)
{
    static const size_t counts[] = {1, 100, 2 * MIN_SHARE + 1, 4 * MIN_SHARE};
    for (size_t i = 0; i < 4; i++) {
        const struct group_sort keys = make_custom(&custom_orders[0], counts[i], i % 2 * 4, 0);
        group_check(*data, &keys, "custom");
        free(keys.keys);
    }
    const struct group_sort indexes = make_custom(&custom_orders[0], 3 * MIN_SHARE, 0, 4);
    group_check(*data, &indexes, "custom argsort");
    free(indexes.keys);
}

static uint64_t sum_of(const uint8_t *bytes, size_t size)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < size; i++)
        sum += bytes[i];
    return sum;
}

/* A relation that is no order: every element is in the output once. */
static void invalid_order(void **data)
{
    const struct group_state *state = *data;
    const struct group_sort sort = make_custom(&custom_orders_invalid[0], 5 * MIN_SHARE, 8, 0);
    for (size_t g = 0; g < state->count; g++) {
        const struct group_arrays given = group_copy(&sort), arrays = group_copy(&sort);
        assert_ok(group_run(state->groups[g], &sort, arrays));
        assert_true(data_checksum(arrays.values, 8, sort.count) ==
                    data_checksum(given.values, 8, sort.count));
        assert_true(sum_of(arrays.keys, sort.count * sort.key_size) ==
                    sum_of(given.keys, sort.count * sort.key_size));
        group_drop(given);
        group_drop(arrays);
    }
    free(sort.keys);
}

/* -- failures -------------------------------------------------------------------------------------- */

/* Sorts in a group of this number of devices. In one context, the launch `at` and all that follow fail. Returns the
 * number of launches that failed. */
static long run_failing(clsort_group *group, size_t devices, const struct group_sort *sort,
                        const struct group_arrays *right, long at)
{
    const struct group_arrays arrays = group_copy(sort);
    group_fail_after(at, false);
    const clsort_status status = group_run(group, sort, arrays);
    const long failures = group_failures();
    group_fail_after(LONG_MAX, false);
    assert_ok(status);
    assert_true(group_are_equal(sort, arrays, *right));
    assert_int_equal(group_check_shares(group, devices, sort), failures > 0);
    group_drop(arrays);
    return failures;
}

/* The same in a new group of the devices of group g. As it knows no rates, they get equal shares, and thus run the same
 * kernels each time. Returns whether a launch failed. */
static bool run_failing_again(const struct group_state *state, size_t g,
                              const struct group_sort *sort, const struct group_arrays *right,
                              long at)
{
    clsort_group *const group = group_again(state, g);
    const long failures = run_failing(group, state->devices[g], sort, right, at);
    /* A device that fails gets no other task, so that at most one launch fails. */
    if (failures > 1)
        fail_msg("from launch %ld on, %ld launches failed", at, failures);
    clsort_group_destroy(group);
    return failures > 0;
}

/* Fails from each launch on in one context, until there are no more launches. Returns the number of launches. */
static long sweep(const struct group_state *state, size_t g, const struct group_sort *sort)
{
    const struct group_arrays right = group_expected(state, sort);
    long at = 0;
    assert_false(run_failing_again(state, g, sort, &right, LONG_MAX)); /* tests the kernels */
    while (run_failing_again(state, g, sort, &right, at + 1))
        at++;
    group_drop(right);
    return at;
}

/* Fails from each launch on in all contexts. */
static void sweep_all(const struct group_state *state, size_t g, const struct group_sort *sort)
{
    bool is_failing = true;
    for (long at = 1; is_failing; at++) {
        const struct group_arrays arrays = group_copy(sort);
        char text[256];
        group_fail_after(at, true);
        const clsort_status status = group_run(state->groups[g], sort, arrays);
        is_failing = group_is_failing();
        group_fail_after(LONG_MAX, false);
        assert_int_equal(status, is_failing ? CL_OUT_OF_RESOURCES : CLSORT_OK);
        assert_ok(clsort_last_error(NULL, sizeof text, text, NULL));
        assert_true(strncmp(text, is_failing ? "device " : "", is_failing ? 7 : 1) == 0);
        if (at == 1) /* before anything was merged */
            assert_memory_equal(arrays.keys, sort->keys, sort->count * sort->key_size);
        assert_int_equal(sum_of(arrays.keys, sort->count * sort->key_size),
                         sum_of(sort->keys, sort->count * sort->key_size));
        group_drop(arrays);
    }
}

/* After a failure, the next sort of the same group succeeds without one, which group_check tests. */
static void fail_once(const struct group_state *state, size_t g, const struct group_sort *sort)
{
    const struct group_arrays right = group_expected(state, sort);
    assert_true(run_failing(state->groups[g], state->devices[g], sort, &right, 1) > 0);
    group_drop(right);
}

static void failures(void **data)
{
    const struct group_state *state = *data;
    /* Shares of MIN_SHARE elements or less would be sorted without launches. */
    const size_t count = state->devices[0] < 4 ? 4 * MIN_SHARE : MAX_COUNT;
    const struct group_kind kinds[] = {
        {CLSORT_U32, 0, DATA_UNIFORM, count, 4, 0},
        {CLSORT_U32, 0, DATA_FEW, count, 0, 4},
    };
    for (size_t i = 0; i < 2; i++) {
        const struct group_sort sort = group_sort_of(&kinds[i], i);
        for (size_t g = 0; g < state->count && g < 2; g++) {
            assert_in_range(sweep(*data, g, &sort), 2, 1000);
            fail_once(*data, g, &sort);
        }
        if (i == 0)
            sweep_all(*data, 0, &sort);
        group_check(*data, &sort, "after failures");
        free(sort.keys);
    }
}

/* In a custom order, devices also compare samples. */
static void custom_failures(void **data)
{
    const struct group_state *state = *data;
    const struct group_sort sort = make_custom(&custom_orders[0], 4 * MIN_SHARE, 4, 0);
    for (size_t g = 0; g < state->count && g < 2; g++)
        assert_in_range(sweep(*data, g, &sort), 2, 1000);
    free(sort.keys);
}

/* -- threads --------------------------------------------------------------------------------------- */

/* Sorts in a new group, and returns the number of programs, which this thread has created. */
static long count_programs(const struct group_state *state, size_t devices,
                           const struct group_sort *sort, clsort_status expected)
{
    clsort_group *const group = group_of(state, devices);
    const struct group_arrays arrays = group_copy(sort);
    group_count_programs();
    assert_status(group_run(group, sort, arrays), expected);
    assert_int_equal(group_programs(true), 0);
    group_drop(arrays);
    clsort_group_destroy(group);
    return group_programs(false);
}

/* Parts of one, two and three shares. */
static void programs(void **data)
{
    static const struct group_kind kinds[] = {
        {CLSORT_U32, 0, DATA_UNIFORM, 4 * MIN_SHARE, 0, 0},
        {CLSORT_U32, 0, DATA_REVERSED, 4 * MIN_SHARE, 0, 0},
        {CLSORT_U64, 0, DATA_REVERSED, 4 * MIN_SHARE, 0, 4},
    };
    for (size_t i = 0; i < 3; i++) {
        const struct group_sort sort = group_sort_of(&kinds[i], i);
        count_programs(*data, 3, &sort, CLSORT_OK);
        free(sort.keys);
    }
    struct group_sort sort = make_custom(&custom_orders[0], 4 * MIN_SHARE, 0, 0);
    /* The same order in other words: programs of its usual text are in the cache. */
    sort.desc.less = "b.x > a.x || (b.x == a.x && b.y < a.y)";
    assert_in_range(count_programs(*data, 3, &sort, CLSORT_OK), 1, 100);
    sort.desc.less = "a <"; /* each device compiles as many programs as one alone */
    const long failing = count_programs(*data, 1, &sort, CL_BUILD_PROGRAM_FAILURE);
    assert_int_equal(count_programs(*data, 3, &sort, CL_BUILD_PROGRAM_FAILURE), 3 * failing);
    free(sort.keys);
}

static bool sort_from_thread(size_t index, void *data)
{
    const struct group_state *state = data;
    const size_t count = 3 * MIN_SHARE;
    clsort_desc desc = CLSORT_DESC_INIT;
    uint32_t *keys = malloc(count * sizeof *keys);
    if (!keys || !data_fill(data_type_of(CLSORT_U32), DATA_UNIFORM, index, keys, count))
        return false;
    bool is_right = clsort_group_host(state->groups[index % state->count], &desc, count, keys,
                                      NULL) == CLSORT_OK;
    for (size_t i = 1; i < count; i++)
        is_right = is_right && keys[i - 1] <= keys[i];
    free(keys);
    return is_right;
}

static void threads(void **data)
{
    assert_true(threads_run(4, sort_from_thread, *data));
}

/* Returns how many elements the devices of a group have sorted in the last call. */
static size_t sum_of_shares(const struct group_state *state, size_t g)
{
    size_t sum = 0, elements;
    for (size_t i = 0; i < state->devices[g]; i++)
        if (clsort_group_share(state->groups[g], i, &elements, NULL) == CLSORT_OK)
            sum += elements;
    return sum;
}

static atomic_bool is_sorting;

/* Thread 0 sorts; thread 1 reads the shares of the sort before. */
static bool sort_or_read(size_t index, void *data)
{
    bool has_shares = true;
    if (index == 1) {
        while (atomic_load(&is_sorting))
            has_shares = has_shares && sum_of_shares(data, 0) > 0;
        return has_shares;
    }
    for (size_t i = 0; i < 3; i++)
        has_shares = sort_from_thread(0, data) && has_shares;
    atomic_store(&is_sorting, false);
    return has_shares;
}

/* Shares are those of the last call that has returned. */
static void shares(void **data)
{
    const struct group_state *state = *data;
    clsort_desc desc = CLSORT_DESC_INIT;
    uint32_t keys[4] = {3, 2, 1, 0};
    assert_true(sort_from_thread(0, *data));
    assert_int_equal(sum_of_shares(state, 0), 3 * MIN_SHARE);
    atomic_store(&is_sorting, true);
    assert_true(threads_run(2, sort_or_read, *data));
    assert_int_equal(sum_of_shares(state, 0), 3 * MIN_SHARE);
    assert_status(clsort_group_host(state->groups[0], &desc, 4, NULL, NULL), CLSORT_E_ARGUMENT);
    assert_int_equal(sum_of_shares(state, 0), 0);
    assert_true(sort_from_thread(0, *data));
    assert_ok(clsort_group_host(state->groups[0], &desc, 4, keys, NULL)); /* in this thread */
    assert_int_equal(sum_of_shares(state, 0), 0);
}

/* -- arguments ------------------------------------------------------------------------------------- */

static void arguments(void **data)
{
    const struct group_state *state = *data;
    cl_device_id devices[CLSORT_MAX_GROUP + 1];
    clsort_group *const given = state->groups[0];
    clsort_desc desc = CLSORT_DESC_INIT;
    uint32_t keys[4] = {3, 2, 1, 0};
    size_t elements = 1;
    char text[256];
    for (size_t i = 0; i <= CLSORT_MAX_GROUP; i++)
        devices[i] = state->env.device;
    clsort_group *group = given;
    assert_status(clsort_group_create(NULL, 1, NULL, &group), CLSORT_E_ARGUMENT);
    assert_null(group);
    assert_status(clsort_group_create(devices, 0, NULL, &group), CLSORT_E_ARGUMENT);
    assert_status(clsort_group_create(devices, CLSORT_MAX_GROUP + 1, NULL, &group),
                  CLSORT_E_ARGUMENT);
    assert_ok(clsort_last_error(NULL, sizeof text, text, NULL));
    assert_string_equal(text, "device_count is 65: 1 to 64");
    assert_status(clsort_group_create(devices, 1, NULL, NULL), CLSORT_E_ARGUMENT);
    devices[1] = NULL;
    assert_int_not_equal(clsort_group_create(devices, 2, NULL, &group), CLSORT_OK);
    assert_null(group);
    clsort_group_destroy(NULL);

    assert_status(clsort_group_host(NULL, &desc, 4, keys, NULL), CLSORT_E_ARGUMENT);
    assert_status(clsort_group_host(given, NULL, 4, keys, NULL), CLSORT_E_ARGUMENT);
    assert_status(clsort_group_host(given, &desc, 4, NULL, NULL), CLSORT_E_ARGUMENT);
    assert_status(clsort_group_host(given, &desc, 4, keys, keys), CLSORT_E_ARGUMENT);
    desc.segments = CLSORT_ROWS;
    assert_int_not_equal(clsort_group_host(given, &desc, 4, keys, NULL), CLSORT_OK);
    desc.segments = 0;
    desc.operation = CLSORT_SELECT;
    assert_status(clsort_group_host(given, &desc, 4, keys, NULL), CLSORT_E_OPERATION);
    desc.operation = 0;
    desc.max_count = 3;
    assert_status(clsort_group_host(given, &desc, 4, keys, NULL), CLSORT_E_COUNT);
    assert_int_equal(keys[0], 3);

    assert_status(clsort_group_share(NULL, 0, &elements, NULL), CLSORT_E_ARGUMENT);
    assert_int_equal(elements, 0);
    assert_status(clsort_group_share(given, state->devices[0], NULL, NULL), CLSORT_E_ARGUMENT);
    assert_status(clsort_group_trim(NULL), CLSORT_E_ARGUMENT);
    assert_ok(clsort_group_trim(given));
    assert_ok(clsort_group_trim(given));
    assert_ok(clsort_group_share(given, 1, NULL, NULL));
}

/* -- random descriptors ---------------------------------------------------------------------------- */

static size_t pick(uint64_t *random, size_t count)
{
    return (size_t)(bits_mix(*random += BITS_GAMMA) % count);
}

static void sort_random(const struct group_state *state, uint64_t seed)
{
    static const size_t value_sizes[] = {0, 0, 1, 4, 8, 12, 100};
    static const uint32_t flags[] = {0, CLSORT_DESCENDING, CLSORT_FLOAT_NUMERIC,
                                     CLSORT_FLOAT_NUMERIC | CLSORT_DESCENDING};
    uint64_t random = seed;
    struct group_kind kind = {.key = (clsort_key)(CLSORT_U8 + pick(&random, 11)),
                              .dist = (enum data_dist)pick(&random, DATA_DIST_COUNT),
                              .count = pick(&random, (size_t)1 << (8 + pick(&random, 11)))};
    kind.flags = flags[pick(&random, kind.key >= CLSORT_F16 ? 4 : 2)];
    if (pick(&random, 4) == 0)
        kind.index_size = pick(&random, 2) ? 4 : 8;
    else
        kind.value_size = value_sizes[pick(&random, 7)];
    struct group_sort sort = group_sort_of(&kind, seed);
    if (pick(&random, 4) == 0) {
        const uint32_t width = (uint32_t)(8 * sort.key_size);
        sort.desc.end_bit = 1 + (uint32_t)pick(&random, width);
        sort.desc.begin_bit = (uint32_t)pick(&random, sort.desc.end_bit + 1);
    }
    char name[32];
    snprintf(name, sizeof name, "seed %llu", (unsigned long long)seed);
    group_check(state, &sort, name);
    free(sort.keys);
}

static uint64_t first_seed, last_seed;

static void random_sorts(void **data)
{
    for (uint64_t seed = first_seed; seed < last_seed; seed++)
        sort_random(*data, seed);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest contracts[] = {
        cmocka_unit_test(arguments),       cmocka_unit_test(few),
        cmocka_unit_test(sorts),           cmocka_unit_test(options),
        cmocka_unit_test(flags_of_sorts),  cmocka_unit_test(records),
        cmocka_unit_test(byte_strings),    cmocka_unit_test(custom),
        cmocka_unit_test(invalid_order),   cmocka_unit_test(failures),
        cmocka_unit_test(custom_failures), cmocka_unit_test(threads),
        cmocka_unit_test(programs),        cmocka_unit_test(shares),
    };
    const struct CMUnitTest all[] = {cmocka_unit_test(sorts_on_all)};
    const struct CMUnitTest random[] = {cmocka_unit_test(random_sorts)};
    if (argc == 2 && strcmp(argv[1], "all") == 0)
        return cmocka_run_group_tests(all, group_set_up_all, group_tear_down);
    if (argc == 2)
        return cmocka_run_group_tests(contracts, group_set_up_many, group_tear_down);
    if (argc < 3)
        return cmocka_run_group_tests(contracts, group_set_up, group_tear_down);
    first_seed = strtoull(argv[1], NULL, 10);
    last_seed = first_seed + strtoull(argv[2], NULL, 10);
    return cmocka_run_group_tests(random, group_set_up, group_tear_down);
}
