/* custom.c - sorts in callers' own orders, and in what callers may take for an order
 *
 *     custom [MOST [ALGORITHM [ORDER]]]    for slow devices: leaves out sorts of more than MOST elements, and the
 *                                          other algorithms and orders */
#include "check.h"
#include "task.h"

#include <stdlib.h>
#include <string.h>

static struct tasks tasks;

/* Beside round counts those around tiles. */
static const size_t counts[] = {0,    1,    2,     7,     8,     9,     33,    1000, 3839,
                                3840, 3841, 16383, 16384, 16385, 32769, 70001, 4097};

static size_t largest_count(void)
{
    size_t largest = 1;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (counts[i] <= tasks.max && counts[i] > largest)
            largest = counts[i];
    return largest;
}

/* Those that know all orders on all devices. */
static bool must_support(const char *algorithm)
{
    return !algorithm || strcmp(algorithm, "merge") == 0;
}

static bool begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* Such keys are more than rusticl's llvmpipe can copy (src/device/quirks.c). */
static bool must_refuse(const struct order *order)
{
    char device[256] = "", name[64] = "";
    cl_platform_id platform = NULL;
    clGetDeviceInfo(tasks.env.device, CL_DEVICE_NAME, sizeof device, device, NULL);
    clGetDeviceInfo(tasks.env.device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL);
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, NULL);
    return ((order->key_size > 2 && order->key_size % 4 != 0) ||
            strcmp(order->name, "packed") == 0) &&
           begins_with(device, "llvmpipe") && begins_with(name, "rusticl");
}

/* The task with all counts, by one plan. */
static void run_counts(struct task *task)
{
    clsort_plan *plan = NULL;
    const clsort_status status = task_plan(task, &tasks.env, largest_count(), &plan);
    if (must_refuse(task->order)) {
        assert_status(status, CLSORT_E_UNSUPPORTED);
        tasks.turn++;
        return;
    }
    if (status == CLSORT_E_UNSUPPORTED && !must_support(task->algorithm))
        return;
    assert_ok(status);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (counts[i] <= tasks.max) {
            task->count = counts[i];
            tasks_run(&tasks, task, plan);
        }
    clsort_plan_destroy(plan);
}

/* The index-th algorithm to test; false past the last. */
static bool algorithm_at(size_t index, const char **name)
{
    static const char *const names[] = {NULL, "merge:variant=groups", "merge:variant=cores"};
    const size_t count = sizeof names / sizeof *names;
    *name = index < count ? names[index] : clsort_algorithm_name(index - count);
    return index < count || *name;
}

static bool is_stable(const char *algorithm)
{
    return !algorithm || strcmp(algorithm, "bitonic") != 0;
}

/* Whether by all algorithms, or only by the one that the library chooses: compiling takes most of the time. */
static bool by_all(const struct task *task)
{
    static const char *const names[] = {"particle", "colour", "row"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(task->order->name, names[i]) == 0)
            return task->value_size <= 4;
    return !task->order->before;
}

static void run_algorithms(struct task *task)
{
    for (size_t i = 0; algorithm_at(i, &task->algorithm); i++) {
        if (!tasks_want(&tasks, task->order, task->algorithm) ||
            (task->algorithm && !tasks.algorithm && !by_all(task)))
            continue;
        task->promise = !task->order->before         ? TASK_WHOLE
                        : is_stable(task->algorithm) ? TASK_STABLE
                                                     : TASK_ORDERED;
        run_counts(task);
    }
}

/* With the first order values of each kind: with others they move in the same way. Where the order is none, still no
 * element is lost, and nothing is written elsewhere. */
static void test_order(void **state)
{
    static const size_t sizes[] = {0, 4, 16, 100};
    const size_t turn = tasks.turn, wrong = tasks.wrong;
    struct task task = {.order = *state};
    if (task.order == orders_custom) {
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            task.value_size = sizes[i];
            run_algorithms(&task);
        }
    } else {
        task.value_size = task.order->key_size % 8 == 0 ? 4 : 0;
        run_algorithms(&task);
    }
    assert_int_equal(tasks.wrong - wrong, 0);
    /* By now nothing is held that would leak: skip() does not return. */
    if (tasks.turn == turn)
        skip();
}

int main(int argc, char **argv)
{
    struct CMUnitTest tests[32];
    size_t count = 0;
    if (!tasks_open(&tasks, argc, argv))
        return EXIT_FAILURE;
    const struct order *const lists[] = {orders_custom, orders_wrong};
    for (size_t i = 0; i < 2; i++)
        for (const struct order *order = lists[i]; order->name; order++)
            tests[count++] =
                (struct CMUnitTest){order->name, test_order, NULL, NULL, (void *)(uintptr_t)order};
    const int failures = _cmocka_run_group_tests("custom", tests, count, NULL, NULL);
    env_close(&tasks.env);
    return failures || tasks.turn == 0;
}
