/* fork.c - child processes: they sort on the host if the parent has used OpenCL, and never hang */
#include "check.h"
#include "data.h"
#include "env.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COUNT = 2000000, TIMEOUT_SECONDS = 60 };

static uint32_t keys[COUNT];

static void fill(void)
{
    data_fill(data_type_of(CLSORT_U32), DATA_UNIFORM, 1, keys, COUNT);
}

static bool is_sorted(void)
{
    return data_disorder(data_type_of(CLSORT_U32), 0, keys, COUNT) == COUNT;
}

static bool array_sorts(void)
{
    fill();
    return clsort_array(CLSORT_U32, keys, COUNT) == CLSORT_OK && is_sorted();
}

/* Returns the result of body, which runs in a child process and makes no CMocka assertions. A child
 * that hangs is ended by its alarm. */
static bool passes_in_child(bool (*body)(const struct env *), const struct env *env)
{
    int status = -1;
    const pid_t child = fork();
    if (child == 0) {
        alarm(TIMEOUT_SECONDS);
        _exit(body(env) ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
}

static bool sorts_array(const struct env *env)
{
    (void)env;
    return array_sorts();
}

static bool opens_device(const struct env *env)
{
    struct env own;
    (void)env;
    if (env_open(&own) != CLSORT_OK)
        return false;
    env_close(&own);
    return true;
}

/* The parent must not have used OpenCL yet: the child is the first and uses the device. */
static void before_first_use(void **state)
{
    (void)state;
    assert_true(passes_in_child(opens_device, NULL));
    assert_true(passes_in_child(sorts_array, NULL));
}

static void after_device_sort(void **state)
{
    (void)state;
    assert_true(array_sorts());
    assert_true(passes_in_child(sorts_array, NULL));
    assert_true(array_sorts());
}

static bool refuses_engine(const struct env *env)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    clsort_engine *engine;
    clsort_plan *plan;
    fill();
    const bool host =
        clsort_host(env->engine, env->queue, &desc, COUNT, keys, NULL) == CLSORT_OK && is_sorted();
    desc.algorithm = "radix";
    const bool refused =
        clsort_host(env->engine, NULL, &desc, COUNT, keys, NULL) == CL_INVALID_OPERATION &&
        clsort_plan_create(env->engine, &desc, &plan) == CL_INVALID_OPERATION &&
        clsort_engine_create(env->context, env->device, NULL, &engine) == CL_INVALID_OPERATION &&
        clsort_self_test(env->engine, 0, NULL, NULL) == CL_INVALID_OPERATION;
    clsort_engine_destroy(env->engine); /* has no effect */
    return host && refused;
}

static void engine_of_parent(void **state)
{
    struct env env;
    (void)state;
    assert_ok(env_open(&env));
    clsort_desc desc = CLSORT_DESC_INIT;
    fill();
    assert_ok(clsort_host(env.engine, NULL, &desc, COUNT, keys, NULL));
    assert_true(passes_in_child(refuses_engine, &env));
    fill();
    assert_ok(clsort_host(env.engine, NULL, &desc, COUNT, keys, NULL));
    assert_true(is_sorted());
    env_close(&env);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(before_first_use),
        cmocka_unit_test(after_device_sort),
        cmocka_unit_test(engine_of_parent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
