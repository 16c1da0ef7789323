/* arguments.c - invalid arguments of clsort_enqueue and of the queries about plans */
#include "fixture.h"

#include <string.h>

/* Checks that invalid arguments give the status and no event, and that the next sort works. */
static void refuse_by(struct fixture *fixture, clsort_plan *plan, const clsort_io *io,
                      clsort_status expected)
{
    cl_event event = (cl_event)fixture; /* anything but NULL */
    assert_status(clsort_enqueue(plan, fixture->env.queue, io, 0, NULL, &event), expected);
    assert_null(event);
    fixture_still_works(fixture);
}

static void refuse(struct fixture *fixture, const clsort_io *io, clsort_status expected)
{
    refuse_by(fixture, fixture->plan, io, expected);
}

static void accept_by(struct fixture *fixture, clsort_plan *plan, const clsort_io *io)
{
    cl_event event = NULL;
    assert_ok(clsort_enqueue(plan, fixture->env.queue, io, 0, NULL, &event));
    assert_true(env_finish_event(event));
}

static void accept(struct fixture *fixture, const clsort_io *io)
{
    accept_by(fixture, fixture->plan, io);
}

/* Returns one of the four buffers of a sort's data, or its scratch (index 4). */
static clsort_buffer *buffer_of(clsort_io *io, size_t index)
{
    clsort_buffer *const buffers[] = {&io->keys, &io->values, &io->keys_out, &io->values_out,
                                      &io->scratch};
    return buffers[index];
}

static void null_arguments(void **state)
{
    struct fixture *fixture = *state;
    refuse(fixture, NULL, CLSORT_E_ARGUMENT);
    cl_event event = (cl_event)fixture;
    assert_status(clsort_enqueue(NULL, fixture->env.queue, &fixture->io, 0, NULL, &event),
                  CLSORT_E_ARGUMENT);
    assert_null(event);
    assert_status(clsort_enqueue(fixture->plan, NULL, &fixture->io, 0, NULL, NULL),
                  CL_INVALID_COMMAND_QUEUE);
    fixture_still_works(fixture);
}

static void missing_buffers(void **state)
{
    struct fixture *fixture = *state;
    for (size_t i = 0; i < 4; i++) {
        clsort_io io = fixture->io;
        buffer_of(&io, i)->mem = NULL;
        refuse(fixture, &io, CLSORT_E_ARGUMENT);
    }
}

static void values_of_keys_alone(void **state)
{
    struct fixture *fixture = *state;
    clsort_desc desc = CLSORT_DESC_INIT;
    clsort_plan *plan = NULL;
    assert_ok(clsort_plan_create(fixture->env.engine, &desc, &plan));
    cl_event event = (cl_event)fixture;
    assert_status(clsort_enqueue(plan, fixture->env.queue, &fixture->io, 0, NULL, &event),
                  CLSORT_E_ARGUMENT);
    assert_null(event);
    clsort_plan_destroy(plan);
    fixture_still_works(fixture);
}

static void struct_sizes(void **state)
{
    struct fixture *fixture = *state;
    struct {
        clsort_io io;
        unsigned char tail[64];
    } newer = {fixture->io, {0}};
    newer.io.struct_size = 0;
    refuse(fixture, &newer.io, CLSORT_E_ARGUMENT);
    newer.io.struct_size = sizeof newer;
    accept(fixture, &newer.io);
    newer.tail[0] = 1;
    refuse(fixture, &newer.io, CLSORT_E_VERSION);
    /* A version without the outputs sorts in place. */
    newer.io.struct_size = offsetof(clsort_io, keys_out);
    memset(&newer.io.keys_out, 0xff, sizeof newer.io - newer.io.struct_size);
    accept(fixture, &newer.io);
    assert_true(fixture_sorted(fixture, fixture->buffers[0], fixture->buffers[1]));
}

static void counts(void **state)
{
    struct fixture *fixture = *state;
    static const size_t bad[] = {FIXTURE_COUNT + 1, SIZE_MAX / 4, SIZE_MAX};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        clsort_io io = fixture->io;
        io.count = bad[i];
        refuse(fixture, &io, CLSORT_E_COUNT);
        size_t bytes = 1;
        assert_status(clsort_scratch_size(fixture->plan, bad[i], &bytes), CLSORT_E_COUNT);
        assert_int_equal(bytes, 0);
        uint64_t cost = 1;
        assert_status(clsort_cost_bytes(fixture->plan, bad[i], &cost), CLSORT_E_COUNT);
        assert_int_equal(cost, 0);
    }
}

/* Without max_count, only the address space limits the count. */
static void counts_that_overflow(void **state)
{
    struct fixture *fixture = *state;
    clsort_desc desc = fixture->desc;
    desc.max_count = 0;
    clsort_plan *plan = NULL;
    assert_ok(clsort_plan_create(fixture->env.engine, &desc, &plan));
    clsort_io io = fixture->io;
    io.count = SIZE_MAX / 4 + 2; /* multiplied by 4, it overflows to 4 */
    cl_event event = (cl_event)fixture;
    assert_status(clsort_enqueue(plan, fixture->env.queue, &io, 0, NULL, &event), CLSORT_E_COUNT);
    assert_null(event);
    clsort_plan_destroy(plan);
    fixture_still_works(fixture);
}

static void small_buffers(void **state)
{
    struct fixture *fixture = *state;
    static const size_t offsets[] = {4, FIXTURE_BYTES, FIXTURE_BYTES + 4, SIZE_MAX - 3};
    for (size_t i = 0; i < 4; i++)
        for (size_t o = 0; o < sizeof offsets / sizeof *offsets; o++) {
            clsort_io io = fixture->io;
            buffer_of(&io, i)->offset = offsets[o];
            refuse(fixture, &io, CLSORT_E_BUFFER_SIZE);
        }
}

static void misaligned_offsets(void **state)
{
    struct fixture *fixture = *state;
    for (size_t i = 0; i < 4; i++)
        for (size_t offset = 1; offset < 4; offset++) {
            clsort_io io = fixture->io;
            io.count = 10;
            buffer_of(&io, i)->offset = offset;
            refuse(fixture, &io, CLSORT_E_ALIGNMENT);
        }
}

static void scratch_buffers(void **state)
{
    struct fixture *fixture = *state;
    clsort_desc desc = fixture->desc;
    desc.max_count = 0;
    desc.algorithm = "radix"; /* an algorithm that needs scratch */
    clsort_plan *plan = NULL;
    assert_ok(clsort_plan_create(fixture->env.engine, &desc, &plan));
    size_t bytes = 0;
    assert_ok(clsort_scratch_size(plan, FIXTURE_COUNT, &bytes));
    assert_true(bytes > 0);
    const struct {
        size_t size, offset;
        cl_mem_flags flags;
        clsort_status expected;
    } cases[] = {
        {bytes, 0, CL_MEM_READ_WRITE, CLSORT_OK},
        {bytes + 8, 8, CL_MEM_HOST_NO_ACCESS, CLSORT_OK},
        {bytes - 1, 0, CL_MEM_READ_WRITE, CLSORT_E_SCRATCH_SIZE},
        {bytes, 8, CL_MEM_READ_WRITE, CLSORT_E_SCRATCH_SIZE},
        {bytes, SIZE_MAX - 7, CL_MEM_READ_WRITE, CLSORT_E_SCRATCH_SIZE},
        {bytes + 8, 4, CL_MEM_READ_WRITE, CLSORT_E_ALIGNMENT},
        {bytes, 0, CL_MEM_READ_ONLY, CLSORT_E_READ_ONLY},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        clsort_io io = fixture->io;
        io.scratch.mem = fixture_buffer(fixture, cases[i].flags, cases[i].size, NULL);
        io.scratch.offset = cases[i].offset;
        cl_event event = NULL;
        assert_status(clsort_enqueue(plan, fixture->env.queue, &io, 0, NULL, &event),
                      cases[i].expected);
        assert_true(cases[i].expected == CLSORT_OK ? env_finish_event(event) : !event);
        clReleaseMemObject(io.scratch.mem);
    }
    clsort_plan_destroy(plan);
    fixture_still_works(fixture);
}

static void read_only_outputs(void **state)
{
    struct fixture *fixture = *state;
    uint32_t zeros[FIXTURE_COUNT] = {0};
    cl_mem fixed = fixture_buffer(fixture, CL_MEM_READ_ONLY, FIXTURE_BYTES, zeros);
    for (size_t i = 0; i < 4; i++) {
        clsort_io io = fixture->io;
        buffer_of(&io, i)->mem = fixed;
        if (i < 2) {
            io.keys_out.mem = NULL; /* in place */
            io.values_out.mem = NULL;
        }
        refuse(fixture, &io, CLSORT_E_READ_ONLY);
    }
    clReleaseMemObject(fixed);
}

/* An image is a memory object, but not a buffer. */
static void images(void **state)
{
    struct fixture *fixture = *state;
    cl_bool supported = CL_FALSE;
    assert_ok(clGetDeviceInfo(fixture->env.device, CL_DEVICE_IMAGE_SUPPORT, sizeof supported,
                              &supported, NULL));
    if (!supported)
        skip();
    cl_int status;
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 1024, .image_height = 1024};
    cl_mem image =
        clCreateImage(fixture->env.context, CL_MEM_READ_WRITE, &format, &desc, NULL, &status);
    assert_ok(status);
    for (size_t i = 0; i < 5; i++) {
        clsort_io io = fixture->io;
        buffer_of(&io, i)->mem = image;
        refuse(fixture, &io, CL_INVALID_MEM_OBJECT);
    }
    clReleaseMemObject(image);
}

/* The queue, the buffers and the events of another context are refused. */
static void foreign_handles(void **state)
{
    struct fixture *fixture = *state;
    struct env other;
    assert_ok(env_open(&other));
    cl_event event = (cl_event)fixture;
    assert_status(clsort_enqueue(fixture->plan, other.queue, &fixture->io, 0, NULL, &event),
                  CL_INVALID_CONTEXT);
    assert_null(event);
    fixture_still_works(fixture);

    cl_int status;
    cl_mem mem = clCreateBuffer(other.context, CL_MEM_READ_WRITE, FIXTURE_BYTES, NULL, &status);
    assert_ok(status);
    for (size_t i = 0; i < 4; i++) {
        clsort_io io = fixture->io;
        buffer_of(&io, i)->mem = mem;
        refuse(fixture, &io, CL_INVALID_CONTEXT);
    }
    clReleaseMemObject(mem);

    cl_event gate = clCreateUserEvent(other.context, &status);
    assert_ok(status);
    event = (cl_event)fixture;
    assert_status(clsort_enqueue(fixture->plan, fixture->env.queue, &fixture->io, 1, &gate, &event),
                  CL_INVALID_CONTEXT);
    assert_null(event);
    /* Otherwise NVIDIA's context waits for the event when it is released. */
    assert_ok(clSetUserEventStatus(gate, CL_COMPLETE));
    clReleaseEvent(gate);
    env_close(&other);
    fixture_still_works(fixture);
}

static void wait_lists(void **state)
{
    struct fixture *fixture = *state;
    cl_event none = NULL;
    const struct {
        cl_uint count;
        const cl_event *list;
    } cases[] = {{1, NULL}, {0, &none}, {1, &none}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cl_event event = (cl_event)fixture;
        assert_status(clsort_enqueue(fixture->plan, fixture->env.queue, &fixture->io,
                                     cases[i].count, cases[i].list, &event),
                      CL_INVALID_EVENT_WAIT_LIST);
        assert_null(event);
        fixture_still_works(fixture);
    }
}

/* -- merges ------------------------------------------------------------------------------------------ */

enum { FIRST = 600, SECOND = FIXTURE_COUNT - FIRST };

struct merge {
    clsort_plan *plan;
    clsort_io io; /* valid: merges the two parts of the fixture's input into its output */
};

static struct merge make_merge(struct fixture *fixture)
{
    struct merge merge = {.io = fixture->io};
    clsort_desc desc = fixture->desc;
    desc.operation = CLSORT_MERGE_SORTED;
    assert_ok(clsort_plan_create(fixture->env.engine, &desc, &merge.plan));
    merge.io.count = FIRST;
    merge.io.second_count = SECOND;
    merge.io.second_keys = (clsort_buffer){merge.io.keys.mem, FIRST * sizeof(uint32_t)};
    merge.io.second_values = (clsort_buffer){merge.io.values.mem, FIRST * sizeof(uint32_t)};
    accept_by(fixture, merge.plan, &merge.io);
    return merge;
}

static void second_inputs_of_sorts(void **state)
{
    struct fixture *fixture = *state;
    for (int field = 0; field < 3; field++) {
        clsort_io io = fixture->io;
        io.count = SECOND;
        io.second_count = field == 0 ? SECOND : 0;
        io.second_keys.mem = field == 1 ? io.keys.mem : NULL;
        io.second_values.mem = field == 2 ? io.values.mem : NULL;
        refuse(fixture, &io, CLSORT_E_OPERATION);
    }
}

static void merges_without_arrays(void **state)
{
    struct fixture *fixture = *state;
    const struct merge merge = make_merge(fixture);
    clsort_buffer none = {NULL, 0};
    for (int i = 0; i < 6; i++) {
        clsort_io io = merge.io;
        clsort_buffer *const buffers[] = {&io.keys,       &io.values,      &io.keys_out,
                                          &io.values_out, &io.second_keys, &io.second_values};
        *buffers[i] = none;
        refuse_by(fixture, merge.plan, &io, CLSORT_E_ARGUMENT);
    }
    /* An input of 0 elements needs no buffers. */
    clsort_io io = merge.io;
    io.second_count = 0;
    io.second_keys = io.second_values = none;
    accept_by(fixture, merge.plan, &io);
    io = merge.io;
    io.count = 0;
    io.keys = io.values = none;
    accept_by(fixture, merge.plan, &io);
    io.second_count = 0;
    io.second_keys = io.second_values = none;
    accept_by(fixture, merge.plan, &io);
    clsort_plan_destroy(merge.plan);
}

static void merges_in_place(void **state)
{
    struct fixture *fixture = *state;
    const struct merge merge = make_merge(fixture);
    clsort_io io = merge.io;
    io.keys_out.mem = io.values_out.mem = NULL;
    refuse_by(fixture, merge.plan, &io, CLSORT_E_ARGUMENT);
    io.keys_out = io.keys;
    io.values_out = io.values;
    refuse_by(fixture, merge.plan, &io, CLSORT_E_OVERLAP);
    io = merge.io;
    io.second_keys = io.keys_out;
    refuse_by(fixture, merge.plan, &io, CLSORT_E_OVERLAP);
    io = merge.io;
    io.second_values = (clsort_buffer){io.values_out.mem, FIXTURE_BYTES - SECOND * 4};
    refuse_by(fixture, merge.plan, &io, CLSORT_E_OVERLAP);
    io = merge.io; /* inputs may overlap each other */
    io.second_keys = io.keys;
    io.second_values = io.keys;
    accept_by(fixture, merge.plan, &io);
    clsort_plan_destroy(merge.plan);
}

static void merges_with_too_large_counts(void **state)
{
    struct fixture *fixture = *state;
    const struct merge merge = make_merge(fixture);
    static const size_t seconds[] = {SECOND + 1, SIZE_MAX, SIZE_MAX - FIRST + 1, SIZE_MAX / 4};
    for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++) {
        clsort_io io = merge.io;
        io.second_count = seconds[i];
        refuse_by(fixture, merge.plan, &io, CLSORT_E_COUNT);
        io.count = seconds[i];
        io.second_count = FIRST + 1;
        refuse_by(fixture, merge.plan, &io, CLSORT_E_COUNT);
    }
    clsort_plan_destroy(merge.plan);
}

static void merges_out_of_bounds(void **state)
{
    struct fixture *fixture = *state;
    const struct merge merge = make_merge(fixture);
    for (int values = 0; values < 2; values++) {
        clsort_io io = merge.io;
        clsort_buffer *second = values ? &io.second_values : &io.second_keys;
        second->offset += 4;
        refuse_by(fixture, merge.plan, &io, CLSORT_E_BUFFER_SIZE);
        second->offset = 2;
        refuse_by(fixture, merge.plan, &io, CLSORT_E_ALIGNMENT);
        second->offset = SIZE_MAX - 3;
        refuse_by(fixture, merge.plan, &io, CLSORT_E_BUFFER_SIZE);
        io = merge.io;
        (values ? &io.values_out : &io.keys_out)->offset = 4;
        refuse_by(fixture, merge.plan, &io, CLSORT_E_BUFFER_SIZE);
    }
    clsort_plan_destroy(merge.plan);
}

/* -- custom orders ------------------------------------------------------------------------------------ */

/* Keys of 12 bytes with an alignment of 4: the fixture's buffers hold 333. */
static void wide_keys(void **state)
{
    struct fixture *fixture = *state;
    clsort_desc desc = fixture->desc;
    clsort_plan *plan = NULL;
    desc.key = CLSORT_CUSTOM;
    desc.key_size = 12;
    desc.key_type = "struct { uint at[3]; }";
    desc.less = "a.at[0] < b.at[0]";
    assert_ok(clsort_plan_create(fixture->env.engine, &desc, &plan));
    for (size_t i = 0; i < 4; i += 2) {
        clsort_io io = fixture->io;
        io.count = FIXTURE_BYTES / 12 + 1;
        refuse_by(fixture, plan, &io, CLSORT_E_BUFFER_SIZE);
        io.count--;
        buffer_of(&io, i)->offset = 8;
        refuse_by(fixture, plan, &io, CLSORT_E_BUFFER_SIZE);
        buffer_of(&io, i)->offset = 2;
        refuse_by(fixture, plan, &io, CLSORT_E_ALIGNMENT);
        buffer_of(&io, i)->offset = 4;
        accept_by(fixture, plan, &io);
    }
    clsort_plan_destroy(plan);
}

static void queries(void **state)
{
    struct fixture *fixture = *state;
    size_t bytes = 1;
    assert_status(clsort_scratch_size(NULL, 1, &bytes), CLSORT_E_ARGUMENT);
    assert_int_equal(bytes, 0);
    assert_status(clsort_scratch_size(fixture->plan, 1, NULL), CLSORT_E_ARGUMENT);
    uint64_t cost = 1;
    assert_status(clsort_cost_bytes(NULL, 1, &cost), CLSORT_E_ARGUMENT);
    assert_int_equal(cost, 0);
    assert_status(clsort_cost_bytes(fixture->plan, 1, NULL), CLSORT_E_ARGUMENT);
    char text[8];
    assert_status(clsort_plan_describe(NULL, 1, sizeof text, text, NULL), CLSORT_E_ARGUMENT);
    assert_status(clsort_plan_describe(fixture->plan, 1, 8, NULL, NULL), CLSORT_E_ARGUMENT);
    assert_status(clsort_plan_describe(fixture->plan, FIXTURE_COUNT + 1, 8, text, NULL),
                  CLSORT_E_COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(null_arguments),
        cmocka_unit_test(missing_buffers),
        cmocka_unit_test(values_of_keys_alone),
        cmocka_unit_test(struct_sizes),
        cmocka_unit_test(counts),
        cmocka_unit_test(counts_that_overflow),
        cmocka_unit_test(small_buffers),
        cmocka_unit_test(misaligned_offsets),
        cmocka_unit_test(scratch_buffers),
        cmocka_unit_test(read_only_outputs),
        cmocka_unit_test(images),
        cmocka_unit_test(foreign_handles),
        cmocka_unit_test(wait_lists),
        cmocka_unit_test(second_inputs_of_sorts),
        cmocka_unit_test(merges_without_arrays),
        cmocka_unit_test(merges_in_place),
        cmocka_unit_test(merges_with_too_large_counts),
        cmocka_unit_test(merges_out_of_bounds),
        cmocka_unit_test(wide_keys),
        cmocka_unit_test(queries),
    };
    return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
