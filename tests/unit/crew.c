/* crew.c - no more devices of a group run tasks at the same time than the driver allows */
#include "group/crew.h"

#include "api/engine.h"
#include "unit.h"

#include <stdatomic.h>
#include <time.h>

/* A group of engines without devices, and what its tasks have observed. */
struct observed {
    struct cls_device device;
    clsort_engine engine;
    struct clsort_group group;
    atomic_uint running, max_running, prepared, done;
};

/* Counts the tasks that run, for long enough that the threads of the others start. */
static void count_task(struct observed *observed)
{
    const unsigned running = atomic_fetch_add(&observed->running, 1) + 1;
    unsigned max = atomic_load(&observed->max_running);
    while (running > max && !atomic_compare_exchange_weak(&observed->max_running, &max, running))
        continue;
    nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    atomic_fetch_sub(&observed->running, 1);
}

static clsort_status prepare_task(void *data, size_t device, size_t task)
{
    struct observed *observed = data;
    (void)device;
    (void)task;
    count_task(observed);
    atomic_fetch_add(&observed->prepared, 1);
    return CLSORT_OK;
}

/* The first device fails. */
static clsort_status run_task(void *data, size_t device, size_t task)
{
    struct observed *observed = data;
    (void)task;
    count_task(observed);
    if (device == 0)
        return CLSORT_E_MEMORY;
    atomic_fetch_add(&observed->done, 1);
    return CLSORT_OK;
}

/* Runs a task on each of four devices, and returns the maximum number that ran at the same time. */
static unsigned max_running(unsigned max_group_devices)
{
    enum { DEVICES = 4 };
    static const struct cls_crew_work tasks = {prepare_task, run_task};
    struct observed observed = {.device.caps.max_group_devices = max_group_devices,
                                .group.count = DEVICES};
    struct cls_ranges ranges;
    struct cls_crew crew;
    observed.engine.device = &observed.device;
    for (size_t i = 0; i < DEVICES; i++)
        observed.group.engines[i] = &observed.engine;
    pthread_mutex_init(&observed.group.mutex, NULL);
    cls_crew_begin(&crew, &observed.group);
    cls_crew_divide(&crew, (size_t)DEVICES << 20, &ranges);
    assert_int_equal(ranges.count, DEVICES);
    assert_int_equal(cls_crew_run(&crew, &ranges, &tasks, &observed), CLSORT_OK);
    assert_int_equal(crew.share[0].failure, CLSORT_E_MEMORY);
    assert_int_equal(observed.done, DEVICES);
    assert_int_equal(observed.prepared, DEVICES + 1); /* the task of the first device twice */
    pthread_mutex_destroy(&observed.group.mutex);
    return observed.max_running;
}

static void test_max_running(void **state)
{
    (void)state;
    assert_int_equal(max_running(1), 1);
    assert_true(max_running(2) <= 2);
    max_running(0); /* how many depends on the time at which the threads start */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_max_running)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
