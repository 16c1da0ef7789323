/* indexes.c - the contracts of argsorts, gathers and selections: descriptors, arrays, and results */
#include "fixture.h"

#include <stdlib.h>
#include <string.h>

/* Returns a plan for the operation with indexes of this size and values of 4 bytes. */
static clsort_plan *make_plan(struct fixture *fixture, uint32_t operation, uint32_t index_size)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    clsort_plan *plan = NULL;
    desc.operation = operation;
    desc.index_size = index_size;
    desc.value_size = operation == CLSORT_GATHER ? 4 : 0;
    desc.max_count = FIXTURE_COUNT;
    assert_ok(clsort_plan_create(fixture->env.engine, &desc, &plan));
    return plan;
}

static clsort_io argsort_io(const struct fixture *fixture)
{
    clsort_io io = CLSORT_IO_INIT;
    io.count = FIXTURE_COUNT;
    io.keys.mem = fixture->buffers[0];
    io.keys_out.mem = fixture->buffers[2];
    io.index_out.mem = fixture->buffers[3];
    return io;
}

/* The keys of the fixture, in reverse order, are the indexes. */
static clsort_io gather_io(const struct fixture *fixture)
{
    clsort_io io = CLSORT_IO_INIT;
    io.count = io.source_count = FIXTURE_COUNT;
    io.index.mem = fixture->buffers[0];
    io.values.mem = fixture->buffers[1];
    io.values_out.mem = fixture->buffers[3];
    return io;
}

static void read(const struct fixture *fixture, cl_mem mem, uint32_t *data)
{
    assert_ok(clEnqueueReadBuffer(fixture->env.queue, mem, CL_TRUE, 0, FIXTURE_BYTES, data, 0, NULL,
                                  NULL));
}

static bool is_reversed(const struct fixture *fixture, cl_mem mem)
{
    uint32_t found[FIXTURE_COUNT];
    read(fixture, mem, found);
    for (uint32_t i = 0; i < FIXTURE_COUNT; i++)
        if (found[i] != FIXTURE_COUNT - 1 - i)
            return false;
    return true;
}

/* -- argsorts ---------------------------------------------------------------------------------- */

static void argsort_gives_the_permutation(void **state)
{
    struct fixture *fixture = *state;
    clsort_plan *plan = make_plan(fixture, CLSORT_ARGSORT, 4);
    fixture_fill(fixture);
    const clsort_io io = argsort_io(fixture);
    assert_ok(fixture_enqueue(fixture, plan, &io));
    assert_true(is_reversed(fixture, fixture->buffers[3]));
    assert_true(is_reversed(fixture, fixture->buffers[0])); /* the keys are unchanged */
    uint32_t sorted[FIXTURE_COUNT];
    read(fixture, fixture->buffers[2], sorted);
    for (uint32_t i = 0; i < FIXTURE_COUNT; i++)
        assert_int_equal(sorted[i], i);
    clsort_plan_destroy(plan);
}

static void argsort_of_nothing(void **state)
{
    struct fixture *fixture = *state;
    clsort_plan *plan = make_plan(fixture, CLSORT_ARGSORT, 4);
    clsort_io io = CLSORT_IO_INIT;
    assert_ok(fixture_enqueue(fixture, plan, &io));
    clsort_plan_destroy(plan);
}

static void argsort_arguments(void **state)
{
    struct fixture *fixture = *state;
    clsort_plan *plan = make_plan(fixture, CLSORT_ARGSORT, 4);
    static const struct {
        enum { NO_KEYS, NO_INDEX, VALUES, VALUES_OUT, SECOND, INDEX, SOURCE, RESULT } change;
        clsort_status status;
    } cases[] = {
        {NO_KEYS, CLSORT_E_ARGUMENT}, {NO_INDEX, CLSORT_E_ARGUMENT},
        {VALUES, CLSORT_E_OPERATION}, {VALUES_OUT, CLSORT_E_OPERATION},
        {SECOND, CLSORT_E_OPERATION}, {INDEX, CLSORT_E_OPERATION},
        {SOURCE, CLSORT_E_OPERATION}, {RESULT, CLSORT_E_OPERATION},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        clsort_io io = argsort_io(fixture);
        clsort_buffer *const buffers[] = {&io.keys,       &io.index_out,   &io.values,
                                          &io.values_out, &io.second_keys, &io.index,
                                          NULL,           &io.result};
        if (cases[i].change == SOURCE)
            io.source_count = 1;
        else
            buffers[cases[i].change]->mem =
                cases[i].change <= NO_INDEX ? NULL : fixture->buffers[1];
        assert_status(fixture_enqueue(fixture, plan, &io), cases[i].status);
    }
    clsort_io io = argsort_io(fixture);
    io.index_out.offset = 4;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_BUFFER_SIZE);
    io.index_out.offset = 2;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_ALIGNMENT);
    io = argsort_io(fixture);
    io.index_out = io.keys;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_OVERLAP);
    io = argsort_io(fixture);
    io.index_out = io.keys_out;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_OVERLAP);
    io = argsort_io(fixture);
    io.count = FIXTURE_COUNT + 1;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_COUNT);
    fixture_still_works(fixture);
    clsort_plan_destroy(plan);
}

/* Scratch memory does not depend on whether the sorted keys are written. */
static void argsort_scratch(void **state)
{
    struct fixture *fixture = *state;
    clsort_plan *plan = make_plan(fixture, CLSORT_ARGSORT, 8);
    cl_mem indexes = fixture_buffer(fixture, CL_MEM_READ_WRITE, 2 * FIXTURE_BYTES, NULL);
    size_t bytes = 0;
    assert_ok(clsort_scratch_size(plan, FIXTURE_COUNT, &bytes));
    cl_mem scratch = fixture_buffer(fixture, CL_MEM_READ_WRITE, bytes, NULL);
    for (int with_keys = 0; with_keys < 2; with_keys++) {
        fixture_fill(fixture);
        clsort_io io = argsort_io(fixture);
        io.index_out.mem = indexes;
        io.scratch.mem = scratch;
        if (!with_keys)
            io.keys_out.mem = NULL;
        assert_ok(fixture_enqueue(fixture, plan, &io));
        uint64_t found[FIXTURE_COUNT];
        assert_ok(clEnqueueReadBuffer(fixture->env.queue, indexes, CL_TRUE, 0, sizeof found, found,
                                      0, NULL, NULL));
        for (uint64_t i = 0; i < FIXTURE_COUNT; i++)
            assert_int_equal(found[i], FIXTURE_COUNT - 1 - i);
    }
    cl_mem small = fixture_buffer(fixture, CL_MEM_READ_WRITE, bytes - 8, NULL);
    clsort_io io = argsort_io(fixture);
    io.index_out.mem = indexes;
    io.scratch.mem = small;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_SCRATCH_SIZE);
    clReleaseMemObject(small);
    clReleaseMemObject(scratch);
    clReleaseMemObject(indexes);
    clsort_plan_destroy(plan);
}

/* -- gathers ----------------------------------------------------------------------------------- */

static void gather_applies_an_argsort(void **state)
{
    struct fixture *fixture = *state;
    clsort_plan *argsort = make_plan(fixture, CLSORT_ARGSORT, 4),
                *gather = make_plan(fixture, CLSORT_GATHER, 4);
    fixture_fill(fixture);
    clsort_io io = argsort_io(fixture);
    io.keys_out.mem = NULL;
    io.index_out.mem = fixture->buffers[2];
    assert_ok(fixture_enqueue(fixture, argsort, &io));
    io = gather_io(fixture);
    io.index.mem = fixture->buffers[2];
    assert_ok(fixture_enqueue(fixture, gather, &io));
    assert_true(is_reversed(fixture, fixture->buffers[3]));
    clsort_plan_destroy(gather);
    clsort_plan_destroy(argsort);
}

/* Indexes out of bounds give zeros and are counted, also beyond 32 bits. */
static void gather_out_of_bounds(void **state)
{
    struct fixture *fixture = *state;
    clsort_plan *plan = make_plan(fixture, CLSORT_GATHER, 8);
    static uint64_t index[FIXTURE_COUNT];
    static const uint64_t bad[] = {700, 701, UINT32_MAX, (uint64_t)1 << 32, UINT64_MAX};
    uint64_t expected = 0;
    for (size_t i = 0; i < FIXTURE_COUNT; i++) {
        index[i] = i % 3 == 1 ? bad[i % 5] : i * 7 % 700;
        expected += i % 3 == 1;
    }
    fixture_fill(fixture);
    cl_mem indexes = fixture_buffer(fixture, CL_MEM_READ_ONLY, sizeof index, index);
    const uint64_t garbage[2] = {UINT64_MAX, UINT64_MAX};
    cl_mem result = fixture_buffer(fixture, CL_MEM_READ_WRITE, sizeof garbage, garbage);
    clsort_io io = gather_io(fixture);
    io.index.mem = indexes;
    io.source_count = 700;
    io.result = (clsort_buffer){result, 8};
    assert_ok(fixture_enqueue(fixture, plan, &io));
    uint64_t counted[2];
    uint32_t found[FIXTURE_COUNT];
    assert_ok(clEnqueueReadBuffer(fixture->env.queue, result, CL_TRUE, 0, sizeof counted, counted,
                                  0, NULL, NULL));
    assert_int_equal(counted[0], UINT64_MAX);
    assert_int_equal(counted[1], expected);
    read(fixture, fixture->buffers[3], found);
    for (size_t i = 0; i < FIXTURE_COUNT; i++) /* the value of the fixture is its index */
        assert_int_equal(found[i], i % 3 == 1 ? 0 : index[i]);
    io.source_count = 0;    /* without a source, all indexes are out of bounds */
    io.values.mem = result; /* too small for a value */
    io.values.offset = 4;
    assert_ok(fixture_enqueue(fixture, plan, &io));
    io.values = (clsort_buffer){NULL, 0};
    assert_ok(fixture_enqueue(fixture, plan, &io));
    assert_ok(clEnqueueReadBuffer(fixture->env.queue, result, CL_TRUE, 0, sizeof counted, counted,
                                  0, NULL, NULL));
    assert_int_equal(counted[1], FIXTURE_COUNT);
    io = (clsort_io)CLSORT_IO_INIT; /* without indexes, none is out of bounds */
    io.result = (clsort_buffer){result, 8};
    assert_ok(fixture_enqueue(fixture, plan, &io));
    assert_ok(clEnqueueReadBuffer(fixture->env.queue, result, CL_TRUE, 0, sizeof counted, counted,
                                  0, NULL, NULL));
    assert_int_equal(counted[1], 0);
    clReleaseMemObject(result);
    clReleaseMemObject(indexes);
    clsort_plan_destroy(plan);
}

static void gather_arguments(void **state)
{
    struct fixture *fixture = *state;
    clsort_plan *plan = make_plan(fixture, CLSORT_GATHER, 4);
    static const clsort_buffer none = {NULL, 0};
    for (int i = 0; i < 3; i++) {
        clsort_io io = gather_io(fixture);
        clsort_buffer *const required[] = {&io.index, &io.values, &io.values_out};
        *required[i] = none;
        assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_ARGUMENT);
    }
    for (int i = 0; i < 4; i++) {
        clsort_io io = gather_io(fixture);
        clsort_buffer *const unused[] = {&io.keys, &io.keys_out, &io.second_values, &io.index_out};
        unused[i]->mem = fixture->buffers[2];
        assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_OPERATION);
    }
    clsort_io io = gather_io(fixture);
    io.values_out = io.values;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_OVERLAP);
    io.values_out = io.index;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_OVERLAP);
    io = gather_io(fixture);
    io.source_count = FIXTURE_COUNT + 1;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_BUFFER_SIZE);
    io.source_count = SIZE_MAX;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_COUNT);
    io = gather_io(fixture);
    io.result = (clsort_buffer){fixture->buffers[2], 4};
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_ALIGNMENT);
    io.result.offset = FIXTURE_BYTES;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_BUFFER_SIZE);
    io.result = (clsort_buffer){fixture->buffers[3], 0};
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_OVERLAP);
    size_t bytes = 1;
    assert_ok(clsort_scratch_size(plan, FIXTURE_COUNT, &bytes));
    assert_int_equal(bytes, 0);
    fixture_still_works(fixture);
    clsort_plan_destroy(plan);
}

/* -- selections -------------------------------------------------------------------------------- */

static clsort_plan *make_selection(struct fixture *fixture, uint32_t operation, size_t max_k)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    clsort_plan *plan = NULL;
    desc.operation = operation;
    desc.value_size = 4;
    desc.max_count = FIXTURE_COUNT;
    desc.max_k = max_k;
    assert_ok(clsort_plan_create(fixture->env.engine, &desc, &plan));
    return plan;
}

static clsort_io selection_io(const struct fixture *fixture, size_t k)
{
    clsort_io io = fixture->io;
    io.k = k;
    return io;
}

/* The keys of the fixture are in reverse order, and its values are the indexes. */
static void selection_of_the_smallest(void **state)
{
    struct fixture *fixture = *state;
    clsort_plan *plan = make_selection(fixture, CLSORT_SELECT, 100);
    uint32_t keys[FIXTURE_COUNT], values[FIXTURE_COUNT];
    fixture_fill(fixture);
    clsort_io io = selection_io(fixture, 100);
    assert_ok(fixture_enqueue(fixture, plan, &io));
    read(fixture, fixture->buffers[2], keys);
    read(fixture, fixture->buffers[3], values);
    for (uint32_t i = 0; i < 100; i++) {
        assert_int_equal(keys[i], i);
        assert_int_equal(values[i], FIXTURE_COUNT - 1 - i);
    }
    io = selection_io(fixture, 0); /* selects nothing */
    assert_ok(fixture_enqueue(fixture, plan, &io));
    io.count = 0;
    assert_ok(fixture_enqueue(fixture, plan, &io));
    clsort_plan_destroy(plan);
}

static void nth_element(void **state)
{
    struct fixture *fixture = *state;
    clsort_plan *plan = make_selection(fixture, CLSORT_NTH, 0);
    fixture_fill(fixture);
    for (size_t k = 0; k < FIXTURE_COUNT; k += 333) {
        uint32_t keys[FIXTURE_COUNT], values[FIXTURE_COUNT];
        const clsort_io io = selection_io(fixture, k);
        assert_ok(fixture_enqueue(fixture, plan, &io));
        read(fixture, fixture->buffers[2], keys);
        read(fixture, fixture->buffers[3], values);
        assert_int_equal(keys[0], k);
        assert_int_equal(values[0], FIXTURE_COUNT - 1 - k);
    }
    const clsort_io beyond = selection_io(fixture, FIXTURE_COUNT);
    assert_status(fixture_enqueue(fixture, plan, &beyond), CLSORT_E_COUNT);
    const clsort_io underflow = selection_io(fixture, SIZE_MAX);
    assert_status(fixture_enqueue(fixture, plan, &underflow), CLSORT_E_COUNT);
    clsort_io nothing = selection_io(fixture, 0);
    nothing.count = 0;
    assert_status(fixture_enqueue(fixture, plan, &nothing), CLSORT_E_COUNT);
    clsort_plan_destroy(plan);
}

static void selection_arguments(void **state)
{
    struct fixture *fixture = *state;
    static const clsort_buffer none = {NULL, 0};
    clsort_plan *plan = make_selection(fixture, CLSORT_SELECT, 100);
    clsort_io io = selection_io(fixture, 101);
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_COUNT);
    io = selection_io(fixture, 50);
    io.count = 49;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_COUNT);
    io = selection_io(fixture, 50);
    io.keys_out = io.values_out = none;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_ARGUMENT);
    io.keys = none;
    io.keys_out = fixture->io.keys_out;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_ARGUMENT);
    io = selection_io(fixture, 50);
    io.values = none;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_ARGUMENT);
    io = selection_io(fixture, 50);
    io.index.mem = fixture->buffers[3];
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_OPERATION);
    io = selection_io(fixture, 50);
    io.keys_out = io.keys;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_OVERLAP);
    io = selection_io(fixture, 50);
    io.index_out = (clsort_buffer){io.values_out.mem, 196};
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_OVERLAP);
    io.index_out.offset = FIXTURE_BYTES - 196;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_BUFFER_SIZE);
    io.index_out.offset = 2;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_ALIGNMENT);
    io = fixture->io;
    io.k = 1; /* a sort has no k */
    assert_status(fixture_enqueue(fixture, fixture->plan, &io), CLSORT_E_OPERATION);
    fixture_still_works(fixture);
    clsort_plan_destroy(plan);
}

/* -- descriptors ------------------------------------------------------------------------------- */

static void descriptors(void **state)
{
    struct fixture *fixture = *state;
    static const struct fixture_plan_case cases[] = {
        {{.operation = CLSORT_ARGSORT}, CLSORT_OK},
        {{.operation = CLSORT_ARGSORT, .index_size = 2}, CLSORT_E_ARGUMENT},
        {{.operation = CLSORT_ARGSORT, .value_size = 4}, CLSORT_E_ARGUMENT},
        {{.operation = CLSORT_ARGSORT, .flags = CLSORT_UNSTABLE | CLSORT_NO_SCRATCH},
         CLSORT_E_UNSUPPORTED},
        {{.operation = CLSORT_ARGSORT, .algorithm = "count"}, CLSORT_E_UNSUPPORTED},
        {{.operation = CLSORT_ARGSORT, .index_size = 4, .max_count = (size_t)UINT32_MAX + 2},
         CLSORT_E_COUNT},
        {{.operation = CLSORT_GATHER}, CLSORT_E_ARGUMENT},
        {{.operation = CLSORT_GATHER, .value_size = 4, .index_size = 1}, CLSORT_E_ARGUMENT},
        {{.operation = CLSORT_GATHER, .value_size = 4, .flags = CLSORT_DESCENDING}, CLSORT_E_FLAGS},
        {{.operation = CLSORT_GATHER, .value_size = 4, .end_bit = 8}, CLSORT_E_BITS},
        {{.operation = CLSORT_GATHER, .value_size = 4, .algorithm = "radix"}, CLSORT_E_UNSUPPORTED},
        {{.operation = CLSORT_GATHER, .value_size = 4, .algorithm = "gather"}, CLSORT_E_ALGORITHM},
        {{.operation = CLSORT_SELECT}, CLSORT_OK},
        {{.operation = CLSORT_SELECT, .max_count = 10, .max_k = 11}, CLSORT_E_COUNT},
        {{.operation = CLSORT_SELECT, .index_size = 3}, CLSORT_E_ARGUMENT},
        {{.operation = CLSORT_SELECT, .flags = CLSORT_UNSTABLE | CLSORT_NO_SCRATCH},
         CLSORT_E_UNSUPPORTED},
        {{.operation = CLSORT_NTH, .flags = CLSORT_INPUT_ORDER}, CLSORT_E_FLAGS},
        {{.operation = CLSORT_NTH, .max_k = 1}, CLSORT_E_OPERATION},
        {{.operation = CLSORT_NTH, .flags = CLSORT_PARTITION}, CLSORT_OK},
        {{.operation = CLSORT_SELECT, .flags = CLSORT_PARTITION}, CLSORT_E_FLAGS},
        {{.operation = CLSORT_SORT, .flags = CLSORT_PARTITION}, CLSORT_E_FLAGS},
        {{.operation = CLSORT_GATHER, .value_size = 1 << 30}, CLSORT_OK},
        {{.operation = CLSORT_SELECT, .value_size = 1 << 30}, CLSORT_OK},
        {{.operation = CLSORT_SORT, .flags = CLSORT_INPUT_ORDER}, CLSORT_E_FLAGS},
        {{.operation = CLSORT_SORT, .index_size = 4}, CLSORT_E_OPERATION},
        {{.operation = CLSORT_MERGE_SORTED, .index_size = 8}, CLSORT_E_OPERATION},
    };
    fixture_check_plans(fixture, cases, sizeof cases / sizeof *cases);
}

/* The size of an index that is not given depends on max_count. */
static void default_index_size(void **state)
{
    struct fixture *fixture = *state;
    clsort_desc desc = CLSORT_DESC_INIT;
    char text[256];
    desc.operation = CLSORT_ARGSORT;
    for (int bounded = 0; bounded < 2; bounded++) {
        clsort_plan *plan = NULL;
        desc.max_count = bounded ? FIXTURE_COUNT : 0;
        assert_ok(clsort_plan_create(fixture->env.engine, &desc, &plan));
        assert_ok(clsort_plan_describe(plan, 100, sizeof text, text, NULL));
        assert_non_null(strstr(text, bounded ? "argsort of u32 asc, indexes of 4 bytes"
                                             : "argsort of u32 asc, indexes of 8 bytes"));
        clsort_plan_destroy(plan);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(argsort_gives_the_permutation),
        cmocka_unit_test(argsort_of_nothing),
        cmocka_unit_test(argsort_arguments),
        cmocka_unit_test(argsort_scratch),
        cmocka_unit_test(gather_applies_an_argsort),
        cmocka_unit_test(gather_out_of_bounds),
        cmocka_unit_test(gather_arguments),
        cmocka_unit_test(selection_of_the_smallest),
        cmocka_unit_test(nth_element),
        cmocka_unit_test(selection_arguments),
        cmocka_unit_test(descriptors),
        cmocka_unit_test(default_index_size),
    };
    return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
