/* merged.c - merges of two sorted inputs, and of inputs that are not sorted
 *
 *     merged [MOST [ALGORITHM [ORDER]]]    for slow devices: leaves out inputs of more than MOST elements, and the
 *                                          other algorithms and orders */
#include "check.h"
#include "task.h"

#include <stdlib.h>

static struct tasks tasks;

static const size_t counts[] = {0, 1, 2, 33, 1000, 4097, 70001};
enum { COUNTS = sizeof counts / sizeof *counts };

/* All pairs of counts, by one plan. */
static void run_counts(struct task *task)
{
    size_t usable = COUNTS;
    while (usable > 1 && counts[usable - 1] > tasks.max)
        usable--;
    clsort_plan *plan = NULL;
    const clsort_status status = task_plan(task, &tasks.env, 2 * counts[usable - 1] + 1, &plan);
    if (status == CLSORT_E_UNSUPPORTED && task->algorithm)
        return;
    assert_ok(status);
    for (size_t i = 0; i < usable * usable; i++) {
        task->count = counts[i / usable];
        task->second_count = counts[i % usable];
        tasks_run(&tasks, task, plan);
    }
    clsort_plan_destroy(plan);
}

/* A kind of merge, for each of the algorithms. Inputs that are not sorted are merged to something, of which
 * every element is one of theirs. */
static void merge(void **state)
{
    static const char *const algorithms[] = {NULL, "merge:variant=groups", "merge:variant=cores"};
    struct task task = *(const struct task *)*state;
    const size_t turn = tasks.turn, wrong = tasks.wrong;
    task.operation = CLSORT_MERGE_SORTED;
    for (size_t a = 0; a < sizeof algorithms / sizeof *algorithms; a++)
        for (int disordered = 0; disordered <= 1; disordered++) {
            task.algorithm = algorithms[a];
            task.disordered = disordered;
            task.promise = disordered ? TASK_WHOLE : TASK_STABLE;
            if (tasks_want(&tasks, task.order, task.algorithm) && (task.algorithm || !disordered))
                run_counts(&task);
        }
    assert_int_equal(tasks.wrong - wrong, 0);
    if (tasks.turn == turn)
        skip();
}

int main(int argc, char **argv)
{
    const struct order u32 = order_of(CLSORT_U32, 0), u8 = order_of(CLSORT_U8, 0),
                       i64 = order_of(CLSORT_I64, CLSORT_DESCENDING),
                       f32 = order_of(CLSORT_F32, CLSORT_FLOAT_NUMERIC);
    struct task merges[] = {
        {.order = &u32, .value_size = 0},          {.order = &u32, .value_size = 4},
        {.order = &u32, .value_size = 100},        {.order = &i64, .value_size = 4},
        {.order = &f32, .value_size = 0},          {.order = &u8, .value_size = 4},
        {.order = orders_custom, .value_size = 4},
    };
    enum { MERGES = sizeof merges / sizeof *merges };
    struct CMUnitTest tests[MERGES];
    if (!tasks_open(&tasks, argc, argv))
        return EXIT_FAILURE;
    for (size_t i = 0; i < MERGES; i++)
        tests[i] = (struct CMUnitTest){merges[i].order->name, merge, NULL, NULL, &merges[i]};
    const int failures = _cmocka_run_group_tests("merged", tests, MERGES, NULL, NULL);
    env_close(&tasks.env);
    return failures || tasks.turn == 0;
}
