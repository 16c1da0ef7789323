/* merge_by_columns.c - the contracts of merges by columns: the two inputs, the output, and empty inputs */
#include "records_fixture.h"

#include <string.h>

enum { FIRST = 600, SECOND = FIXTURE_COUNT - FIRST };

/* Key i / 3 for elements of the first input, i / 2 for those of the second. Ties are thus across the inputs, too. */
static void fill_two_inputs(const struct fixture *fixture, uint32_t keys[FIXTURE_COUNT])
{
    for (uint32_t i = 0; i < FIXTURE_COUNT; i++)
        keys[i] = i < FIRST ? i / 3 : (i - FIRST) / 2;
    fixture_write(fixture, fixture->buffers[0], FIXTURE_BYTES, keys);
}

/* Merges records by the low half of their keys only, and columns with a buffer each, both of which are equal. */
static void merges_two_inputs(void **state)
{
    struct fixture *fixture = *state;
    const clsort_column low = {CLSORT_U16, 0, 0, 0}, by_both[] = {by_key, by_key};
    const clsort_buffer columns[] = {{fixture->buffers[0], 0}, {fixture->buffers[0], 0}};
    uint32_t keys[FIXTURE_COUNT], merged[FIXTURE_COUNT], found[FIXTURE_COUNT];
    for (uint32_t to = 0, a = 0, b = FIRST; to < FIXTURE_COUNT; to++)
        merged[to] = a < FIRST && a / 3 <= (b - FIRST) / 2 ? a++ : b++;
    for (int has_buffers = 0; has_buffers <= 1; has_buffers++) {
        clsort_desc desc = records_desc(has_buffers ? by_both : &low, has_buffers ? 2 : 1);
        desc.operation = CLSORT_MERGE_SORTED;
        desc.record_size = has_buffers ? 0 : RECORD;
        clsort_plan *plan = records_plan(fixture, &desc);
        clsort_io io = CLSORT_IO_INIT;
        fixture_fill(fixture);
        fill_two_inputs(fixture, keys);
        io.count = FIRST;
        io.second_count = SECOND;
        if (has_buffers) {
            io.columns = columns;
            io.index_out.mem = fixture->buffers[2];
        } else {
            for (uint32_t i = 0; i < FIXTURE_COUNT; i++)
                keys[i] |= i << 16;
            fixture_write(fixture, fixture->buffers[0], FIXTURE_BYTES, keys);
            io.keys.mem = io.second_keys.mem = fixture->buffers[0];
            io.second_keys.offset = FIRST * RECORD;
            io.keys_out.mem = fixture->buffers[2];
        }
        assert_ok(fixture_enqueue(fixture, plan, &io));
        fixture_read(fixture, fixture->buffers[2], FIXTURE_BYTES, found);
        for (uint32_t i = 0; i < FIXTURE_COUNT; i++)
            assert_int_equal(has_buffers ? found[i] : found[i] >> 16, merged[i]);
        fixture_check_scratch(fixture, plan, &io);
        clsort_plan_destroy(plan);
    }
}

static void merge_arguments(void **state)
{
    struct fixture *fixture = *state;
    clsort_desc desc = records_desc(&by_key, 1);
    uint32_t keys[FIXTURE_COUNT], found[FIXTURE_COUNT];
    desc.operation = CLSORT_MERGE_SORTED;
    clsort_plan *plan = records_plan(fixture, &desc);
    fixture_fill(fixture);
    fill_two_inputs(fixture, keys);
    clsort_io io = CLSORT_IO_INIT;
    io.keys.mem = fixture->buffers[0];
    io.count = FIRST;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_ARGUMENT); /* no output */
    io.keys_out.mem = fixture->buffers[2];
    assert_ok(fixture_enqueue(fixture, plan, &io)); /* no second input */
    fixture_read(fixture, fixture->buffers[2], FIXTURE_BYTES, found);
    assert_memory_equal(found, keys, FIRST * RECORD);
    io.second_keys = (clsort_buffer){io.keys.mem, FIRST * RECORD};
    io.second_count = SECOND;
    io.count = 0;
    io.keys.mem = NULL;
    assert_ok(fixture_enqueue(fixture, plan, &io)); /* no first input */
    fixture_read(fixture, fixture->buffers[2], FIXTURE_BYTES, found);
    assert_memory_equal(found, keys + FIRST, SECOND * RECORD);
    io.keys.mem = fixture->buffers[0];
    io.count = FIRST + 1;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_COUNT);
    io.count = FIRST;
    io.second_keys.offset += RECORD;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_BUFFER_SIZE);
    io.second_keys.mem = fixture->buffers[2];
    io.second_keys.offset = 0;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_OVERLAP);
    io.second_keys.mem = NULL;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_ARGUMENT);
    io.second_keys.mem = io.second_values.mem = fixture->buffers[1];
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_ARGUMENT);
    io.second_values.mem = NULL;
    io.index_out.mem = fixture->buffers[3];
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_OPERATION);
    clsort_plan_destroy(plan);
}

/* The buffers of the columns have both inputs. */
static void merge_column_arguments(void **state)
{
    struct fixture *fixture = *state;
    clsort_desc desc = records_desc(&by_key, 1);
    clsort_buffer column = {fixture->buffers[0], 0};
    uint32_t keys[FIXTURE_COUNT], found[SECOND];
    desc.record_size = 0;
    desc.operation = CLSORT_MERGE_SORTED;
    desc.index_size = 4;
    clsort_plan *plan = records_plan(fixture, &desc);
    fixture_fill(fixture);
    fill_two_inputs(fixture, keys);
    clsort_io io = CLSORT_IO_INIT;
    io.second_count = SECOND;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_ARGUMENT);
    io.index_out.mem = fixture->buffers[3];
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_ARGUMENT); /* no columns */
    io.columns = &column;
    assert_ok(fixture_enqueue(fixture, plan, &io)); /* no first input */
    fixture_read(fixture, fixture->buffers[3], sizeof found, found);
    for (uint32_t i = 0; i < SECOND; i++)
        assert_int_equal(found[i], i);
    io.count = FIRST;
    column.offset = RECORD;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_BUFFER_SIZE);
    column.offset = 0;
    io.second_keys.mem = fixture->buffers[1];
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_OPERATION);
    io.second_keys.mem = NULL;
    io.keys_out.mem = fixture->buffers[2];
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_OPERATION);
    io.keys_out.mem = NULL;
    io.index_out.mem = fixture->buffers[0];
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_OVERLAP);
    clsort_plan_destroy(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(merges_two_inputs),
        cmocka_unit_test(merge_arguments),
        cmocka_unit_test(merge_column_arguments),
    };
    return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
