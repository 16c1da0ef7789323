/* neighbours.c - the contracts of CLSORT_UNIQUE and CLSORT_CHECK: descriptors, arrays, and results */
#include "fixture.h"

#include <string.h>

static clsort_plan *make_plan(struct fixture *fixture, uint32_t operation)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    clsort_plan *plan = NULL;
    desc.operation = operation;
    desc.value_size = operation == CLSORT_UNIQUE ? 4 : 0;
    desc.index_size = operation == CLSORT_UNIQUE ? 4 : 0;
    desc.max_count = FIXTURE_COUNT;
    assert_ok(clsort_plan_create(fixture->env.engine, &desc, &plan));
    return plan;
}

/* The arrays of CLSORT_UNIQUE. `result` has space for a number. */
static clsort_io unique_io(const struct fixture *fixture, cl_mem result)
{
    clsort_io io = CLSORT_IO_INIT;
    io.count = FIXTURE_COUNT;
    io.keys.mem = fixture->buffers[0];
    io.values.mem = fixture->buffers[1];
    io.keys_out.mem = fixture->buffers[2];
    io.values_out.mem = fixture->buffers[3];
    io.result.mem = result;
    return io;
}

static clsort_io check_io(const struct fixture *fixture, cl_mem result)
{
    clsort_io io = CLSORT_IO_INIT;
    io.count = FIXTURE_COUNT;
    io.keys.mem = fixture->buffers[0];
    io.result.mem = result;
    return io;
}

/* Four repeats of each of 250 keys; the output of indexes has one more than the outputs have in all. */
static void drops_repeats(void **state)
{
    struct fixture *fixture = *state;
    clsort_plan *plan = make_plan(fixture, CLSORT_UNIQUE);
    const cl_mem result = fixture_buffer(fixture, CL_MEM_READ_WRITE, 8, NULL);
    const cl_mem indexes = fixture_buffer(fixture, CL_MEM_READ_WRITE, FIXTURE_BYTES, NULL);
    uint32_t keys[FIXTURE_COUNT], found[3][FIXTURE_COUNT];
    for (uint32_t i = 0; i < FIXTURE_COUNT; i++)
        keys[i] = i / 4;
    fixture_fill(fixture);
    fixture_write(fixture, fixture->buffers[0], FIXTURE_BYTES, keys);
    clsort_io io = unique_io(fixture, result);
    io.index_out.mem = indexes;
    assert_ok(fixture_enqueue(fixture, plan, &io));
    assert_int_equal(fixture_result(fixture, result), FIXTURE_COUNT / 4);
    fixture_read(fixture, io.keys_out.mem, FIXTURE_BYTES, found[0]);
    fixture_read(fixture, io.values_out.mem, FIXTURE_BYTES, found[1]);
    fixture_read(fixture, indexes, FIXTURE_BYTES, found[2]);
    for (uint32_t i = 0; i < FIXTURE_COUNT / 4; i++) {
        assert_int_equal(found[0][i], i);
        assert_int_equal(found[1][i], 4 * i); /* the values of fixture_fill are indexes */
        assert_int_equal(found[2][i], 4 * i);
    }
    assert_int_equal(found[0][FIXTURE_COUNT / 4], 0); /* fixture_fill has cleared it */
    fixture_fill(fixture);
    clReleaseMemObject(result);
    clReleaseMemObject(indexes);
    clsort_plan_destroy(plan);
}

static void finds_violations(void **state)
{
    struct fixture *fixture = *state;
    clsort_plan *plan = make_plan(fixture, CLSORT_CHECK);
    const cl_mem result = fixture_buffer(fixture, CL_MEM_READ_WRITE, 8, NULL);
    uint32_t keys[FIXTURE_COUNT];
    const clsort_io io = check_io(fixture, result);
    fixture_fill(fixture);
    assert_ok(fixture_enqueue(fixture, plan, &io)); /* descending keys */
    assert_int_equal(fixture_result(fixture, result), 1);
    for (uint32_t i = 0; i < FIXTURE_COUNT; i++)
        keys[i] = i / 2;
    fixture_write(fixture, fixture->buffers[0], FIXTURE_BYTES, keys);
    assert_ok(fixture_enqueue(fixture, plan, &io));
    assert_int_equal(fixture_result(fixture, result), FIXTURE_COUNT);
    keys[777] = 0;
    fixture_write(fixture, fixture->buffers[0], FIXTURE_BYTES, keys);
    assert_ok(fixture_enqueue(fixture, plan, &io));
    assert_int_equal(fixture_result(fixture, result), 777);
    fixture_fill(fixture);
    clReleaseMemObject(result);
    clsort_plan_destroy(plan);
}

/* Without elements there is a result, and no other array is needed. */
static void nothing(void **state)
{
    struct fixture *fixture = *state;
    for (uint32_t operation = CLSORT_UNIQUE; operation <= CLSORT_CHECK; operation++) {
        const uint64_t before = 5;
        clsort_plan *plan = make_plan(fixture, operation);
        const cl_mem result =
            fixture_buffer(fixture, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, 8, &before);
        size_t bytes = 1;
        clsort_io io = CLSORT_IO_INIT;
        io.result.mem = result;
        assert_ok(fixture_enqueue(fixture, plan, &io));
        assert_int_equal(fixture_result(fixture, result), 0);
        assert_ok(clsort_scratch_size(plan, 0, &bytes));
        assert_int_equal(bytes, 0);
        clReleaseMemObject(result);
        clsort_plan_destroy(plan);
    }
}

static void unique_arguments(void **state)
{
    struct fixture *fixture = *state;
    clsort_plan *plan = make_plan(fixture, CLSORT_UNIQUE);
    const cl_mem result = fixture_buffer(fixture, CL_MEM_READ_WRITE, 8, NULL);
    static const clsort_buffer none = {NULL, 0};
    for (int i = 0; i < 3; i++) {
        clsort_io io = unique_io(fixture, result);
        clsort_buffer *const required[] = {&io.keys, &io.values, &io.result};
        *required[i] = none;
        assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_ARGUMENT);
    }
    clsort_io io = unique_io(fixture, result);
    io.keys_out = io.values_out = none;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_ARGUMENT); /* no outputs */
    for (int i = 0; i < 3; i++) {
        io = unique_io(fixture, result);
        clsort_buffer *const unused[] = {&io.second_keys, &io.index, &io.offsets};
        unused[i]->mem = fixture->buffers[2];
        assert_status(fixture_enqueue(fixture, plan, &io),
                      i == 2 ? CLSORT_E_SEGMENTS : CLSORT_E_OPERATION);
    }
    io = unique_io(fixture, result);
    io.k = 1;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_OPERATION);
    io = unique_io(fixture, result);
    io.keys_out = io.keys;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_OVERLAP); /* in place */
    io = unique_io(fixture, result);
    io.index_out = io.values;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_OVERLAP);
    io = unique_io(fixture, result);
    io.keys_out.offset = 4;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_BUFFER_SIZE);
    io = unique_io(fixture, result);
    io.result.offset = 4;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_ALIGNMENT);
    io = unique_io(fixture, result);
    io.scratch.mem = result; /* too small, and it overlaps the result */
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_SCRATCH_SIZE);
    fixture_still_works(fixture);
    clReleaseMemObject(result);
    clsort_plan_destroy(plan);
}

static void check_arguments(void **state)
{
    struct fixture *fixture = *state;
    clsort_plan *plan = make_plan(fixture, CLSORT_CHECK);
    const cl_mem result = fixture_buffer(fixture, CL_MEM_READ_WRITE, 8, NULL);
    static const clsort_buffer none = {NULL, 0};
    clsort_io io = check_io(fixture, result);
    io.keys = none;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_ARGUMENT);
    io = check_io(fixture, none.mem);
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_ARGUMENT);
    for (int i = 0; i < 4; i++) {
        io = check_io(fixture, result);
        clsort_buffer *const unused[] = {&io.values, &io.keys_out, &io.values_out, &io.index_out};
        unused[i]->mem = fixture->buffers[2];
        assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_OPERATION);
    }
    io = check_io(fixture, fixture->buffers[0]);
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_OVERLAP);
    fixture_still_works(fixture);
    clReleaseMemObject(result);
    clsort_plan_destroy(plan);
}

static void descriptors(void **state)
{
    struct fixture *fixture = *state;
    static const struct fixture_plan_case cases[] = {
        {{.operation = CLSORT_UNIQUE, .value_size = 100}, CLSORT_OK},
        {{.operation = CLSORT_UNIQUE, .value_size = 1 << 30}, CLSORT_OK},
        {{.operation = CLSORT_UNIQUE, .flags = CLSORT_UNSTABLE | CLSORT_DESCENDING}, CLSORT_OK},
        {{.operation = CLSORT_UNIQUE, .index_size = 2}, CLSORT_E_ARGUMENT},
        {{.operation = CLSORT_UNIQUE, .index_size = 4, .max_count = (size_t)UINT32_MAX + 2},
         CLSORT_E_COUNT},
        {{.operation = CLSORT_UNIQUE, .segments = CLSORT_ROWS}, CLSORT_E_SEGMENTS},
        {{.operation = CLSORT_UNIQUE, .segments = CLSORT_OFFSETS}, CLSORT_E_SEGMENTS},
        {{.operation = CLSORT_UNIQUE, .count_size = 4}, CLSORT_OK},
        {{.operation = CLSORT_UNIQUE, .algorithm = "radix"}, CLSORT_E_UNSUPPORTED},
        {{.operation = CLSORT_UNIQUE, .algorithm = "unique"}, CLSORT_E_ALGORITHM},
        {{.operation = CLSORT_UNIQUE, .flags = CLSORT_UNSTABLE | CLSORT_NO_SCRATCH},
         CLSORT_E_UNSUPPORTED},
        {{.operation = CLSORT_UNIQUE, .flags = CLSORT_INPUT_ORDER}, CLSORT_E_FLAGS},
        {{.operation = CLSORT_UNIQUE, .max_k = 1}, CLSORT_E_OPERATION},
        {{.operation = CLSORT_CHECK, .begin_bit = 3, .end_bit = 9}, CLSORT_OK},
        {{.operation = CLSORT_CHECK, .value_size = 4}, CLSORT_E_ARGUMENT},
        {{.operation = CLSORT_CHECK, .index_size = 4}, CLSORT_E_OPERATION},
        {{.operation = CLSORT_CHECK, .segments = CLSORT_BEGIN_END}, CLSORT_E_SEGMENTS},
        {{.operation = CLSORT_CHECK, .count_size = 8}, CLSORT_OK},
        {{.operation = CLSORT_CHECK, .algorithm = "check"}, CLSORT_E_ALGORITHM},
    };
    fixture_check_plans(fixture, cases, sizeof cases / sizeof *cases);
}

static void host_arrays_are_refused(void **state)
{
    struct fixture *fixture = *state;
    uint32_t keys[2] = {2, 1};
    for (uint32_t operation = CLSORT_UNIQUE; operation <= CLSORT_CHECK; operation++) {
        clsort_desc desc = CLSORT_DESC_INIT;
        desc.operation = operation;
        assert_status(clsort_host(fixture->env.engine, NULL, &desc, 2, keys, NULL),
                      CLSORT_E_OPERATION);
    }
}

static void descriptions_and_costs(void **state)
{
    struct fixture *fixture = *state;
    clsort_plan *unique = make_plan(fixture, CLSORT_UNIQUE),
                *check = make_plan(fixture, CLSORT_CHECK);
    char text[256];
    uint64_t bytes = 0;
    assert_ok(clsort_plan_describe(unique, FIXTURE_COUNT, sizeof text, text, NULL));
    assert_non_null(strstr(text, "unique of u32 asc + 4 bytes, indexes of 4 bytes"));
    assert_ok(clsort_cost_bytes(unique, FIXTURE_COUNT, &bytes));
    assert_int_equal(bytes, 20 * FIXTURE_COUNT);
    assert_ok(clsort_plan_describe(check, FIXTURE_COUNT, sizeof text, text, NULL));
    assert_non_null(strstr(text, "check of u32 asc"));
    assert_ok(clsort_cost_bytes(check, FIXTURE_COUNT, &bytes));
    assert_int_equal(bytes, 4 * FIXTURE_COUNT);
    clsort_plan_destroy(unique);
    clsort_plan_destroy(check);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drops_repeats),
        cmocka_unit_test(finds_violations),
        cmocka_unit_test(nothing),
        cmocka_unit_test(unique_arguments),
        cmocka_unit_test(check_arguments),
        cmocka_unit_test(descriptors),
        cmocka_unit_test(host_arrays_are_refused),
        cmocka_unit_test(descriptions_and_costs),
    };
    return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
