/* overlap.c - buffers that share memory, also through sub-buffers, are refused if the sort could not work */
#include "fixture.h"

/* A buffer for eight arrays of the fixture's size. */
enum { PARENT_BYTES = 8 * 4096 };

static void refuse(struct fixture *fixture, const clsort_io *io)
{
    cl_event event = (cl_event)fixture; /* anything but NULL */
    assert_status(clsort_enqueue(fixture->plan, fixture->env.queue, io, 0, NULL, &event),
                  CLSORT_E_OVERLAP);
    assert_null(event);
    fixture_still_works(fixture);
}

static void arrays_in_one_buffer(void **state)
{
    struct fixture *fixture = *state;
    clsort_io io = fixture->io;
    io.values.mem = io.keys.mem;
    io.keys_out.mem = NULL; /* in place */
    io.values_out.mem = NULL;
    refuse(fixture, &io);
    io = fixture->io;
    io.values_out.mem = io.keys_out.mem;
    refuse(fixture, &io);
    io = fixture->io;
    io.keys_out.mem = io.values.mem;
    refuse(fixture, &io);
    io = fixture->io;
    io.values_out.mem = io.keys.mem;
    refuse(fixture, &io);
    io = fixture->io; /* keys in place, values out of place: an output overlaps an input */
    io.keys_out.mem = io.keys.mem;
    refuse(fixture, &io);
}

/* Inputs may overlap, because they are only read. */
static void shared_input(void **state)
{
    struct fixture *fixture = *state;
    fixture_fill(fixture);
    clsort_io io = fixture->io;
    io.values = io.keys;
    cl_command_queue queue = fixture->env.queue;
    assert_ok(clsort_enqueue(fixture->plan, queue, &io, 0, NULL, NULL));
    uint32_t keys[FIXTURE_COUNT];
    uint32_t values[FIXTURE_COUNT];
    assert_ok(clEnqueueReadBuffer(queue, io.keys_out.mem, CL_TRUE, 0, FIXTURE_BYTES, keys, 0, NULL,
                                  NULL));
    assert_ok(clEnqueueReadBuffer(queue, io.values_out.mem, CL_TRUE, 0, FIXTURE_BYTES, values, 0,
                                  NULL, NULL));
    for (uint32_t i = 0; i < FIXTURE_COUNT; i++) {
        assert_int_equal(keys[i], i);
        assert_int_equal(values[i], i);
    }
}

static void shifted_output(void **state)
{
    struct fixture *fixture = *state;
    clsort_io io = fixture->io;
    io.count = 100;
    io.keys_out = (clsort_buffer){io.keys.mem, 99 * 4};
    refuse(fixture, &io);
    io.keys_out.offset = 4;
    refuse(fixture, &io);
    io.keys.offset = 8; /* the output begins before the input */
    refuse(fixture, &io);
}

static void scratch_in_the_data(void **state)
{
    struct fixture *fixture = *state;
    cl_mem parent = fixture_buffer(fixture, CL_MEM_READ_WRITE, (size_t)64 << 20, NULL);
    clsort_desc desc = fixture->desc;
    desc.algorithm = "radix"; /* an algorithm that needs scratch */
    clsort_plan *plan = NULL;
    assert_ok(clsort_plan_create(fixture->env.engine, &desc, &plan));
    clsort_io io = fixture->io;
    io.keys.mem = parent;
    io.scratch.mem = parent;
    assert_status(clsort_enqueue(plan, fixture->env.queue, &io, 0, NULL, NULL), CLSORT_E_OVERLAP);
    clsort_plan_destroy(plan);
    clReleaseMemObject(parent);
    fixture_still_works(fixture);
}

/* Six adjacent ranges of one buffer do not overlap. */
static void neighbours_in_one_buffer(void **state)
{
    struct fixture *fixture = *state;
    cl_mem parent = fixture_buffer(fixture, CL_MEM_READ_WRITE, PARENT_BYTES, NULL);
    clsort_io io = fixture->io;
    io.keys = (clsort_buffer){parent, 0};
    io.values = (clsort_buffer){parent, FIXTURE_BYTES};
    io.keys_out = (clsort_buffer){parent, 2 * FIXTURE_BYTES};
    io.values_out = (clsort_buffer){parent, 3 * FIXTURE_BYTES};
    cl_command_queue queue = fixture->env.queue;
    for (size_t i = 0; i < 2; i++)
        assert_ok(clEnqueueCopyBuffer(queue, fixture->buffers[i], parent, 0, i * FIXTURE_BYTES,
                                      FIXTURE_BYTES, 0, NULL, NULL));
    assert_ok(clsort_enqueue(fixture->plan, queue, &io, 0, NULL, NULL));
    for (size_t i = 2; i < 4; i++)
        assert_ok(clEnqueueCopyBuffer(queue, parent, fixture->buffers[i], i * FIXTURE_BYTES, 0,
                                      FIXTURE_BYTES, 0, NULL, NULL));
    assert_ok(clFinish(queue));
    assert_true(fixture_sorted(fixture, fixture->buffers[2], fixture->buffers[3]));
    clReleaseMemObject(parent);
}

static cl_mem sub_buffer(cl_mem parent, size_t origin, size_t size)
{
    cl_int status;
    cl_buffer_region region = {origin, size};
    cl_mem mem = clCreateSubBuffer(parent, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region,
                                   &status);
    assert_ok(status);
    return mem;
}

static void sub_buffers(void **state)
{
    struct fixture *fixture = *state;
    cl_uint bits = 0;
    assert_ok(clGetDeviceInfo(fixture->env.device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof bits,
                              &bits, NULL));
    size_t step = bits / 8;
    cl_mem parent = fixture_buffer(fixture, CL_MEM_READ_WRITE, PARENT_BYTES, NULL);
    cl_mem first = sub_buffer(parent, 0, 2 * FIXTURE_BYTES);
    cl_mem second = sub_buffer(parent, step, 2 * FIXTURE_BYTES);

    clsort_io io = fixture->io;
    io.keys.mem = first;
    io.keys_out.mem = second;
    refuse(fixture, &io);
    io.keys_out.mem = parent; /* a sub-buffer and its parent */
    refuse(fixture, &io);
    io.keys = (clsort_buffer){second, 0}; /* keys in place, by two handles of the same memory */
    io.keys_out = (clsort_buffer){parent, step};
    refuse(fixture, &io); /* the values are not in place */
    io.keys_out.offset = step + 4;
    refuse(fixture, &io);

    io.keys = (clsort_buffer){first, 0};
    io.keys_out = (clsort_buffer){parent, 4 * FIXTURE_BYTES}; /* after the sub-buffer */
    cl_event event = NULL;
    assert_ok(clsort_enqueue(fixture->plan, fixture->env.queue, &io, 0, NULL, &event));
    assert_true(env_finish_event(event));

    clReleaseMemObject(first);
    clReleaseMemObject(second);
    clReleaseMemObject(parent);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_in_one_buffer),     cmocka_unit_test(shared_input),
        cmocka_unit_test(shifted_output),           cmocka_unit_test(scratch_in_the_data),
        cmocka_unit_test(neighbours_in_one_buffer), cmocka_unit_test(sub_buffers),
    };
    return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
