/* host_first.c - when the host sorts before programs are compiled, and the times of set-up */
#include "check.h"
#include "env.h"
#include "folder.h"

#include <stdlib.h>

enum { COUNT = 1 << 22 };

/* A cache folder with the engines that use it. */
static char folder[] = "/tmp/clsort-first-XXXXXX";

static clsort_engine *open_engine(const struct env *env)
{
    clsort_engine_options options = CLSORT_ENGINE_OPTIONS_INIT;
    clsort_engine *engine = NULL;
    options.cache_dir = folder;
    assert_ok(clsort_engine_create(env->context, env->device, &options, &engine));
    return engine;
}

static clsort_desc desc_of(clsort_key key)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.key = key;
    return desc;
}

static bool is_first(clsort_engine *engine, const clsort_desc *desc, size_t count)
{
    int first = 2;
    assert_ok(clsort_host_first(engine, desc, count, &first));
    assert_true(first == 0 || first == 1);
    return first;
}

/* Programs that were compiled once are used, also by a later engine. */
static void until_compiled(void **state)
{
    clsort_engine *engine = open_engine(*state);
    const clsort_desc desc = desc_of(CLSORT_U32);
    size_t size;
    assert_true(is_first(engine, &desc, COUNT));
    assert_ok(clsort_host_describe(engine, &desc, COUNT, 0, NULL, &size));
    assert_false(is_first(engine, &desc, COUNT));
    clsort_engine_destroy(engine);
    engine = open_engine(*state);
    assert_false(is_first(engine, &desc, COUNT));
    clsort_engine_destroy(engine);
}

/* The sum of several sorts is limited, also over engines. */
static void until_paid(void **state)
{
    clsort_engine *engine = open_engine(*state);
    const clsort_desc desc = desc_of(CLSORT_U64);
    size_t sorts = 0;
    for (; sorts < 1000 && is_first(engine, &desc, COUNT); sorts++)
        ;
    assert_true(sorts > 1 && sorts < 1000);
    clsort_engine_destroy(engine);
    engine = open_engine(*state);
    assert_false(is_first(engine, &desc, COUNT));
    clsort_engine_destroy(engine);
}

static void segments_until_compiled(void **state)
{
    clsort_engine *engine = open_engine(*state);
    clsort_desc desc = desc_of(CLSORT_U16);
    size_t size;
    desc.segments = CLSORT_ROWS;
    assert_true(is_first(engine, &desc, COUNT));
    assert_ok(clsort_host_describe(engine, &desc, COUNT, 0, NULL, &size));
    assert_false(is_first(engine, &desc, COUNT));
    clsort_engine_destroy(engine);
}

static void without_a_decision(void **state)
{
    clsort_engine *engine = open_engine(*state);
    clsort_desc desc = desc_of(CLSORT_F32);
    assert_true(is_first(engine, &desc, 0));
    assert_true(is_first(engine, &desc, 1 << 15));
    assert_false(is_first(engine, &desc, (size_t)1 << 30));
    desc.algorithm = "radix";
    assert_false(is_first(engine, &desc, 1000));
    desc = desc_of(CLSORT_CUSTOM);
    desc.key_type = "int";
    desc.key_size = sizeof(int);
    desc.less = "a < b";
    assert_false(is_first(engine, &desc, COUNT));
    clsort_engine_destroy(engine);
}

static void bad_arguments(void **state)
{
    const struct env *env = *state;
    clsort_desc desc = desc_of(CLSORT_U32);
    int first = 1;
    assert_status(clsort_host_first(NULL, &desc, 1, &first), CLSORT_E_ARGUMENT);
    assert_int_equal(first, 0);
    assert_status(clsort_host_first(env->engine, NULL, 1, &first), CLSORT_E_ARGUMENT);
    assert_status(clsort_host_first(env->engine, &desc, 1, NULL), CLSORT_E_ARGUMENT);
    assert_status(clsort_host_first(env->engine, &desc, SIZE_MAX, &first), CLSORT_E_COUNT);
    desc.key = (clsort_key)77;
    assert_status(clsort_host_first(env->engine, &desc, 1, &first), CLSORT_E_KEY);
}

static void times_of_setup(void **state)
{
    clsort_engine *engine = open_engine(*state);
    clsort_desc desc = desc_of(CLSORT_U16);
    clsort_plan *plan = NULL;
    uint64_t build = 0, self_test = 1, later_build = 0;
    assert_ok(clsort_engine_setup_time(engine, NULL, &self_test));
    assert_int_equal(self_test, 0);
    desc.algorithm = "radix";
    desc.max_count = 1000;
    assert_ok(clsort_plan_create(engine, &desc, &plan));
    clsort_plan_destroy(plan);
    assert_ok(clsort_engine_setup_time(engine, &build, &self_test));
    assert_true(build > 1000 && self_test > 1000);
    assert_true(build < UINT64_C(600000000000) && self_test < UINT64_C(600000000000));

    desc.key = CLSORT_I16; /* shares the programs and the verdict */
    assert_ok(clsort_plan_create(engine, &desc, &plan));
    clsort_plan_destroy(plan);
    uint64_t later_self_test = 0;
    assert_ok(clsort_engine_setup_time(engine, &later_build, &later_self_test));
    assert_true(later_build >= build);
    assert_int_equal(later_self_test, self_test);
    clsort_engine_destroy(engine);
    assert_status(clsort_engine_setup_time(NULL, &build, &self_test), CLSORT_E_ARGUMENT);
    assert_true(build == 0 && self_test == 0);
}

static int set_up(void **state)
{
    return mkdtemp(folder) ? env_set_up(state) : -1;
}

static int tear_down(void **state)
{
    folder_remove(folder);
    return env_tear_down(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(until_compiled),     cmocka_unit_test(until_paid),
        cmocka_unit_test(without_a_decision), cmocka_unit_test(bad_arguments),
        cmocka_unit_test(times_of_setup),     cmocka_unit_test(segments_until_compiled),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
