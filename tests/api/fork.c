/* fork.c - child processes: they sort on the host if the parent has used OpenCL, and never hang */
#include "check.h"
#include "data.h"
#include "env.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { COUNT = 2000000, SMALL_COUNT = 40000, TIMEOUT_SECONDS = 60 };

static uint32_t keys[COUNT];

static void fill(size_t count)
{
    data_fill(data_type_of(CLSORT_U32), DATA_UNIFORM, 1, keys, count);
}

static bool is_sorted(size_t count)
{
    return data_disorder(data_type_of(CLSORT_U32), 0, keys, count) == count;
}

static bool array_sorts(void)
{
    fill(COUNT);
    return clsort_array(CLSORT_U32, keys, COUNT) == CLSORT_OK && is_sorted(COUNT);
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

/* -- the parent has an engine and a plan ------------------------------------------------------- */

static clsort_plan *plan_of_parent;
static clsort_group *group_of_parent;

/* Returns whether the call was refused with a sentence that gives the reason. */
static bool is_refused(clsort_engine *engine, clsort_status status)
{
    char text[256] = "";
    clsort_last_error(engine, sizeof text, text, NULL);
    return status == CL_INVALID_OPERATION && strstr(text, "child of a process") != NULL;
}

static bool refuses_plans(const struct env *env)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    clsort_io io = CLSORT_IO_INIT;
    clsort_plan *plan;
    cl_event event;
    io.count = 1;
    desc.algorithm = "radix";
    return is_refused(env->engine,
                      clsort_host(env->engine, NULL, &desc, SMALL_COUNT, keys, NULL)) &&
           is_refused(env->engine, clsort_plan_create(env->engine, &desc, &plan)) && !plan &&
           is_refused(env->engine,
                      clsort_enqueue(plan_of_parent, env->queue, &io, 0, NULL, &event)) &&
           !event;
}

static bool refuses_engines(const struct env *env)
{
    const clsort_desc desc = CLSORT_DESC_INIT;
    clsort_engine *engine;
    cl_device_id device;
    uint64_t bytes = 1;
    int is_first;
    return is_refused(NULL, clsort_find_device(NULL, &device)) &&
           is_refused(NULL, clsort_engine_create(env->context, env->device, NULL, &engine)) &&
           !engine && is_refused(env->engine, clsort_self_test(env->engine, 0, NULL, NULL)) &&
           is_refused(env->engine, clsort_engine_kept(env->engine, &bytes)) && bytes == 0 &&
           is_refused(env->engine, clsort_engine_setup_time(env->engine, NULL, NULL)) &&
           is_refused(env->engine, clsort_host_first(env->engine, &desc, 1, &is_first)) &&
           is_refused(env->engine, clsort_engine_trim(env->engine, 0));
}

/* Selects more elements than the calling thread prefers to. */
static bool selects_without_device(const struct env *env)
{
    enum { COUNT_FOR_DEVICE = (1 << 18) + 1 };
    clsort_desc desc = CLSORT_DESC_INIT;
    uint32_t *many = malloc(COUNT_FOR_DEVICE * sizeof *many), smallest = 0;
    if (!many)
        return false;
    for (uint32_t i = 0; i < COUNT_FOR_DEVICE; i++)
        many[i] = COUNT_FOR_DEVICE - i;
    desc.operation = CLSORT_SELECT;
    const clsort_status status = clsort_host_select(env->engine, NULL, &desc, COUNT_FOR_DEVICE,
                                                    many, NULL, 1, &smallest, NULL, NULL);
    free(many);
    return status == CLSORT_OK && smallest == 1;
}

/* Sorts the array as one row, with the engine of the parent. */
static bool sorts_row_without_device(const struct env *env)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.segments = CLSORT_ROWS;
    fill(COUNT);
    return clsort_host_segments(env->engine, NULL, &desc, COUNT, keys, NULL, 1, NULL, NULL, NULL) ==
               CLSORT_OK &&
           is_sorted(COUNT);
}

/* Sorts with a group of the parent, and calls its other functions. */
static bool sorts_without_group(const struct env *env)
{
    const clsort_desc desc = CLSORT_DESC_INIT;
    clsort_group *group;
    fill(SMALL_COUNT);
    return clsort_group_host(group_of_parent, &desc, SMALL_COUNT, keys, NULL) == CLSORT_OK &&
           is_sorted(SMALL_COUNT) &&
           is_refused(NULL, clsort_group_share(group_of_parent, 0, NULL, NULL)) &&
           is_refused(NULL, clsort_group_trim(group_of_parent)) &&
           is_refused(NULL, clsort_group_create(&env->device, 1, NULL, &group)) && !group;
}

/* Calls every function that could use the device or wait for a lock. */
static bool works_without_device(const struct env *env)
{
    const clsort_desc desc = CLSORT_DESC_INIT;
    char text[256];
    fill(SMALL_COUNT);
    bool passed = clsort_host(env->engine, env->queue, &desc, SMALL_COUNT, keys, NULL) == 0 &&
                  is_sorted(SMALL_COUNT);
    fill(SMALL_COUNT);
    passed = passed && clsort_array(CLSORT_U32, keys, SMALL_COUNT) == 0 && is_sorted(SMALL_COUNT) &&
             clsort_host_describe(env->engine, &desc, SMALL_COUNT, sizeof text, text, NULL) == 0 &&
             strstr(text, "after a fork") && refuses_plans(env) && refuses_engines(env) &&
             selects_without_device(env) && sorts_row_without_device(env) &&
             sorts_without_group(env);
    clsort_plan_destroy(plan_of_parent); /* these have no effect */
    clsort_engine_destroy(env->engine);
    clsort_group_destroy(group_of_parent);
    return passed;
}

static void open_parent(struct env *env)
{
    const clsort_desc desc = CLSORT_DESC_INIT;
    assert_ok(env_open(env));
    assert_ok(clsort_plan_create(env->engine, &desc, &plan_of_parent));
    const cl_device_id devices[] = {env->device, env->device};
    assert_ok(clsort_group_create(devices, 2, NULL, &group_of_parent));
}

static void close_parent(struct env *env)
{
    clsort_group_destroy(group_of_parent);
    clsort_plan_destroy(plan_of_parent);
    env_close(env);
}

static void engine_of_parent(void **state)
{
    struct env env;
    (void)state;
    open_parent(&env);
    const clsort_desc desc = CLSORT_DESC_INIT;
    fill(COUNT);
    assert_ok(clsort_host(env.engine, NULL, &desc, COUNT, keys, NULL));
    assert_true(passes_in_child(works_without_device, &env));
    fill(COUNT);
    assert_ok(clsort_host(env.engine, NULL, &desc, COUNT, keys, NULL));
    assert_true(is_sorted(COUNT));
    close_parent(&env);
}

/* -- another thread of the parent may hold a lock during the fork ------------------------------- */

struct user {
    const struct env *env;
    atomic_bool ends;
    bool passed;
};

/* Sorts host arrays, which briefly takes the lock of the engine several times per sort. */
static void *sort_often(void *data)
{
    static uint32_t own[SMALL_COUNT];
    struct user *user = data;
    const clsort_desc desc = CLSORT_DESC_INIT;
    user->passed = true;
    while (!atomic_load(&user->ends))
        if (clsort_host(user->env->engine, NULL, &desc, SMALL_COUNT, own, NULL) != CLSORT_OK)
            user->passed = false;
    return NULL;
}

/* Compiles programs, during which the engine is locked. */
static void *compile_often(void *data)
{
    struct user *user = data;
    user->passed = true;
    for (unsigned i = 0; !atomic_load(&user->ends); i++) {
        char less[32];
        clsort_desc desc = CLSORT_DESC_INIT;
        clsort_plan *plan;
        snprintf(less, sizeof less, "(a ^ %u) < (b ^ %u)", i, i);
        desc.key = CLSORT_CUSTOM;
        desc.key_size = 4;
        desc.key_type = "uint";
        desc.less = less;
        desc.algorithm = "merge";
        desc.max_count = 1000;
        if (clsort_plan_create(user->env->engine, &desc, &plan) != CLSORT_OK)
            user->passed = false;
        clsort_plan_destroy(plan);
    }
    return NULL;
}

/* Drivers have locks of their own. */
static void *search_often(void *data)
{
    struct user *user = data;
    user->passed = true;
    while (!atomic_load(&user->ends)) {
        cl_device_id device;
        if (clsort_find_device(NULL, &device) != CLSORT_OK)
            user->passed = false;
    }
    return NULL;
}

/* Forks while another thread runs use. */
static void fork_during(void *(*use)(void *))
{
    enum { FORKS = 20 };
    const struct timespec pause = {.tv_nsec = 3000000};
    struct env env;
    struct user user = {.env = &env};
    size_t passed = 0;
    pthread_t thread;
    open_parent(&env);
    assert_int_equal(pthread_create(&thread, NULL, use, &user), 0);
    for (int i = 0; i < FORKS; i++) {
        nanosleep(&pause, NULL);
        passed += passes_in_child(works_without_device, &env);
    }
    atomic_store(&user.ends, true);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(passed, FORKS);
    assert_true(user.passed);
    close_parent(&env);
}

static void during_sorts(void **state)
{
    (void)state;
    fork_during(sort_often);
}

static void during_compilations(void **state)
{
    (void)state;
    fork_during(compile_often);
}

static void during_searches(void **state)
{
    (void)state;
    fork_during(search_often);
}

/* The default engine, which has a lock of its own, must not exist yet. */
static void *sort_first_array(void *data)
{
    static uint32_t own[COUNT];
    struct user *user = data;
    user->passed = clsort_array(CLSORT_U32, own, COUNT) == CLSORT_OK;
    atomic_store(&user->ends, true);
    return NULL;
}

static bool sorts_small_array(const struct env *env)
{
    (void)env;
    fill(SMALL_COUNT);
    const clsort_status status = clsort_engine_trim(NULL, 0);
    return clsort_array(CLSORT_U32, keys, SMALL_COUNT) == CLSORT_OK && is_sorted(SMALL_COUNT) &&
           (status == CLSORT_OK || status == CL_INVALID_OPERATION);
}

static void during_first_use(void **state)
{
    const struct timespec pause = {.tv_nsec = 3000000};
    struct user user = {.env = NULL};
    pthread_t thread;
    bool passed = true;
    (void)state;
    assert_int_equal(pthread_create(&thread, NULL, sort_first_array, &user), 0);
    do {
        nanosleep(&pause, NULL);
        passed = passed && passes_in_child(sorts_small_array, NULL);
    } while (!atomic_load(&user.ends));
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(passed);
    assert_true(user.passed);
}

int main(void)
{
    const char *device = getenv("CLSORT_DEVICE");
    if (!device || !*device)
        setenv("CLSORT_DEVICE", "0", 1); /* the device sorts even if the kernels are not compiled */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(before_first_use),
        cmocka_unit_test(during_first_use), /* creates the default engine */
        cmocka_unit_test(after_device_sort),
        cmocka_unit_test(engine_of_parent),
        cmocka_unit_test(during_sorts),
        cmocka_unit_test(during_compilations),
        cmocka_unit_test(during_searches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
