/* threads.c - threads with plans of their own share an engine */
#include "threads.h"
#include "check.h"
#include "sort_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 8, SORTS = 125 }; /* 1000 sorts in all */

static size_t count_of(size_t index)
{
    return index * index * 7 % 9001;
}

/* Runs a sort of the list that every thread runs. The kinds of sorts repeat, so that several threads compile the same
 * program at the same time. */
static bool sort_one(const struct env *env, size_t index, uint64_t seed)
{
    static const struct {
        const char *algorithm;
        clsort_key key;
        size_t value_size;
    } kinds[] = {{"auto", CLSORT_U32, 0}, {"auto", CLSORT_U32, 4},  {"radix", CLSORT_I32, 0},
                 {"auto", CLSORT_F64, 4}, {"radix", CLSORT_U16, 4}, {"local", CLSORT_U32, 0}};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    size_t pick = index % KINDS, round = index / KINDS; /* each kind uses both queues */
    struct sort_case sort = sort_case_default(count_of(index));
    snprintf(sort.algorithm, sizeof sort.algorithm, "%s", kinds[pick].algorithm);
    sort.type = data_type_of(kinds[pick].key);
    sort.value_size = kinds[pick].value_size;
    sort.place = round % 3 ? SORT_IN_PLACE : SORT_OUT_OF_PLACE;
    sort.out_of_order = round % 2;
    sort.seed = seed;
    enum sort_result result = sort_case_run(&sort, env);
    if (result == SORT_UNSUPPORTED) { /* too large for `local` */
        strcpy(sort.algorithm, "auto");
        result = sort_case_run(&sort, env);
    }
    return result == SORT_RIGHT;
}

static bool sort_many(const struct env *env, size_t thread)
{
    bool right = true;
    for (size_t i = 0; i < SORTS; i++)
        right &= sort_one(env, i, thread * SORTS + i);
    return right;
}

static int by_count_descending(const void *a, const void *b)
{
    const size_t x = count_of(*(const size_t *)a), y = count_of(*(const size_t *)b);
    return (x < y) - (x > y);
}

/* Runs all sorts in one thread, the largest first. PoCL before 6.0 has an entry in its kernel cache for each kernel
 * that is launched with a larger global size than before. If a launch of the same kernel is running then, it counts
 * the uses of the wrong entry, and an assertion aborts the process. After this function no launch is larger than
 * before. */
static int fill_driver_cache(void **state)
{
    struct env env;
    size_t order[SORTS];
    bool right = true;
    (void)state;
    for (size_t i = 0; i < SORTS; i++)
        order[i] = i;
    qsort(order, SORTS, sizeof *order, by_count_descending);
    if (env_open(&env) != CLSORT_OK)
        return -1;
    for (size_t i = 0; i < SORTS; i++)
        right &= sort_one(&env, order[i], i);
    env_close(&env);
    return right ? 0 : -1;
}

static bool sort_on_shared_queues(size_t index, void *data)
{
    return sort_many(data, index);
}

static bool sort_on_own_queues(size_t index, void *data)
{
    struct env env = *(const struct env *)data;
    cl_int status;
    env.queue = clCreateCommandQueue(env.context, env.device, 0, &status);
    if (status)
        return false;
    env.out_of_order = env.queue;
    bool right = sort_many(&env, index);
    clReleaseCommandQueue(env.queue);
    return right;
}

static void shared_queues(void **state)
{
    assert_true(threads_run(THREADS, sort_on_shared_queues, *state));
}

static void own_queues(void **state)
{
    assert_true(threads_run(THREADS, sort_on_own_queues, *state));
}

/* Threads create and destroy engines in one context. */
static bool sort_on_own_engine(size_t index, void *data)
{
    struct env env = *(const struct env *)data;
    bool right = true;
    for (size_t i = 0; i < 5 && right; i++) {
        right = clsort_engine_create(env.context, env.device, NULL, &env.engine) == CLSORT_OK;
        struct sort_case sort = sort_case_default(1000 + index);
        right = right && sort_case_run(&sort, &env) == SORT_RIGHT;
        clsort_engine_destroy(env.engine);
    }
    return right;
}

static void own_engines(void **state)
{
    assert_true(threads_run(THREADS, sort_on_own_engine, *state));
}

/* Each test has a new engine, without programs in memory. */
#define THREADS_TEST(name) cmocka_unit_test_setup_teardown(name, env_set_up, env_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        THREADS_TEST(own_queues),
        THREADS_TEST(shared_queues),
        THREADS_TEST(own_engines),
    };
    return cmocka_run_group_tests(tests, fill_driver_cache, NULL);
}
