/* build.c - programs that do not compile: this program replaces clCreateProgramWithSource of the loader */
#include "check.h"
#include "next.h"
#include "sort_case.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT = 20000 };

/* Whether an error is appended to programs. */
static bool broken;

cl_program CL_API_CALL clCreateProgramWithSource(cl_context context, cl_uint count,
                                                 const char **strings, const size_t *lengths,
                                                 cl_int *status)
{
    cl_program(CL_API_CALL * create)(cl_context, cl_uint, const char **, const size_t *, cl_int *);
    next_function("clCreateProgramWithSource", &create);
    const char *all[64];
    if (!broken)
        return create(context, count, strings, lengths, status);
    assert_null(lengths);
    assert_true(count < sizeof all / sizeof *all);
    memcpy(all, strings, count * sizeof *all);
    all[count] = "\n#error broken on purpose\n";
    return create(context, count + 1, all, NULL, status);
}

static void error_has_log(const struct env *env)
{
    static const char start[] = "the program does not compile:\n";
    char *text = text_last_error(env->engine);
    assert_memory_equal(text, start, sizeof start - 1);
    assert_non_null(strstr(text, "broken on purpose"));
    free(text);
}

/* Checks that the engine sorts correctly once the same program compiles. */
static void next_works(const struct env *env, const struct sort_case *sort)
{
    broken = false;
    assert_int_equal(sort_case_run(sort, env), SORT_RIGHT);
}

static void plans(void **state)
{
    struct env *env = *state;
    const struct sort_case sort = sort_case_default(COUNT);
    const clsort_desc desc = sort_case_desc(&sort);
    broken = true;
    for (int i = 0; i < 2; i++) {
        clsort_plan *plan = (clsort_plan *)env; /* anything but NULL */
        assert_status(clsort_plan_create(env->engine, &desc, &plan), CL_BUILD_PROGRAM_FAILURE);
        assert_null(plan);
        error_has_log(env);
    }
    next_works(env, &sort);
}

static void host_arrays(void **state)
{
    struct env *env = *state;
    struct sort_case sort = sort_case_default(COUNT);
    sort.value_size = sizeof(uint32_t);
    strcpy(sort.algorithm, "radix"); /* uses the device even for small arrays */
    const clsort_desc desc = sort_case_desc(&sort);
    static uint32_t keys[COUNT];
    static uint32_t values[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        keys[i] = COUNT - i;
        values[i] = i;
    }
    broken = true;
    assert_status(clsort_host(env->engine, NULL, &desc, COUNT, keys, values),
                  CL_BUILD_PROGRAM_FAILURE);
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_int_equal(keys[i], COUNT - i);
        assert_int_equal(values[i], i);
    }
    error_has_log(env);
    next_works(env, &sort);
}

/* Each test has a new engine, without a program in memory or on disk. */
static int open_env(void **state)
{
    static struct env env;
    clsort_engine_options options = CLSORT_ENGINE_OPTIONS_INIT;
    options.cache_dir = "";
    *state = &env;
    broken = false;
    assert_ok(env_open(&env));
    clsort_engine_destroy(env.engine);
    return clsort_engine_create(env.context, env.device, &options, &env.engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(plans, open_env, env_tear_down),
        cmocka_unit_test_setup_teardown(host_arrays, open_env, env_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
