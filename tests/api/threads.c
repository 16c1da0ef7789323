/* threads.c - threads with plans of their own share an engine */
#include "threads.h"
#include "check.h"
#include "sort_case.h"

#include <stdio.h>
#include <string.h>

enum { THREADS = 8, SORTS = 125 }; /* 1000 sorts in all */

/* The kinds of sorts repeat, so that several threads compile the same program at the same time. */
static bool sort_many(const struct env *env, size_t thread)
{
    static const struct {
        const char *algorithm;
        clsort_key key;
        size_t value_size;
    } kinds[] = {{"auto", CLSORT_U32, 0}, {"auto", CLSORT_U32, 4},  {"radix", CLSORT_I32, 0},
                 {"auto", CLSORT_F64, 4}, {"radix", CLSORT_U16, 4}, {"local", CLSORT_U32, 0}};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    bool right = true;
    for (size_t i = 0; i < SORTS; i++) {
        size_t pick = i % KINDS, round = i / KINDS; /* each kind uses both queues */
        struct sort_case sort = sort_case_default(i * i * 7 % 9001);
        snprintf(sort.algorithm, sizeof sort.algorithm, "%s", kinds[pick].algorithm);
        sort.type = data_type_of(kinds[pick].key);
        sort.value_size = kinds[pick].value_size;
        sort.place = round % 3 ? SORT_IN_PLACE : SORT_OUT_OF_PLACE;
        sort.out_of_order = round % 2;
        sort.seed = thread * SORTS + i;
        enum sort_result result = sort_case_run(&sort, env);
        if (result == SORT_UNSUPPORTED) { /* too large for `local` */
            strcpy(sort.algorithm, "auto");
            result = sort_case_run(&sort, env);
        }
        right &= result == SORT_RIGHT;
    }
    return right;
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
    return cmocka_run_group_tests(tests, NULL, NULL);
}
