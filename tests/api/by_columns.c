/* by_columns.c - the contracts of sorts of records, of columns and of byte strings: descriptors, arrays and counts */
#include "records_fixture.h"

#include <stdlib.h>
#include <string.h>

/* -- results ----------------------------------------------------------------------------------- */

static void sorts_records(void **state)
{
    struct fixture *fixture = *state;
    const clsort_desc desc = records_desc(&by_key, 1);
    clsort_plan *plan = records_plan(fixture, &desc);
    clsort_io io = records_io(fixture);
    uint32_t keys[FIXTURE_COUNT];
    for (int in_place = 0; in_place <= 1; in_place++) {
        fixture_fill(fixture);
        if (in_place)
            io.keys_out.mem = NULL;
        assert_ok(fixture_enqueue(fixture, plan, &io));
        fixture_read(fixture, fixture->buffers[in_place ? 0 : 2], sizeof keys, keys);
        for (uint32_t i = 0; i < FIXTURE_COUNT; i++)
            assert_int_equal(keys[i], i);
    }
    clsort_plan_destroy(plan);
}

/* The order of io.columns is that of the descriptor's columns. */
static void finds_permutation_of_columns(void **state)
{
    struct fixture *fixture = *state;
    const clsort_column columns[] = {{CLSORT_U8, 0, 0, 0}, by_key};
    clsort_desc desc = records_desc(columns, 2);
    unsigned char parity[FIXTURE_COUNT];
    uint32_t indexes[FIXTURE_COUNT];
    desc.record_size = 0;
    desc.operation = CLSORT_ARGSORT;
    clsort_plan *plan = records_plan(fixture, &desc);
    for (uint32_t i = 0; i < FIXTURE_COUNT; i++)
        parity[i] = i % 2;
    fixture_fill(fixture);
    const cl_mem first = fixture_buffer(fixture, CL_MEM_READ_ONLY, sizeof parity, parity);
    const clsort_buffer buffers[] = {{first, 0}, {fixture->buffers[0], 0}};
    clsort_io io = CLSORT_IO_INIT;
    io.count = FIXTURE_COUNT;
    io.columns = buffers;
    io.index_out.mem = fixture->buffers[3];
    assert_ok(fixture_enqueue(fixture, plan, &io));
    fixture_read(fixture, fixture->buffers[3], sizeof indexes, indexes);
    for (uint32_t i = 0; i < FIXTURE_COUNT; i++)
        assert_int_equal(indexes[i], i < 500 ? 998 - 2 * i : 999 - 2 * (i - 500));
    clReleaseMemObject(first);
    clsort_plan_destroy(plan);
}

/* Pairs of equal records in order, but for one that precedes the one before it. */
static void compares_neighbours(void **state)
{
    struct fixture *fixture = *state;
    const cl_mem result = fixture_buffer(fixture, CL_MEM_READ_WRITE, 8, NULL);
    uint32_t keys[FIXTURE_COUNT], found[2][FIXTURE_COUNT];
    for (uint32_t i = 0; i < FIXTURE_COUNT; i++)
        keys[i] = i / 2;
    keys[700] = 0;
    fixture_fill(fixture);
    fixture_write(fixture, fixture->buffers[0], FIXTURE_BYTES, keys);
    const clsort_buffer columns[] = {{fixture->buffers[0], 0}, {fixture->buffers[0], 0}};
    const clsort_column by_both[] = {by_key, by_key};
    for (int has_buffers = 0; has_buffers <= 1; has_buffers++) {
        clsort_desc desc = records_desc(by_both, 2);
        desc.record_size = has_buffers ? 0 : RECORD;
        desc.operation = CLSORT_CHECK;
        clsort_plan *check = records_plan(fixture, &desc);
        desc.operation = CLSORT_UNIQUE;
        desc.index_size = 4;
        clsort_plan *unique = records_plan(fixture, &desc);
        clsort_io io = CLSORT_IO_INIT;
        io.count = FIXTURE_COUNT;
        io.result.mem = result;
        if (has_buffers)
            io.columns = columns;
        else
            io.keys.mem = fixture->buffers[0];
        assert_ok(fixture_enqueue(fixture, check, &io));
        assert_int_equal(fixture_result(fixture, result), 700);
        io.index_out.mem = fixture->buffers[3];
        io.keys_out.mem = has_buffers ? NULL : fixture->buffers[2];
        assert_ok(fixture_enqueue(fixture, unique, &io));
        assert_int_equal(fixture_result(fixture, result), FIXTURE_COUNT / 2 + 1);
        fixture_read(fixture, fixture->buffers[2], FIXTURE_BYTES, found[0]);
        fixture_read(fixture, fixture->buffers[3], FIXTURE_BYTES, found[1]);
        for (uint32_t i = 0; i <= FIXTURE_COUNT / 2; i++) {
            const uint32_t index = i <= 350 ? 2 * i : i == 351 ? 701 : 2 * i - 2;
            assert_int_equal(found[1][i], index);
            assert_int_equal(found[0][i], keys[index]); /* of the records, in both rounds */
        }
        io.index_out.mem = io.keys_out.mem = NULL;
        assert_status(fixture_enqueue(fixture, unique, &io), CLSORT_E_ARGUMENT); /* no outputs */
        io.index_out.mem = fixture->buffers[3];
        assert_status(fixture_enqueue(fixture, check, &io), CLSORT_E_OPERATION);
        io.index_out.mem = NULL;
        io.columns = NULL;
        io.keys.mem = has_buffers ? fixture->buffers[0] : NULL;
        assert_status(fixture_enqueue(fixture, check, &io),
                      has_buffers ? CLSORT_E_OPERATION : CLSORT_E_ARGUMENT);
        io = (clsort_io)CLSORT_IO_INIT;
        io.result.mem = result;
        assert_ok(fixture_enqueue(fixture, unique, &io)); /* no elements */
        assert_int_equal(fixture_result(fixture, result), 0);
        clsort_plan_destroy(check);
        clsort_plan_destroy(unique);
    }
    clReleaseMemObject(result);
}

/* The first three records, and the one at position 5, of records in descending order. */
static void selects_records(void **state)
{
    struct fixture *fixture = *state;
    clsort_desc desc = records_desc(&by_key, 1);
    uint32_t keys[3], indexes[3];
    desc.operation = CLSORT_SELECT;
    desc.index_size = 4;
    desc.max_k = 3;
    clsort_plan *select = records_plan(fixture, &desc);
    desc.operation = CLSORT_NTH;
    desc.max_k = 0;
    clsort_plan *nth = records_plan(fixture, &desc);
    clsort_io io = CLSORT_IO_INIT;
    io.count = FIXTURE_COUNT;
    io.keys.mem = fixture->buffers[0];
    io.keys_out.mem = fixture->buffers[2];
    io.index_out.mem = fixture->buffers[3];
    io.k = 3;
    fixture_fill(fixture);
    assert_ok(fixture_enqueue(fixture, select, &io));
    fixture_read(fixture, fixture->buffers[2], sizeof keys, keys);
    fixture_read(fixture, fixture->buffers[3], sizeof indexes, indexes);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(keys[i], i);
        assert_int_equal(indexes[i], FIXTURE_COUNT - 1 - i);
    }
    io.k = 4;
    assert_status(fixture_enqueue(fixture, select, &io), CLSORT_E_COUNT);
    io.k = 5;
    assert_ok(fixture_enqueue(fixture, nth, &io));
    fixture_read(fixture, fixture->buffers[2], 4, keys);
    assert_int_equal(keys[0], 5);
    io.k = FIXTURE_COUNT;
    assert_status(fixture_enqueue(fixture, nth, &io), CLSORT_E_COUNT);
    io.k = 0;
    io.keys_out = io.keys;
    assert_status(fixture_enqueue(fixture, nth, &io), CLSORT_E_OVERLAP);
    io.keys_out.mem = io.index_out.mem = NULL;
    assert_status(fixture_enqueue(fixture, nth, &io), CLSORT_E_ARGUMENT); /* no outputs */
    assert_ok(fixture_enqueue(fixture, select, &io));                     /* none are needed */
    clsort_plan_destroy(select);
    clsort_plan_destroy(nth);
}

/* Two segments of records in descending order, with gaps before, between and behind them, and a wrong one. */
static void sorts_segments(void **state)
{
    struct fixture *fixture = *state;
    const uint32_t begins[] = {500, 100, 2000}, ends[] = {900, 400, 2000};
    clsort_desc desc = records_desc(&by_key, 1);
    uint32_t indexes[FIXTURE_COUNT], keys[3];
    desc.operation = CLSORT_ARGSORT;
    desc.segments = CLSORT_BEGIN_END;
    desc.index_size = 4;
    clsort_plan *plan = records_plan(fixture, &desc);
    desc.operation = CLSORT_SELECT;
    desc.max_k = 3;
    clsort_plan *select = records_plan(fixture, &desc);
    const cl_mem offsets = fixture_buffer(fixture, CL_MEM_READ_ONLY, sizeof begins, begins),
                 last = fixture_buffer(fixture, CL_MEM_READ_ONLY, sizeof ends, ends),
                 result = fixture_buffer(fixture, CL_MEM_READ_WRITE, 8, NULL);
    clsort_io io = CLSORT_IO_INIT;
    io.count = FIXTURE_COUNT;
    io.keys.mem = fixture->buffers[0];
    io.index_out.mem = fixture->buffers[3];
    io.segment_count = 3;
    io.offsets.mem = offsets;
    io.ends.mem = last;
    io.result.mem = result;
    fixture_fill(fixture);
    assert_ok(fixture_enqueue(fixture, plan, &io));
    assert_int_equal(fixture_result(fixture, result), 1);
    fixture_read(fixture, fixture->buffers[3], sizeof indexes, indexes);
    for (uint32_t i = 0; i < FIXTURE_COUNT; i++)
        assert_int_equal(indexes[i], i >= 100 && i < 400   ? 499 - i
                                     : i >= 500 && i < 900 ? 1399 - i
                                                           : 0); /* as fixture_fill left it */
    fixture_check_scratch(fixture, plan, &io);
    io.k = 3;
    io.index_out.mem = NULL;
    io.keys_out.mem = fixture->buffers[2];
    assert_ok(fixture_enqueue(fixture, select, &io));
    fixture_read(fixture, fixture->buffers[2], sizeof keys, keys);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(keys[i], FIXTURE_COUNT - 900 + i); /* of the first segment of the caller */
    io.k = 4;
    assert_status(fixture_enqueue(fixture, select, &io), CLSORT_E_COUNT);
    clReleaseMemObject(offsets);
    clReleaseMemObject(last);
    clReleaseMemObject(result);
    clsort_plan_destroy(plan);
    clsort_plan_destroy(select);
}

/* What sorts of segments refuse, and calls in which there is nothing to sort. */
static void segment_arguments(void **state)
{
    struct fixture *fixture = *state;
    clsort_desc desc = records_desc(&by_key, 1);
    desc.segments = CLSORT_OFFSETS;
    desc.max_segments = 2;
    clsort_plan *plan = records_plan(fixture, &desc);
    const cl_mem offsets = fixture_buffer(fixture, CL_MEM_READ_WRITE, 12, NULL),
                 result = fixture_buffer(fixture, CL_MEM_READ_WRITE, 8, NULL);
    clsort_io io = records_io(fixture);
    io.segment_count = 2;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_ARGUMENT); /* no offsets */
    io.offsets.mem = offsets;
    io.ends.mem = offsets;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_SEGMENTS);
    io.ends.mem = NULL;
    io.offsets.offset = 4;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_BUFFER_SIZE);
    io.offsets.offset = 0;
    io.segment_count = 3;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_COUNT);
    io.segment_count = 2;
    io.keys_out.mem = offsets;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_BUFFER_SIZE);
    io = records_io(fixture);
    io.segment_count = 0;
    io.result.mem = result;
    assert_ok(fixture_enqueue(fixture, plan, &io)); /* no segments */
    assert_int_equal(fixture_result(fixture, result), 0);
    io.count = 0;
    assert_ok(fixture_enqueue(fixture, plan, &io));
    clsort_plan_destroy(plan);
    desc.segments = CLSORT_ROWS;
    desc.max_segments = 0;
    plan = records_plan(fixture, &desc);
    io = records_io(fixture);
    io.segment_count = 3; /* does not divide the count */
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_SEGMENTS);
    clsort_plan_destroy(plan);
    clReleaseMemObject(offsets);
    clReleaseMemObject(result);
}

/* Segments of arrays in host memory have no columns. */
static void host_segments_have_no_columns(void **state)
{
    const struct fixture *fixture = *state;
    clsort_desc desc = records_desc(&by_key, 1);
    uint32_t keys[2] = {2, 1};
    desc.segments = CLSORT_ROWS;
    assert_status(
        clsort_host_segments(fixture->env.engine, NULL, &desc, 2, keys, NULL, 1, NULL, NULL, NULL),
        CLSORT_E_UNSUPPORTED);
    assert_status(clsort_host(fixture->env.engine, NULL, &desc, 2, keys, NULL),
                  CLSORT_E_UNSUPPORTED);
    assert_int_equal(keys[0], 2);
}

static void nothing_to_sort(void **state)
{
    struct fixture *fixture = *state;
    const clsort_desc desc = records_desc(&by_key, 1);
    clsort_plan *plan = records_plan(fixture, &desc);
    clsort_io io = CLSORT_IO_INIT;
    size_t bytes = 1;
    assert_ok(clsort_scratch_size(plan, 0, &bytes));
    assert_int_equal(bytes, 0);
    io.keys.mem = fixture->buffers[0];
    assert_ok(fixture_enqueue(fixture, plan, &io));
    clsort_plan_destroy(plan);
}

/* -- arguments --------------------------------------------------------------------------------- */

static void arguments(void **state)
{
    struct fixture *fixture = *state;
    clsort_desc desc = records_desc(&by_key, 1);
    clsort_plan *plan = records_plan(fixture, &desc);
    clsort_io io = records_io(fixture);
    const clsort_buffer buffers[] = {{fixture->buffers[0], 0}, {fixture->buffers[1], 0}};
    io.columns = buffers;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_OPERATION);
    io = records_io(fixture);
    io.values.mem = fixture->buffers[1];
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_ARGUMENT);
    io = records_io(fixture);
    io.keys.offset = 4;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_BUFFER_SIZE);
    io.keys.offset = 2;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_ALIGNMENT);
    io = records_io(fixture);
    io.count = FIXTURE_COUNT + 1;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_COUNT);
    clsort_plan_destroy(plan);
}

static void column_buffers(void **state)
{
    struct fixture *fixture = *state;
    const clsort_column columns[] = {by_key, by_key};
    clsort_desc desc = records_desc(columns, 2);
    desc.record_size = 0;
    desc.operation = CLSORT_ARGSORT;
    clsort_plan *plan = records_plan(fixture, &desc);
    clsort_buffer buffers[] = {{fixture->buffers[0], 0}, {fixture->buffers[1], 0}};
    clsort_io io = CLSORT_IO_INIT;
    fixture_fill(fixture);
    io.count = FIXTURE_COUNT;
    io.index_out.mem = fixture->buffers[3];
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_ARGUMENT);
    io.columns = buffers;
    assert_ok(fixture_enqueue(fixture, plan, &io));
    io.keys.mem = fixture->buffers[0];
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_OPERATION);
    io.keys.mem = NULL;
    io.keys_out.mem = fixture->buffers[2];
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_OPERATION);
    io.keys_out.mem = NULL;
    buffers[1].offset = 4;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_BUFFER_SIZE);
    buffers[1].offset = 1;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_ALIGNMENT);
    buffers[1] = (clsort_buffer){fixture->buffers[3], 0};
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_OVERLAP);
    buffers[1].mem = NULL;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_ARGUMENT);
    buffers[1] = buffers[0]; /* inputs may overlap */
    assert_ok(fixture_enqueue(fixture, plan, &io));
    clsort_plan_destroy(plan);
}

/* -- descriptors ------------------------------------------------------------------------------- */

static void check_plan(const struct fixture *fixture, clsort_desc desc, clsort_status expected)
{
    clsort_plan *plan = NULL;
    assert_status(clsort_plan_create(fixture->env.engine, &desc, &plan), expected);
    if (expected != CLSORT_OK)
        assert_null(plan);
    clsort_plan_destroy(plan);
}

static void wrong_columns(void **state)
{
    const struct fixture *fixture = *state;
    static const clsort_column wrong[] = {
        {CLSORT_U32, 0, 0, 1},
        {CLSORT_U16, 0, 0, 3},
        {CLSORT_U8, 0, 0, 4},
        {CLSORT_U64, 0, 0, 0},
        {CLSORT_U8, 0, 0, SIZE_MAX},
        {CLSORT_BYTES, 0, 5, 0},
        {CLSORT_BYTES, 0, 0, 0},
        {CLSORT_BYTES, 0, CLSORT_MAX_BYTES + 1, 0},
        {CLSORT_BYTES, CLSORT_FLOAT_NUMERIC, 4, 0},
        {CLSORT_U32, 0, 4, 0},
        {CLSORT_U32, CLSORT_FLOAT_NUMERIC, 0, 0},
        {CLSORT_U32, CLSORT_UNSTABLE, 0, 0},
        {CLSORT_U32, 0x80u, 0, 0},
        {CLSORT_CUSTOM, 0, 0, 0},
        {(clsort_key)0, 0, 0, 0},
        {(clsort_key)99, 0, 0, 0},
    };
    clsort_column many[CLSORT_MAX_COLUMNS + 1];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const clsort_column columns[] = {by_key, wrong[i]};
        check_plan(fixture, records_desc(columns, 2), CLSORT_E_COLUMNS);
    }
    for (size_t i = 0; i <= CLSORT_MAX_COLUMNS; i++)
        many[i] = by_key;
    check_plan(fixture, records_desc(many, CLSORT_MAX_COLUMNS), CLSORT_OK);
    check_plan(fixture, records_desc(many, CLSORT_MAX_COLUMNS + 1), CLSORT_E_COLUMNS);
    check_plan(fixture, records_desc(many, 0), CLSORT_E_COLUMNS);
    check_plan(fixture, records_desc(NULL, 1), CLSORT_E_COLUMNS);
    check_plan(fixture, records_desc(NULL, 0), CLSORT_E_COLUMNS);
    clsort_desc desc = records_desc(&by_key, 1);
    desc.record_size = ((size_t)1 << 30) + 1;
    check_plan(fixture, desc, CLSORT_E_COLUMNS);
    desc.record_size = 0; /* columns with a buffer each */
    check_plan(fixture, desc, CLSORT_E_OPERATION);
    desc.operation = CLSORT_ARGSORT;
    check_plan(fixture, desc, CLSORT_OK);
    const clsort_column apart = {CLSORT_U8, 0, 0, 1};
    desc.columns = &apart;
    check_plan(fixture, desc, CLSORT_E_COLUMNS);
}

static void descriptors(void **state)
{
    const struct fixture *fixture = *state;
    const struct {
        clsort_desc change; /* its fields that are not 0 */
        clsort_status status;
    } cases[] = {
        {{.flags = CLSORT_UNSTABLE}, CLSORT_OK},
        {{.flags = CLSORT_DESCENDING}, CLSORT_E_FLAGS},
        {{.flags = CLSORT_NO_SCRATCH}, CLSORT_E_UNSUPPORTED},
        {{.flags = CLSORT_BIG_ENDIAN}, CLSORT_E_FLAGS},
        {{.key = CLSORT_U8}, CLSORT_E_COLUMNS},
        {{.key = CLSORT_BYTES}, CLSORT_E_COLUMNS},
        {{.end_bit = 8}, CLSORT_E_BITS},
        {{.key_size = 4}, CLSORT_E_ORDER},
        {{.less = "a < b"}, CLSORT_E_ORDER},
        {{.value_size = 4}, CLSORT_E_UNSUPPORTED},
        {{.algorithm = "radix"}, CLSORT_E_UNSUPPORTED},
        {{.algorithm = "auto"}, CLSORT_OK},
        {{.segments = CLSORT_ROWS}, CLSORT_OK},
        {{.segments = CLSORT_ROWS, .count_size = 4}, CLSORT_OK},
        {{.segments = CLSORT_ROWS, .flags = CLSORT_NO_SCRATCH}, CLSORT_E_UNSUPPORTED},
        {{.segments = CLSORT_ROWS, .index_size = 4}, CLSORT_E_OPERATION},
        {{.segments = CLSORT_ROWS, .max_segments = 9}, CLSORT_E_SEGMENTS},
        {{.segments = CLSORT_OFFSETS, .index_size = 8, .max_segments = 9}, CLSORT_OK},
        {{.segments = CLSORT_OFFSETS, .index_size = 2}, CLSORT_E_ARGUMENT},
        {{.segments = CLSORT_OFFSETS, .value_size = 4}, CLSORT_E_UNSUPPORTED},
        {{.segments = CLSORT_BEGIN_END + 1}, CLSORT_E_SEGMENTS},
        {{.max_segments = 9}, CLSORT_E_SEGMENTS},
        {{.count_size = 4}, CLSORT_OK},
        {{.count_size = 3}, CLSORT_E_ARGUMENT},
        {{.count_size = 8, .flags = CLSORT_NO_SCRATCH}, CLSORT_E_UNSUPPORTED},
        {{.operation = CLSORT_MERGE_SORTED}, CLSORT_OK},
        {{.operation = CLSORT_MERGE_SORTED, .index_size = 4}, CLSORT_E_OPERATION},
        {{.operation = CLSORT_MERGE_SORTED, .value_size = 4}, CLSORT_E_UNSUPPORTED},
        {{.operation = CLSORT_MERGE_SORTED, .segments = CLSORT_ROWS}, CLSORT_E_UNSUPPORTED},
        {{.operation = CLSORT_MERGE_SORTED, .count_size = 4}, CLSORT_E_UNSUPPORTED},
        {{.operation = CLSORT_MERGE_SORTED, .flags = CLSORT_NO_SCRATCH}, CLSORT_E_UNSUPPORTED},
        {{.operation = CLSORT_MERGE_SORTED, .algorithm = "merge"}, CLSORT_E_UNSUPPORTED},
        {{.operation = CLSORT_MERGE_SORTED, .max_k = 1}, CLSORT_E_OPERATION},
        {{.operation = CLSORT_SELECT, .max_k = 10}, CLSORT_OK},
        {{.operation = CLSORT_SELECT, .max_k = FIXTURE_COUNT + 1}, CLSORT_E_COUNT},
        {{.operation = CLSORT_SELECT, .flags = CLSORT_INPUT_ORDER}, CLSORT_E_UNSUPPORTED},
        {{.operation = CLSORT_SELECT, .segments = CLSORT_ROWS, .max_segments = 9}, CLSORT_OK},
        {{.operation = CLSORT_SELECT, .segments = CLSORT_ROWS, .flags = CLSORT_INPUT_ORDER},
         CLSORT_E_UNSUPPORTED},
        {{.operation = CLSORT_SELECT, .segments = CLSORT_OFFSETS},
         CLSORT_E_SEGMENTS}, /* no max_k */
        {{.operation = CLSORT_SELECT, .count_size = 4}, CLSORT_OK},
        {{.operation = CLSORT_SELECT, .count_size = 4, .flags = CLSORT_INPUT_ORDER},
         CLSORT_E_UNSUPPORTED},
        {{.operation = CLSORT_NTH, .count_size = 8, .flags = CLSORT_PARTITION},
         CLSORT_E_UNSUPPORTED},
        {{.operation = CLSORT_NTH, .index_size = 8}, CLSORT_OK},
        {{.operation = CLSORT_NTH, .flags = CLSORT_PARTITION}, CLSORT_E_UNSUPPORTED},
        {{.operation = CLSORT_NTH, .max_k = 1}, CLSORT_E_OPERATION},
        {{.max_k = 1}, CLSORT_E_OPERATION},
        {{.operation = CLSORT_UNIQUE, .index_size = 4}, CLSORT_OK},
        {{.operation = CLSORT_UNIQUE, .index_size = 4, .value_size = 4}, CLSORT_E_UNSUPPORTED},
        {{.operation = CLSORT_UNIQUE, .index_size = 3}, CLSORT_E_ARGUMENT},
        {{.operation = CLSORT_UNIQUE, .count_size = 4}, CLSORT_OK},
        {{.operation = CLSORT_CHECK, .count_size = 8}, CLSORT_OK},
        {{.operation = CLSORT_UNIQUE, .segments = CLSORT_ROWS}, CLSORT_E_UNSUPPORTED},
        {{.operation = CLSORT_CHECK}, CLSORT_OK},
        {{.operation = CLSORT_CHECK, .index_size = 4}, CLSORT_E_OPERATION},
        {{.operation = CLSORT_CHECK, .flags = CLSORT_NO_SCRATCH}, CLSORT_E_UNSUPPORTED},
        {{.operation = CLSORT_CHECK, .algorithm = "check"}, CLSORT_E_UNSUPPORTED},
        {{.operation = 99}, CLSORT_E_OPERATION},
        {{.index_size = 4}, CLSORT_E_OPERATION},
        {{.operation = CLSORT_ARGSORT, .index_size = 3}, CLSORT_E_ARGUMENT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const clsort_desc *change = &cases[i].change;
        clsort_desc desc = records_desc(&by_key, 1);
        desc.key = change->key ? change->key : desc.key;
        desc.flags = change->flags;
        desc.end_bit = change->end_bit;
        desc.key_size = change->key_size;
        desc.less = change->less;
        desc.value_size = change->value_size;
        desc.algorithm = change->algorithm;
        desc.segments = change->segments;
        desc.count_size = change->count_size;
        desc.max_segments = change->max_segments;
        desc.operation = change->operation;
        desc.index_size = change->index_size;
        desc.max_k = change->max_k;
        check_plan(fixture, desc, cases[i].status);
    }
}

static void byte_strings(void **state)
{
    const struct fixture *fixture = *state;
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.key = CLSORT_BYTES;
    desc.max_count = 100;
    check_plan(fixture, desc, CLSORT_E_KEY);
    desc.key_size = CLSORT_MAX_BYTES + 1;
    check_plan(fixture, desc, CLSORT_E_KEY);
    desc.key_size = CLSORT_MAX_BYTES;
    desc.flags = CLSORT_DESCENDING;
    check_plan(fixture, desc, CLSORT_OK);
    desc.flags = CLSORT_FLOAT_NUMERIC;
    check_plan(fixture, desc, CLSORT_E_FLAGS);
    desc.flags = 0;
    desc.record_size = 300;
    check_plan(fixture, desc, CLSORT_E_COLUMNS);
}

static void host_selections_have_no_columns(void **state)
{
    const struct fixture *fixture = *state;
    clsort_desc desc = records_desc(&by_key, 1);
    uint32_t keys[2] = {2, 1}, first;
    desc.operation = CLSORT_SELECT;
    assert_status(
        clsort_host_select(fixture->env.engine, NULL, &desc, 2, keys, NULL, 1, &first, NULL, NULL),
        CLSORT_E_UNSUPPORTED);
    assert_int_equal(keys[0], 2);
    assert_status(clsort_array(CLSORT_BYTES, keys, 2), CLSORT_E_KEY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorts_records),
        cmocka_unit_test(finds_permutation_of_columns),
        cmocka_unit_test(compares_neighbours),
        cmocka_unit_test(selects_records),
        cmocka_unit_test(sorts_segments),
        cmocka_unit_test(segment_arguments),
        cmocka_unit_test(host_segments_have_no_columns),
        cmocka_unit_test(nothing_to_sort),
        cmocka_unit_test(arguments),
        cmocka_unit_test(column_buffers),
        cmocka_unit_test(wrong_columns),
        cmocka_unit_test(descriptors),
        cmocka_unit_test(byte_strings),
        cmocka_unit_test(host_selections_have_no_columns),
    };
    return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
