/* failed_event.c - a sort waits for an event that fails after the sort was enqueued: the sort's event fails, too
 *
 * Driver faults restrict the test to sorts of one command whose wait list fails after the enqueue. On PoCL 3.1, a
 * marker (also the one of a sort of 0 elements) that waits for an event that has already failed never completes, and if
 * an event fails on which a chain of commands depends, pocl_update_event_failed may abort. On rusticl (Mesa 22.3),
 * commands run although their wait list failed. */
#include "check.h"
#include "sort_case.h"

#include <string.h>
#include <unistd.h>

enum { COUNT = 50, TIMEOUT_SECONDS = 60 };

static cl_event make_gate(const struct env *env)
{
    cl_int status;
    const cl_event gate = clCreateUserEvent(env->context, &status);
    assert_ok(status);
    return gate;
}

static cl_int state_of(cl_event event)
{
    cl_int state = CL_QUEUED;
    assert_ok(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL));
    return state;
}

/* Sorts in place, with two user events in the wait list, of which the second fails. Then a sort in a new queue has to
 * succeed. */
static void sort_behind_failure(const struct env *env, const char *algorithm, size_t value_size,
                                bool out_of_order)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    clsort_plan *plan = NULL;
    struct guarded keys, values = {0};
    cl_int status;
    desc.algorithm = algorithm;
    desc.value_size = value_size;
    desc.max_count = COUNT;
    assert_ok(clsort_plan_create(env->engine, &desc, &plan));
    assert_ok(guarded_create(&keys, env, GUARDED_PLAIN, GUARDED_BOTH, 0, 4 * COUNT, NULL));
    if (value_size > 0)
        assert_ok(
            guarded_create(&values, env, GUARDED_PLAIN, GUARDED_BOTH, 0, value_size * COUNT, NULL));
    /* On some drivers a queue accepts no commands after a failure, so that this test cannot use the shared queues. */
    const cl_command_queue_properties properties =
        out_of_order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0;
    const cl_command_queue queue =
        clCreateCommandQueue(env->context, env->device, properties, &status);
    assert_ok(status);
    const cl_event gates[] = {make_gate(env), make_gate(env)};
    clsort_io io = CLSORT_IO_INIT;
    io.count = COUNT;
    io.keys = keys.buffer;
    io.values = values.buffer;
    cl_event event = NULL;
    assert_ok(clsort_enqueue(plan, queue, &io, 2, gates, &event));
    assert_non_null(event);
    assert_ok(clFlush(queue));
    assert_ok(clSetUserEventStatus(gates[0], CL_COMPLETE));
    assert_true(state_of(event) > CL_COMPLETE);
    assert_ok(clSetUserEventStatus(gates[1], CL_OUT_OF_RESOURCES));
    assert_status(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    assert_true(state_of(event) < 0);
    clReleaseEvent(event);
    clReleaseEvent(gates[0]);
    clReleaseEvent(gates[1]);
    clReleaseCommandQueue(queue);
    guarded_release(&keys);
    guarded_release(&values);
    clsort_plan_destroy(plan);

    struct sort_case next = sort_case_default(COUNT);
    strcpy(next.algorithm, algorithm ? algorithm : "auto");
    next.value_size = value_size;
    next.out_of_order = out_of_order;
    assert_int_equal(sort_case_run(&next, env), SORT_RIGHT);
}

static void failed_wait(void **state)
{
    for (int out_of_order = 0; out_of_order <= 1; out_of_order++) {
        sort_behind_failure(*state, NULL, 0, out_of_order);
        sort_behind_failure(*state, NULL, 4, out_of_order);
        sort_behind_failure(*state, "local", 4, out_of_order);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failed_wait),
    };
    alarm(TIMEOUT_SECONDS);
    return cmocka_run_group_tests(tests, env_set_up, env_tear_down);
}
