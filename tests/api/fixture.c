/* fixture.c - a plan for u32 keys with 4-byte values, and matching buffers; tests change single arguments */
#include "fixture.h"

#include <stdlib.h>
#include <string.h>

cl_mem fixture_buffer(const struct fixture *fixture, cl_mem_flags flags, size_t size,
                      const void *data)
{
    cl_int status;
    if (data)
        flags |= CL_MEM_COPY_HOST_PTR;
    cl_mem mem =
        clCreateBuffer(fixture->env.context, flags, size, (void *)(uintptr_t)data, &status);
    assert_ok(status);
    return mem;
}

clsort_engine *fixture_limited_engine(const struct fixture *fixture, const char *limit,
                                      const char *value)
{
    clsort_engine *engine = NULL;
    assert_int_equal(setenv(limit, value, 1), 0);
    assert_ok(clsort_engine_create(fixture->env.context, fixture->env.device, NULL, &engine));
    assert_int_equal(unsetenv(limit), 0);
    return engine;
}

int fixture_open(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    *state = fixture;
    assert_ok(env_open(&fixture->env));
    fixture->desc = (clsort_desc)CLSORT_DESC_INIT;
    fixture->desc.value_size = 4;
    fixture->desc.max_count = FIXTURE_COUNT;
    assert_ok(clsort_plan_create(fixture->env.engine, &fixture->desc, &fixture->plan));
    for (size_t i = 0; i < 4; i++)
        fixture->buffers[i] = fixture_buffer(fixture, CL_MEM_READ_WRITE, FIXTURE_BYTES, NULL);
    fixture->io = (clsort_io)CLSORT_IO_INIT;
    fixture->io.count = FIXTURE_COUNT;
    fixture->io.keys.mem = fixture->buffers[0];
    fixture->io.values.mem = fixture->buffers[1];
    fixture->io.keys_out.mem = fixture->buffers[2];
    fixture->io.values_out.mem = fixture->buffers[3];
    fixture_fill(fixture);
    return 0;
}

int fixture_close(void **state)
{
    struct fixture *fixture = *state;
    clsort_plan_destroy(fixture->plan);
    for (size_t i = 0; i < 4; i++)
        clReleaseMemObject(fixture->buffers[i]);
    env_close(&fixture->env);
    free(fixture);
    return 0;
}

static void write_buffer(struct fixture *fixture, cl_mem mem, const uint32_t *data)
{
    assert_ok(clEnqueueWriteBuffer(fixture->env.out_of_order, mem, CL_TRUE, 0, FIXTURE_BYTES, data,
                                   0, NULL, NULL));
}

clsort_status fixture_enqueue(const struct fixture *fixture, clsort_plan *plan, const clsort_io *io)
{
    cl_event event = NULL;
    const clsort_status status = clsort_enqueue(plan, fixture->env.queue, io, 0, NULL, &event);
    if (status == CLSORT_OK)
        assert_true(env_finish_event(event));
    else
        assert_null(event);
    return status;
}

void fixture_read(const struct fixture *fixture, cl_mem mem, size_t size, void *data)
{
    assert_ok(clEnqueueReadBuffer(fixture->env.queue, mem, CL_TRUE, 0, size, data, 0, NULL, NULL));
}

void fixture_write(const struct fixture *fixture, cl_mem mem, size_t size, const void *data)
{
    assert_ok(clEnqueueWriteBuffer(fixture->env.queue, mem, CL_TRUE, 0, size, data, 0, NULL, NULL));
}

uint64_t fixture_result(const struct fixture *fixture, cl_mem result)
{
    uint64_t number;
    fixture_read(fixture, result, sizeof number, &number);
    return number;
}

void fixture_fill(struct fixture *fixture)
{
    uint32_t keys[FIXTURE_COUNT];
    uint32_t values[FIXTURE_COUNT];
    uint32_t zeros[FIXTURE_COUNT] = {0};
    for (uint32_t i = 0; i < FIXTURE_COUNT; i++) {
        keys[i] = FIXTURE_COUNT - 1 - i;
        values[i] = i;
    }
    write_buffer(fixture, fixture->buffers[0], keys);
    write_buffer(fixture, fixture->buffers[1], values);
    write_buffer(fixture, fixture->buffers[2], zeros);
    write_buffer(fixture, fixture->buffers[3], zeros);
}

bool fixture_sorted(struct fixture *fixture, cl_mem keys, cl_mem values)
{
    uint32_t sorted_keys[FIXTURE_COUNT];
    uint32_t sorted_values[FIXTURE_COUNT];
    assert_ok(clEnqueueReadBuffer(fixture->env.out_of_order, keys, CL_TRUE, 0, FIXTURE_BYTES,
                                  sorted_keys, 0, NULL, NULL));
    assert_ok(clEnqueueReadBuffer(fixture->env.out_of_order, values, CL_TRUE, 0, FIXTURE_BYTES,
                                  sorted_values, 0, NULL, NULL));
    for (uint32_t i = 0; i < FIXTURE_COUNT; i++)
        if (sorted_keys[i] != i || sorted_values[i] != FIXTURE_COUNT - 1 - i)
            return false;
    return true;
}

void fixture_still_works(struct fixture *fixture)
{
    fixture_fill(fixture);
    cl_event event = NULL;
    assert_ok(clsort_enqueue(fixture->plan, fixture->env.queue, &fixture->io, 0, NULL, &event));
    assert_true(env_finish_event(event));
    assert_true(fixture_sorted(fixture, fixture->buffers[2], fixture->buffers[3]));
}

void fixture_check_plans(const struct fixture *fixture, const struct fixture_plan_case *cases,
                         size_t count)
{
    for (size_t i = 0; i < count; i++) {
        clsort_desc desc = cases[i].change;
        clsort_plan *plan = NULL;
        desc.struct_size = sizeof desc;
        desc.key = CLSORT_U32;
        print_message("case %zu\n", i);
        assert_status(clsort_plan_create(fixture->env.engine, &desc, &plan), cases[i].status);
        clsort_plan_destroy(plan);
    }
}

size_t fixture_check_scratch(const struct fixture *fixture, clsort_plan *plan, const clsort_io *io)
{
    clsort_io call = *io;
    size_t bytes = 0, fewer = 0;
    assert_ok(clsort_scratch_size(plan, FIXTURE_COUNT, &bytes));
    assert_ok(clsort_scratch_size(plan, FIXTURE_COUNT / 2, &fewer));
    assert_true(fewer <= bytes);
    call.scratch.mem = fixture_buffer(fixture, CL_MEM_READ_WRITE, bytes, NULL);
    assert_ok(fixture_enqueue(fixture, plan, &call));
    clReleaseMemObject(call.scratch.mem);
    call.scratch.mem = fixture_buffer(fixture, CL_MEM_READ_WRITE, bytes - 1, NULL);
    assert_status(fixture_enqueue(fixture, plan, &call), CLSORT_E_SCRATCH_SIZE);
    clReleaseMemObject(call.scratch.mem);
    return bytes;
}
