/* events.c - wait lists, events, in-order and out-of-order queues; engines and plans destroyed while sorts wait */
#include "fixture.h"

#include <time.h>

static cl_event make_gate(struct fixture *fixture)
{
    cl_int status;
    cl_event gate = clCreateUserEvent(fixture->env.context, &status);
    assert_ok(status);
    return gate;
}

static void open_gate(cl_event gate)
{
    assert_ok(clSetUserEventStatus(gate, CL_COMPLETE));
    assert_ok(clReleaseEvent(gate));
}

/* Waits long enough for a sort that ignores its wait list to complete, and checks that this one has not. */
static void assert_not_done(cl_event event)
{
    nanosleep(&(struct timespec){0, 50 * 1000 * 1000}, NULL);
    cl_int state = CL_COMPLETE;
    assert_ok(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL));
    assert_true(state > CL_COMPLETE);
}

/* Enqueues a sort that waits for an event, changes the data, and completes the event: the new data must be sorted. */
static void sort_waits(struct fixture *fixture, cl_command_queue queue)
{
    uint32_t zeros[FIXTURE_COUNT] = {0};
    cl_mem *buffers = fixture->buffers;
    fixture_fill(fixture);
    assert_ok(clEnqueueWriteBuffer(fixture->env.queue, buffers[0], CL_TRUE, 0, FIXTURE_BYTES, zeros,
                                   0, NULL, NULL));
    cl_event gate = make_gate(fixture);
    cl_event event = NULL;
    assert_ok(clsort_enqueue(fixture->plan, queue, &fixture->io, 1, &gate, &event));
    assert_ok(clFlush(queue));
    assert_not_done(event);

    cl_int status;
    cl_command_queue other =
        clCreateCommandQueue(fixture->env.context, fixture->env.device, 0, &status);
    assert_ok(status);
    uint32_t keys[FIXTURE_COUNT];
    for (uint32_t i = 0; i < FIXTURE_COUNT; i++)
        keys[i] = FIXTURE_COUNT - 1 - i;
    assert_ok(
        clEnqueueWriteBuffer(other, buffers[0], CL_TRUE, 0, FIXTURE_BYTES, keys, 0, NULL, NULL));
    clReleaseCommandQueue(other);
    open_gate(gate);
    assert_true(env_finish_event(event));
    assert_true(fixture_sorted(fixture, buffers[2], buffers[3]));
}

static void waits_in_order(void **state)
{
    struct fixture *fixture = *state;
    sort_waits(fixture, fixture->env.queue);
}

static void waits_out_of_order(void **state)
{
    struct fixture *fixture = *state;
    sort_waits(fixture, fixture->env.out_of_order);
}

static void waits_for_all(void **state)
{
    struct fixture *fixture = *state;
    fixture_fill(fixture);
    cl_event gates[3] = {make_gate(fixture), make_gate(fixture), make_gate(fixture)};
    cl_event event = NULL;
    assert_ok(
        clsort_enqueue(fixture->plan, fixture->env.out_of_order, &fixture->io, 3, gates, &event));
    assert_ok(clFlush(fixture->env.out_of_order));
    open_gate(gates[2]);
    open_gate(gates[0]);
    assert_not_done(event);
    open_gate(gates[1]);
    assert_true(env_finish_event(event));
    assert_true(fixture_sorted(fixture, fixture->buffers[2], fixture->buffers[3]));
}

/* A sort of 0 elements waits and returns an event. */
static void empty_sort_waits(void **state)
{
    struct fixture *fixture = *state;
    cl_command_queue queues[] = {fixture->env.queue, fixture->env.out_of_order};
    for (size_t i = 0; i < 2; i++) {
        fixture_fill(fixture);
        clsort_io io = fixture->io;
        io.count = 0;
        cl_event gate = make_gate(fixture);
        cl_event event = NULL;
        assert_ok(clsort_enqueue(fixture->plan, queues[i], &io, 1, &gate, &event));
        assert_non_null(event);
        assert_ok(clFlush(queues[i]));
        assert_not_done(event);
        open_gate(gate);
        assert_true(env_finish_event(event));
        assert_ok(clsort_enqueue(fixture->plan, queues[i], &io, 0, NULL, NULL));
    }
}

/* An in-order queue needs no events. */
static void order_of_the_queue(void **state)
{
    struct fixture *fixture = *state;
    fixture_fill(fixture);
    cl_command_queue queue = fixture->env.queue;
    clsort_io io = fixture->io;
    assert_ok(clsort_enqueue(fixture->plan, queue, &io, 0, NULL, NULL));
    for (size_t i = 0; i < 2; i++)
        assert_ok(clEnqueueCopyBuffer(queue, fixture->buffers[2 + i], fixture->buffers[i], 0, 0,
                                      FIXTURE_BYTES, 0, NULL, NULL));
    io.keys_out.mem = NULL;
    io.values_out.mem = NULL;
    assert_ok(clsort_enqueue(fixture->plan, queue, &io, 0, NULL, NULL));
    assert_ok(clFinish(queue));
    assert_true(fixture_sorted(fixture, fixture->buffers[0], fixture->buffers[1]));
}

/* Sorts in an out-of-order queue that depend on each other through events only, alternately descending and ascending.
 * All are enqueued before the first can start. */
static void chain_of_events(void **state)
{
    struct fixture *fixture = *state;
    fixture_fill(fixture);
    clsort_desc desc = fixture->desc;
    desc.flags = CLSORT_DESCENDING;
    clsort_plan *plans[2] = {NULL, fixture->plan};
    assert_ok(clsort_plan_create(fixture->env.engine, &desc, &plans[0]));
    clsort_io ios[2] = {fixture->io, fixture->io};
    ios[1].keys = fixture->io.keys_out;
    ios[1].values = fixture->io.values_out;
    ios[1].keys_out = fixture->io.keys;
    ios[1].values_out = fixture->io.values;
    cl_event gate = make_gate(fixture);
    cl_event last = gate;
    assert_ok(clRetainEvent(gate));
    for (size_t i = 0; i < 10; i++) {
        cl_event next = NULL;
        assert_ok(
            clsort_enqueue(plans[i % 2], fixture->env.out_of_order, &ios[i % 2], 1, &last, &next));
        clReleaseEvent(last);
        last = next;
    }
    assert_ok(clFlush(fixture->env.out_of_order));
    open_gate(gate);
    assert_true(env_finish_event(last));
    assert_true(fixture_sorted(fixture, fixture->buffers[0], fixture->buffers[1]));
    clsort_plan_destroy(plans[0]);
}

/* Engine, plan and scratch are released while the sort waits for an event. */
static void destroyed_in_flight(void **state)
{
    struct fixture *fixture = *state;
    static const char *const algorithms[] = {"auto", "radix", "cpu"};
    for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++) {
        fixture_fill(fixture);
        clsort_engine *engine = NULL;
        clsort_plan *plan = NULL;
        clsort_desc desc = fixture->desc;
        desc.algorithm = algorithms[i];
        assert_ok(clsort_engine_create(fixture->env.context, fixture->env.device, NULL, &engine));
        clsort_status status = clsort_plan_create(engine, &desc, &plan);
        clsort_engine_destroy(engine);
        if (status == CLSORT_E_UNSUPPORTED)
            continue;
        assert_ok(status);
        clsort_io io = fixture->io;
        size_t bytes = 0;
        assert_ok(clsort_scratch_size(plan, io.count, &bytes));
        io.scratch.mem = fixture_buffer(fixture, CL_MEM_READ_WRITE, bytes + 1, NULL);
        cl_event gate = make_gate(fixture);
        cl_event event = NULL;
        assert_ok(clsort_enqueue(plan, fixture->env.out_of_order, &io, 1, &gate, &event));
        clsort_plan_destroy(plan);
        clReleaseMemObject(io.scratch.mem);
        assert_ok(clFlush(fixture->env.out_of_order));
        open_gate(gate);
        assert_true(env_finish_event(event));
        assert_true(fixture_sorted(fixture, fixture->buffers[2], fixture->buffers[3]));
    }
}

/* If an event of the wait list fails, the sort's event fails, and later sorts work. The sort uses a queue of its own,
 * because NVIDIA's queues accept no commands after a failure. */
static void failed_wait(void **state)
{
    struct fixture *fixture = *state;
    cl_event gate = make_gate(fixture);
    cl_event event = NULL;
    cl_int status;
    cl_command_queue queue =
        clCreateCommandQueue(fixture->env.context, fixture->env.device, 0, &status);
    assert_ok(status);
    assert_ok(clsort_enqueue(fixture->plan, queue, &fixture->io, 1, &gate, &event));
    assert_ok(clFlush(queue));
    assert_ok(clSetUserEventStatus(gate, -1));
    assert_false(env_finish_event(event));
    clReleaseEvent(gate);
    clReleaseCommandQueue(queue);
    fixture_still_works(fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waits_in_order),      cmocka_unit_test(waits_out_of_order),
        cmocka_unit_test(waits_for_all),       cmocka_unit_test(empty_sort_waits),
        cmocka_unit_test(order_of_the_queue),  cmocka_unit_test(chain_of_events),
        cmocka_unit_test(destroyed_in_flight), cmocka_unit_test(failed_wait),
    };
    return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
