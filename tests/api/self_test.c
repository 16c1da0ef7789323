/* self_test.c - the device passes the self-test, and verdicts are reused: the test counts kernel launches */
#include "check.h"
#include "env.h"
#include "folder.h"
#include "launches.h"

#include <stdlib.h>
#include <string.h>

static void everything_passes(void **state)
{
    const struct env *env = *state;
    char text[2048];
    size_t size = 0, passed = 0;
    assert_ok(clsort_self_test(env->engine, sizeof text, text, &size));
    assert_int_equal(size, strlen(text) + 1);
    assert_non_null(strstr(text, "rank: passed\n"));
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        assert_true(strstr(line, ": passed") || strstr(line, ": not supported on this device"));
        passed += strstr(line, ": passed") != NULL;
    }
    assert_true(passed >= 3);
}

static void texts_are_cut_to_size(void **state)
{
    const struct env *env = *state;
    char text[9] = "12345678";
    size_t whole = 0;
    assert_ok(clsort_self_test(env->engine, 0, NULL, &whole));
    assert_true(whole > sizeof text);
    assert_ok(clsort_self_test(env->engine, 5, text, NULL));
    assert_int_equal(strlen(text), 4);
    assert_string_equal(text + 5, "678");
    assert_status(clsort_self_test(NULL, 0, NULL, &whole), CLSORT_E_ARGUMENT);
    assert_int_equal(whole, 0);
    assert_status(clsort_self_test(env->engine, 5, NULL, NULL), CLSORT_E_ARGUMENT);
}

/* Creates a plan and returns the number of kernels that its self-test launches. */
static size_t launches_of_plan(clsort_engine *engine, clsort_key key, uint32_t flags,
                               uint32_t end_bit)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    clsort_plan *plan = NULL;
    const size_t before = launches_counted;
    desc.key = key;
    desc.flags = flags;
    desc.end_bit = end_bit;
    desc.max_count = 1000;
    desc.algorithm = "radix"; /* the choice would depend on the number of bits */
    assert_ok(clsort_plan_create(engine, &desc, &plan));
    clsort_plan_destroy(plan);
    return launches_counted - before;
}

/* An engine tests each set of programs once. */
static void plans_share_verdicts(void **state)
{
    const struct env *env = *state;
    assert_true(launches_of_plan(env->engine, CLSORT_U16, 0, 0) > 0);
    assert_int_equal(launches_of_plan(env->engine, CLSORT_I16, CLSORT_DESCENDING, 0), 0);
    assert_int_equal(launches_of_plan(env->engine, CLSORT_U16, 0, 7), 0);
    assert_true(launches_of_plan(env->engine, CLSORT_F16, 0, 0) > 0);
}

/* Describes a sort of host arrays and returns the number of kernels that its self-test launches. */
static size_t launches_of_host(clsort_engine *engine, size_t count)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    const size_t before = launches_counted;
    size_t size;
    desc.key = CLSORT_U32;
    desc.algorithm = "radix";
    assert_ok(clsort_host_describe(engine, &desc, count, 0, NULL, &size));
    return launches_counted - before;
}

/* The self-test of a large sort runs no small ones, whose kernels the sort does not need. It is not run if a test of
 * all counts has passed. */
static void large_sorts_are_tested(void **state)
{
    const struct env *env = *state;
    clsort_engine *engine = NULL;
    clsort_desc desc = CLSORT_DESC_INIT;
    clsort_plan *plan = NULL;
    assert_ok(clsort_engine_create(env->context, env->device, NULL, &engine));
    assert_true(launches_of_host(engine, 1 << 20) > 0);
    assert_int_equal(launches_of_host(engine, 1 << 21), 0);
    assert_true(launches_of_host(engine, 33) > 0); /* a test of its own */
    clsort_engine_destroy(engine);

    desc.key = CLSORT_U32;
    desc.algorithm = "radix";
    assert_ok(clsort_engine_create(env->context, env->device, NULL, &engine));
    assert_ok(clsort_plan_create(engine, &desc, &plan));
    clsort_plan_destroy(plan);
    assert_int_equal(launches_of_host(engine, 1 << 20), 0);
    clsort_engine_destroy(engine);
}

/* Every operation of an algorithm is tested: a plan for a merge of two inputs finds its verdict. */
static void merges_are_tested(void **state)
{
    const struct env *env = *state;
    clsort_engine *engine = NULL;
    clsort_plan *plan = NULL;
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.operation = CLSORT_MERGE_SORTED;
    desc.algorithm = "merge";
    desc.value_size = 4;
    desc.max_count = 1 << 20; /* more than the self-test merges */
    assert_ok(clsort_engine_create(env->context, env->device, NULL, &engine));
    assert_ok(clsort_self_test(engine, 0, NULL, NULL));
    const size_t before = launches_counted;
    assert_ok(clsort_plan_create(engine, &desc, &plan));
    assert_int_equal(launches_counted, before);
    clsort_plan_destroy(plan);
    clsort_engine_destroy(engine);
}

/* With a disk cache, later engines run no tests. */
static void verdicts_last(void **state)
{
    const struct env *env = *state;
    char folder[] = "/tmp/clsort-self-test-XXXXXX";
    clsort_engine_options options = CLSORT_ENGINE_OPTIONS_INIT;
    options.cache_dir = mkdtemp(folder);
    assert_non_null(options.cache_dir);
    for (int round = 0; round < 2; round++) {
        clsort_engine *engine = NULL;
        const size_t before = launches_counted;
        assert_ok(clsort_engine_create(env->context, env->device, &options, &engine));
        assert_ok(clsort_self_test(engine, 0, NULL, NULL));
        launches_of_plan(engine, CLSORT_U32, 0, 0);
        clsort_engine_destroy(engine);
        assert_int_equal(launches_counted > before, round == 0);
    }
    folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_passes),    cmocka_unit_test(texts_are_cut_to_size),
        cmocka_unit_test(plans_share_verdicts), cmocka_unit_test(merges_are_tested),
        cmocka_unit_test(verdicts_last),        cmocka_unit_test(large_sorts_are_tested),
    };
    return cmocka_run_group_tests(tests, env_set_up, env_tear_down);
}
