/* several_values.c - the contracts of sorts with several arrays of values: descriptors and arrays */
#include "fixture.h"

#include <string.h>

enum { ARRAYS = 2 };

static const size_t sizes[] = {4, 2};

static clsort_desc arrays_desc(void)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.max_count = FIXTURE_COUNT;
    desc.value_sizes = sizes;
    desc.value_count = ARRAYS;
    return desc;
}

/* A plan with buffers for two arrays of values, the second with values of 2 bytes. */
struct arrays {
    clsort_plan *plan;
    cl_mem second[2]; /* input and output */
    clsort_buffer in[ARRAYS], out[ARRAYS];
    clsort_io io; /* a valid sort, out of place */
};

static void set_up(struct fixture *fixture, const clsort_desc *desc, struct arrays *arrays)
{
    uint16_t second[FIXTURE_COUNT];
    for (size_t i = 0; i < FIXTURE_COUNT; i++)
        second[i] = (uint16_t)(i + 7);
    fixture_fill(fixture);
    *arrays = (struct arrays){.io = CLSORT_IO_INIT};
    assert_ok(clsort_plan_create(fixture->env.engine, desc, &arrays->plan));
    arrays->second[0] = fixture_buffer(fixture, 0, sizeof second, second);
    arrays->second[1] = fixture_buffer(fixture, 0, sizeof second, NULL);
    arrays->in[0].mem = fixture->buffers[1];
    arrays->in[1].mem = arrays->second[0];
    arrays->out[0].mem = fixture->buffers[3];
    arrays->out[1].mem = arrays->second[1];
    arrays->io.count = FIXTURE_COUNT;
    arrays->io.keys.mem = fixture->buffers[0];
    arrays->io.keys_out.mem = fixture->buffers[2];
    arrays->io.value_arrays = arrays->in;
    arrays->io.value_arrays_out = arrays->out;
}

static void tear_down(struct arrays *arrays)
{
    clReleaseMemObject(arrays->second[0]);
    clReleaseMemObject(arrays->second[1]);
    clsort_plan_destroy(arrays->plan);
}

/* -- results ----------------------------------------------------------------------------------- */

/* Checks that the keys and the first values are those of the fixture, sorted, and also the second ones. */
static void check(struct fixture *fixture, cl_mem keys, cl_mem values, cl_mem second)
{
    uint16_t found[FIXTURE_COUNT];
    assert_true(fixture_sorted(fixture, keys, values));
    fixture_read(fixture, second, sizeof found, found);
    for (size_t i = 0; i < FIXTURE_COUNT; i++)
        assert_int_equal(found[i], FIXTURE_COUNT - 1 - i + 7);
}

static void moves_all_arrays(void **state)
{
    struct fixture *fixture = *state;
    const clsort_desc desc = arrays_desc();
    struct arrays arrays;
    set_up(fixture, &desc, &arrays);
    assert_ok(fixture_enqueue(fixture, arrays.plan, &arrays.io));
    check(fixture, fixture->buffers[2], fixture->buffers[3], arrays.second[1]);
    /* In place, each array on its own. */
    arrays.out[0] = arrays.in[0];
    assert_ok(fixture_enqueue(fixture, arrays.plan, &arrays.io));
    check(fixture, fixture->buffers[2], fixture->buffers[1], arrays.second[1]);
    fixture_fill(fixture);
    arrays.io.keys_out.mem = NULL;
    arrays.io.value_arrays_out = NULL;
    assert_ok(fixture_enqueue(fixture, arrays.plan, &arrays.io));
    check(fixture, fixture->buffers[0], fixture->buffers[1], arrays.second[0]);
    tear_down(&arrays);
}

/* The arrays of values are the columns, which are sorted in place. */
static void sorts_columns(void **state)
{
    struct fixture *fixture = *state;
    const clsort_column columns[] = {{CLSORT_U32, 0, 0, 0}, {CLSORT_U32, 0, 0, 0}};
    const size_t column_sizes[] = {4, 4};
    clsort_desc desc = arrays_desc();
    struct arrays arrays;
    desc.operation = CLSORT_ARGSORT;
    desc.columns = columns;
    desc.column_count = 2;
    desc.value_sizes = column_sizes;
    set_up(fixture, &desc, &arrays);
    const clsort_buffer buffers[] = {{fixture->buffers[0], 0}, {fixture->buffers[1], 0}};
    arrays.io.columns = arrays.io.value_arrays = buffers;
    arrays.io.value_arrays_out = NULL;
    arrays.io.keys.mem = arrays.io.keys_out.mem = NULL;
    arrays.io.index_out.mem = fixture->buffers[3];
    assert_ok(fixture_enqueue(fixture, arrays.plan, &arrays.io));
    assert_true(fixture_sorted(fixture, fixture->buffers[0], fixture->buffers[1]));
    /* Out of place, an output must not be a column. */
    const clsort_buffer crossed[] = {{fixture->buffers[1], 0}, {fixture->buffers[2], 0}};
    arrays.io.value_arrays_out = crossed;
    assert_status(fixture_enqueue(fixture, arrays.plan, &arrays.io), CLSORT_E_OVERLAP);
    tear_down(&arrays);
}

static void nothing_to_sort(void **state)
{
    struct fixture *fixture = *state;
    const clsort_desc desc = arrays_desc();
    struct arrays arrays;
    clsort_io io = CLSORT_IO_INIT;
    size_t bytes = 1;
    set_up(fixture, &desc, &arrays);
    assert_ok(clsort_scratch_size(arrays.plan, 0, &bytes));
    assert_int_equal(bytes, 0);
    assert_ok(fixture_enqueue(fixture, arrays.plan, &io));
    tear_down(&arrays);
}

static void scratch(void **state)
{
    struct fixture *fixture = *state;
    const size_t wide[] = {1, 1 << 20};
    clsort_desc desc = arrays_desc();
    struct arrays arrays;
    clsort_plan *plan = NULL;
    size_t bytes = 0;
    set_up(fixture, &desc, &arrays);
    fixture_check_scratch(fixture, arrays.plan, &arrays.io);
    tear_down(&arrays);
    desc.value_sizes = wide;
    assert_ok(clsort_plan_create(fixture->env.engine, &desc, &plan));
    assert_ok(clsort_scratch_size(plan, FIXTURE_COUNT, &bytes));
    assert_in_range(bytes, FIXTURE_COUNT * (64 + 4), FIXTURE_COUNT * (64 + 4) + 256);
    clsort_plan_destroy(plan);
}

/* -- refusals ---------------------------------------------------------------------------------- */

static void buffers(void **state)
{
    struct fixture *fixture = *state;
    const clsort_desc desc = arrays_desc();
    struct arrays arrays;
    set_up(fixture, &desc, &arrays);
    const struct arrays valid = arrays;
    const struct {
        clsort_buffer in, out; /* of the second array */
        clsort_status status;
        const char *text;
    } cases[] = {
        {{NULL, 0}, valid.out[1], CLSORT_E_ARGUMENT, "value_arrays[1].mem is NULL"},
        {valid.in[1], {NULL, 0}, CLSORT_E_ARGUMENT, "value_arrays_out[1].mem is NULL"},
        {{valid.in[1].mem, 2}, valid.out[1], CLSORT_E_BUFFER_SIZE, "value_arrays[1] is too small"},
        {{valid.in[1].mem, 2}, {valid.in[1].mem, 2}, CLSORT_E_BUFFER_SIZE, "value_arrays[1] is"},
        {valid.in[1], {valid.out[1].mem, 1}, CLSORT_E_ALIGNMENT, "value_arrays_out[1].offset"},
        {valid.in[1], valid.in[0], CLSORT_E_OVERLAP,
         "value_arrays_out[1] overlaps value_arrays[0]"},
        {valid.in[0], valid.out[0], CLSORT_E_OVERLAP, "value_arrays_out[0] overlaps"},
        {valid.in[1], {fixture->buffers[2], 0}, CLSORT_E_OVERLAP, "keys_out overlaps"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        arrays.in[1] = cases[i].in;
        arrays.out[1] = cases[i].out;
        arrays.io.value_arrays = arrays.in;
        arrays.io.value_arrays_out = arrays.out;
        assert_status(fixture_enqueue(fixture, arrays.plan, &arrays.io), cases[i].status);
        arrays.io.value_arrays = valid.in;
        assert_ok(clsort_last_error(NULL, sizeof text, text, NULL));
        if (!strstr(text, cases[i].text))
            fail_msg("case %zu: \"%s\" lacks \"%s\"", i, text, cases[i].text);
    }
    arrays.io.value_arrays = NULL;
    assert_status(fixture_enqueue(fixture, arrays.plan, &arrays.io), CLSORT_E_ARGUMENT);
    /* A plan without several arrays refuses them. */
    clsort_io io = fixture->io;
    io.value_arrays = valid.in;
    assert_status(fixture_enqueue(fixture, fixture->plan, &io), CLSORT_E_OPERATION);
    fixture_still_works(fixture);
    tear_down(&arrays);
}

static void descriptors(void **state)
{
    struct fixture *fixture = *state;
    static const size_t empty[] = {4, 0}, huge[] = {4, ((size_t)1 << 30) + 1};
    const clsort_desc valid = arrays_desc();
    clsort_desc desc[15];
    const clsort_status status[] = {CLSORT_OK,          CLSORT_E_ARGUMENT,
                                    CLSORT_E_ARGUMENT,  CLSORT_E_ARGUMENT,
                                    CLSORT_E_ARGUMENT,  CLSORT_E_ARGUMENT,
                                    CLSORT_E_ARGUMENT,  CLSORT_E_OPERATION,
                                    CLSORT_E_OPERATION, CLSORT_OK,
                                    CLSORT_OK,          CLSORT_E_UNSUPPORTED,
                                    CLSORT_OK,          CLSORT_E_UNSUPPORTED,
                                    CLSORT_OK};
    for (size_t i = 0; i < sizeof desc / sizeof *desc; i++)
        desc[i] = valid;
    desc[1].value_count = 0;
    desc[2].value_count = CLSORT_MAX_VALUES + 1;
    desc[3].value_sizes = NULL;
    desc[4].value_size = 4;
    desc[5].value_sizes = empty;
    desc[6].value_sizes = huge;
    desc[7].operation = CLSORT_SELECT;
    desc[8].operation = CLSORT_MERGE_SORTED;
    desc[9].segments = CLSORT_ROWS;
    desc[10].count_size = 4;
    desc[11].flags = CLSORT_NO_SCRATCH;
    desc[12].segments = CLSORT_BEGIN_END;
    desc[12].count_size = 8;
    desc[13].operation = CLSORT_ARGSORT;
    desc[13].segments = CLSORT_ROWS;
    desc[14].operation = CLSORT_ARGSORT;
    desc[14].count_size = 8;
    for (size_t i = 0; i < sizeof desc / sizeof *desc; i++) {
        clsort_plan *plan = NULL;
        assert_status(clsort_plan_create(fixture->env.engine, &desc[i], &plan), status[i]);
        clsort_plan_destroy(plan);
    }
    uint32_t keys[2] = {1, 0};
    assert_status(clsort_host(fixture->env.engine, NULL, &valid, 2, keys, NULL),
                  CLSORT_E_UNSUPPORTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_all_arrays), cmocka_unit_test(sorts_columns),
        cmocka_unit_test(nothing_to_sort),  cmocka_unit_test(scratch),
        cmocka_unit_test(buffers),          cmocka_unit_test(descriptors)};
    return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
