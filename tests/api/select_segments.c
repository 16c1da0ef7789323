/* select_segments.c - the contracts of selections from segments: descriptors, arrays, counts, and results */
#include "fixture.h"

#include <stdlib.h>
#include <string.h>

enum { SEGMENTS = 4, K = 3, UNCHANGED = 77777 };

/* Of the keys of the fixture, which are in descending order: element i has the key FIXTURE_COUNT - 1 - i. */
static const uint32_t offsets[SEGMENTS + 1] = {2, 300, 300, 302, 998};

/* The buffers of a call besides those of the fixture. */
struct buffers {
    cl_mem offsets, ends, ks, result, index_out;
};

static struct buffers make_buffers(const struct fixture *fixture)
{
    static const uint32_t ks[SEGMENTS] = {1, 2, 3, 0};
    const uint64_t no_result = 99;
    uint32_t unchanged[FIXTURE_COUNT];
    for (size_t i = 0; i < FIXTURE_COUNT; i++)
        unchanged[i] = UNCHANGED;
    return (struct buffers){
        fixture_buffer(fixture, CL_MEM_READ_WRITE, sizeof offsets, offsets),
        fixture_buffer(fixture, CL_MEM_READ_WRITE, sizeof offsets - 4, offsets + 1),
        fixture_buffer(fixture, CL_MEM_READ_WRITE, sizeof ks, ks),
        fixture_buffer(fixture, CL_MEM_READ_WRITE, sizeof no_result, &no_result),
        fixture_buffer(fixture, CL_MEM_READ_WRITE, sizeof unchanged, unchanged)};
}

static void release_buffers(const struct buffers *buffers)
{
    clReleaseMemObject(buffers->offsets);
    clReleaseMemObject(buffers->ends);
    clReleaseMemObject(buffers->ks);
    clReleaseMemObject(buffers->result);
    clReleaseMemObject(buffers->index_out);
}

static clsort_desc make_desc(clsort_operation operation, uint32_t segments)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.value_size = 4;
    desc.max_count = FIXTURE_COUNT;
    desc.operation = operation;
    desc.segments = segments;
    desc.index_size = 4;
    desc.max_segments = 50;
    desc.max_k = operation == CLSORT_SELECT ? 20 : 0;
    return desc;
}

static clsort_plan *make_plan(struct fixture *fixture, clsort_operation operation,
                              uint32_t segments)
{
    const clsort_desc desc = make_desc(operation, segments);
    clsort_plan *plan = NULL;
    assert_ok(clsort_plan_create(fixture->env.engine, &desc, &plan));
    return plan;
}

/* Returns a call with all outputs: K places of each segment with offsets. */
static clsort_io offsets_io(const struct fixture *fixture, const struct buffers *buffers)
{
    clsort_io io = fixture->io;
    io.k = K;
    io.segment_count = SEGMENTS;
    io.offsets.mem = buffers->offsets;
    io.result.mem = buffers->result;
    io.index_out.mem = buffers->index_out;
    return io;
}

/* Checks that index_out has exactly these indexes, or UNCHANGED, and that the other outputs fit to them. */
static void check(const struct fixture *fixture, const struct buffers *buffers,
                  const uint32_t *expected, size_t places)
{
    uint32_t indexes[FIXTURE_COUNT], keys[FIXTURE_COUNT], values[FIXTURE_COUNT];
    fixture_read(fixture, buffers->index_out, sizeof indexes, indexes);
    fixture_read(fixture, fixture->buffers[2], sizeof keys, keys);
    fixture_read(fixture, fixture->buffers[3], sizeof values, values);
    for (size_t i = 0; i < FIXTURE_COUNT; i++) {
        const uint32_t index = i < places ? expected[i] : UNCHANGED;
        assert_int_equal(indexes[i], index);
        assert_int_equal(keys[i], index == UNCHANGED ? 0 : FIXTURE_COUNT - 1 - index);
        assert_int_equal(values[i], index == UNCHANGED ? 0 : index);
    }
}

#define CHECK(...)                                                                                 \
    do {                                                                                           \
        const uint32_t expected[] = {__VA_ARGS__};                                                 \
        check(fixture, &buffers, expected, sizeof expected / sizeof *expected);                    \
    } while (0)
#define NONE UNCHANGED

/* -- results ----------------------------------------------------------------------------------- */

static void selects_from_segments(void **state)
{
    struct fixture *fixture = *state;
    const uint32_t forms[] = {CLSORT_OFFSETS, CLSORT_BEGIN_END};
    for (size_t i = 0; i < 2; i++) {
        clsort_plan *plan = make_plan(fixture, CLSORT_SELECT, forms[i]);
        const struct buffers buffers = make_buffers(fixture);
        clsort_io io = offsets_io(fixture, &buffers);
        io.ends.mem = forms[i] == CLSORT_BEGIN_END ? buffers.ends : NULL;
        fixture_fill(fixture);
        assert_ok(fixture_enqueue(fixture, plan, &io));
        CHECK(299, 298, 297, NONE, NONE, NONE, 301, 300, NONE, 997, 996, 995);
        assert_int_equal(fixture_result(fixture, buffers.result), 0);
        release_buffers(&buffers);
        clsort_plan_destroy(plan);
    }
}

static void selects_from_rows(void **state)
{
    struct fixture *fixture = *state;
    clsort_plan *plan = make_plan(fixture, CLSORT_SELECT, CLSORT_ROWS),
                *nth = make_plan(fixture, CLSORT_NTH, CLSORT_ROWS);
    const struct buffers buffers = make_buffers(fixture);
    clsort_io io = offsets_io(fixture, &buffers);
    io.offsets.mem = NULL;
    io.k = 2;
    fixture_fill(fixture);
    assert_ok(fixture_enqueue(fixture, plan, &io));
    CHECK(249, 248, 499, 498, 749, 748, 999, 998);
    assert_int_equal(fixture_result(fixture, buffers.result), 0);
    io.segment_count = 50; /* rows of 20 elements */
    io.k = 20;
    assert_ok(fixture_enqueue(fixture, plan, &io));
    io.k = 19;
    assert_ok(fixture_enqueue(fixture, nth, &io));
    io.k = 20;
    assert_status(fixture_enqueue(fixture, nth, &io), CLSORT_E_COUNT);
    io.k = 21;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_COUNT);
    io.segment_count = 40;
    assert_status(fixture_enqueue(fixture, plan, &io),
                  CLSORT_E_COUNT); /* above max_k, although rows have 25 */
    io.segment_count = 100;
    io.k = 1;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_COUNT); /* above max_segments */
    io.segment_count = 7;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_SEGMENTS);
    release_buffers(&buffers);
    clsort_plan_destroy(plan);
    clsort_plan_destroy(nth);
}

/* Each segment has a k. Those above io.k are counted, and so are elements that do not exist. */
static void each_segment_has_a_k(void **state)
{
    struct fixture *fixture = *state;
    clsort_plan *plan = make_plan(fixture, CLSORT_SELECT, CLSORT_OFFSETS),
                *nth = make_plan(fixture, CLSORT_NTH, CLSORT_OFFSETS);
    struct buffers buffers = make_buffers(fixture);
    clsort_io io = offsets_io(fixture, &buffers);
    io.ks.mem = buffers.ks; /* 1, 2, 3, 0 */
    fixture_fill(fixture);
    assert_ok(fixture_enqueue(fixture, plan, &io));
    CHECK(299, NONE, NONE, NONE, NONE, NONE, 301, 300, NONE);
    assert_int_equal(fixture_result(fixture, buffers.result), 0);
    release_buffers(&buffers);

    buffers = make_buffers(fixture);
    io = offsets_io(fixture, &buffers);
    io.ks.mem = buffers.ks;
    io.k = 2;
    fixture_fill(fixture);
    assert_ok(fixture_enqueue(fixture, plan, &io));
    CHECK(299, NONE, NONE, NONE, 301, 300);
    assert_int_equal(fixture_result(fixture, buffers.result), 1); /* the k of 3 */
    release_buffers(&buffers);

    buffers = make_buffers(fixture);
    io = offsets_io(fixture, &buffers);
    io.ks.mem = buffers.ks;
    io.k = 0;
    fixture_fill(fixture);
    assert_ok(fixture_enqueue(fixture, nth, &io));
    CHECK(298, NONE, NONE, 997);
    assert_int_equal(fixture_result(fixture, buffers.result), 2); /* of no and of two elements */
    io.k = 1;
    assert_status(fixture_enqueue(fixture, nth, &io), CLSORT_E_OPERATION);
    io.ks.mem = NULL;
    assert_ok(fixture_enqueue(fixture, nth, &io));
    CHECK(298, NONE, 300, 996);
    assert_int_equal(fixture_result(fixture, buffers.result), 1);
    release_buffers(&buffers);
    clsort_plan_destroy(plan);
    clsort_plan_destroy(nth);
}

/* Segments may overlap. Wrong offsets are clamped and counted. */
static void clamps_offsets(void **state)
{
    struct fixture *fixture = *state;
    static const uint32_t begins[SEGMENTS] = {0, 5, 998, 20}, ends[SEGMENTS] = {10, 8, 1001, 19};
    clsort_plan *plan = make_plan(fixture, CLSORT_SELECT, CLSORT_BEGIN_END);
    const struct buffers buffers = make_buffers(fixture);
    clsort_io io = offsets_io(fixture, &buffers);
    io.ends.mem = buffers.ends;
    fixture_write(fixture, buffers.offsets, sizeof begins, begins);
    fixture_write(fixture, buffers.ends, sizeof ends, ends);
    fixture_fill(fixture);
    assert_ok(fixture_enqueue(fixture, plan, &io));
    CHECK(9, 8, 7, 7, 6, 5, 999, 998);
    assert_int_equal(fixture_result(fixture, buffers.result), 2);
    release_buffers(&buffers);
    clsort_plan_destroy(plan);
}

/* Without segments, elements or places, only the result is written. */
static void nothing_to_select(void **state)
{
    struct fixture *fixture = *state;
    clsort_plan *plan = make_plan(fixture, CLSORT_SELECT, CLSORT_OFFSETS),
                *nth = make_plan(fixture, CLSORT_NTH, CLSORT_OFFSETS);
    const struct buffers buffers = make_buffers(fixture);
    clsort_io io = offsets_io(fixture, &buffers);
    fixture_fill(fixture);
    io.segment_count = 0;
    assert_ok(fixture_enqueue(fixture, plan, &io));
    assert_int_equal(fixture_result(fixture, buffers.result), 0);
    io = offsets_io(fixture, &buffers);
    io.k = 0;
    assert_ok(fixture_enqueue(fixture, plan, &io));
    assert_int_equal(fixture_result(fixture, buffers.result), 0);
    io = offsets_io(fixture, &buffers);
    io.count = 0;
    io.keys.mem = io.values.mem = NULL;
    assert_ok(fixture_enqueue(fixture, plan, &io));
    assert_int_equal(fixture_result(fixture, buffers.result), 4); /* all end after the array */
    assert_ok(fixture_enqueue(fixture, nth, &io));
    assert_int_equal(fixture_result(fixture, buffers.result), 4);
    io = (clsort_io)CLSORT_IO_INIT;
    assert_ok(fixture_enqueue(fixture, plan, &io));
    assert_ok(fixture_enqueue(fixture, nth, &io));
    check(fixture, &buffers, NULL, 0);
    release_buffers(&buffers);
    clsort_plan_destroy(plan);
    clsort_plan_destroy(nth);
}

/* Millions of empty segments, and a single full one. */
static void many_empty_segments(void **state)
{
    enum { MANY = 1 << 22 };
    struct fixture *fixture = *state;
    clsort_desc desc = make_desc(CLSORT_SELECT, CLSORT_OFFSETS);
    clsort_plan *plan = NULL;
    desc.max_segments = MANY;
    desc.max_k = 1;
    assert_ok(clsort_plan_create(fixture->env.engine, &desc, &plan));
    uint32_t *many = malloc((MANY + 1) * sizeof *many);
    assert_non_null(many);
    for (size_t i = 0; i <= MANY; i++)
        many[i] = i <= MANY / 2 ? 100 : 900;
    const struct buffers buffers = make_buffers(fixture);
    clsort_io io = offsets_io(fixture, &buffers);
    io.segment_count = MANY;
    io.k = 1;
    io.offsets.mem = fixture_buffer(fixture, CL_MEM_READ_WRITE, (MANY + 1) * sizeof *many, many);
    io.values_out.mem = io.keys_out.mem = NULL;
    io.index_out.mem = fixture_buffer(fixture, CL_MEM_READ_WRITE, MANY * sizeof *many, many);
    fixture_fill(fixture);
    assert_ok(fixture_enqueue(fixture, plan, &io));
    uint32_t *found = malloc(MANY * sizeof *found);
    assert_non_null(found);
    fixture_read(fixture, io.index_out.mem, MANY * sizeof *found, found);
    many[MANY / 2] = 899; /* the least key of the segment */
    assert_memory_equal(found, many, MANY * sizeof *found);
    assert_int_equal(fixture_result(fixture, buffers.result), 0);
    io.segment_count = MANY + 1;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_COUNT);
    clReleaseMemObject(io.offsets.mem);
    clReleaseMemObject(io.index_out.mem);
    release_buffers(&buffers);
    free(many);
    free(found);
    clsort_plan_destroy(plan);
}

/* -- arguments --------------------------------------------------------------------------------- */

static void arguments(void **state)
{
    struct fixture *fixture = *state;
    static const clsort_buffer none = {NULL, 0};
    clsort_plan *plan = make_plan(fixture, CLSORT_SELECT, CLSORT_OFFSETS),
                *nth = make_plan(fixture, CLSORT_NTH, CLSORT_OFFSETS),
                *rows = make_plan(fixture, CLSORT_SELECT, CLSORT_ROWS);
    const struct buffers buffers = make_buffers(fixture);
    const clsort_io valid = offsets_io(fixture, &buffers);
    clsort_io io = valid;
    io.offsets = none;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_ARGUMENT);
    io = valid;
    io.keys = none;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_ARGUMENT);
    io = valid;
    io.values = none;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_ARGUMENT);
    io = valid;
    io.keys_out = io.values_out = io.index_out = none;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_ARGUMENT);
    assert_status(fixture_enqueue(fixture, nth, &io), CLSORT_E_ARGUMENT);
    io = valid;
    io.ends.mem = buffers.ends;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_SEGMENTS);
    assert_status(fixture_enqueue(fixture, rows, &valid), CLSORT_E_SEGMENTS);
    io = fixture->io;
    io.ks.mem = buffers.ks;
    assert_status(fixture_enqueue(fixture, fixture->plan, &io), CLSORT_E_SEGMENTS); /* a sort */
    io = valid;
    io.ks = (clsort_buffer){buffers.ks, 2};
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_ALIGNMENT);
    io.ks.offset = 4;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_BUFFER_SIZE);
    io = valid;
    io.ks.mem = buffers.index_out;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_OVERLAP);
    io = valid;
    io.keys_out = io.keys;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_OVERLAP);
    io = valid;
    io.index_out.offset = FIXTURE_BYTES - 4 * (SEGMENTS * K - 1);
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_BUFFER_SIZE);
    io.index_out.offset -= 4;
    assert_ok(fixture_enqueue(fixture, plan, &io));
    io = valid;
    io.k = 21;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_COUNT);
    io = valid;
    io.segment_count = 51;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_COUNT);
    io = valid;
    io.count = FIXTURE_COUNT + 1;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_COUNT);
    assert_ok(fixture_enqueue(fixture, plan, &valid));
    fixture_still_works(fixture);
    release_buffers(&buffers);
    clsort_plan_destroy(plan);
    clsort_plan_destroy(nth);
    clsort_plan_destroy(rows);
}

/* Scratch of the stated size suffices, and one byte less is refused. */
static void scratch(void **state)
{
    struct fixture *fixture = *state;
    const clsort_operation operations[] = {CLSORT_SELECT, CLSORT_NTH};
    const uint32_t forms[] = {CLSORT_ROWS, CLSORT_OFFSETS, CLSORT_BEGIN_END};
    const struct buffers buffers = make_buffers(fixture);
    for (size_t i = 0; i < 6; i++) {
        const bool is_nth = i / 3 > 0;
        clsort_plan *plan = make_plan(fixture, operations[i / 3], forms[i % 3]);
        const size_t places = is_nth ? 50 : 50 * 20; /* max_segments * max_k */
        const size_t per_place = is_nth ? 4 : 16;
        clsort_io io = offsets_io(fixture, &buffers);
        io.ends.mem = forms[i % 3] == CLSORT_BEGIN_END ? buffers.ends : NULL;
        io.offsets.mem = forms[i % 3] == CLSORT_ROWS ? NULL : buffers.offsets;
        const size_t bytes = fixture_check_scratch(fixture, plan, &io);
        assert_true(bytes <= 50 * 32 + places * per_place + ((size_t)32 << 20));
        clsort_plan_destroy(plan);
    }
    release_buffers(&buffers);
}

/* -- descriptors ------------------------------------------------------------------------------- */

static void descriptors(void **state)
{
    struct fixture *fixture = *state;
#define SELECT .operation = CLSORT_SELECT
#define NTH .operation = CLSORT_NTH
    static const struct fixture_plan_case cases[] = {
        {{SELECT, .segments = CLSORT_ROWS}, CLSORT_OK},
        {{SELECT, .segments = CLSORT_ROWS, .max_segments = 5, .max_k = 3}, CLSORT_OK},
        {{SELECT, .segments = CLSORT_OFFSETS, .max_k = 3}, CLSORT_OK},
        {{SELECT, .segments = CLSORT_OFFSETS}, CLSORT_E_SEGMENTS},
        {{SELECT, .segments = CLSORT_BEGIN_END}, CLSORT_E_SEGMENTS},
        {{NTH, .segments = CLSORT_OFFSETS}, CLSORT_OK},
        {{NTH, .segments = CLSORT_OFFSETS, .max_k = 1}, CLSORT_E_OPERATION},
        {{NTH, .segments = CLSORT_ROWS, .flags = CLSORT_PARTITION}, CLSORT_E_SEGMENTS},
        {{SELECT, .segments = CLSORT_ROWS, .max_k = 9, .max_count = 8}, CLSORT_E_COUNT},
        {{SELECT, .segments = CLSORT_ROWS, .algorithm = "radix"}, CLSORT_E_UNSUPPORTED},
        {{SELECT, .segments = CLSORT_ROWS, .flags = CLSORT_NO_SCRATCH}, CLSORT_E_UNSUPPORTED},
        {{SELECT, .segments = CLSORT_BEGIN_END + 1}, CLSORT_E_SEGMENTS},
        {{SELECT, .max_segments = 5}, CLSORT_E_SEGMENTS},
    };
    fixture_check_plans(fixture, cases, sizeof cases / sizeof *cases);
    clsort_desc desc = make_desc(CLSORT_SELECT, CLSORT_ROWS);
    clsort_plan *plan = NULL;
    desc.key = CLSORT_CUSTOM;
    desc.key_size = 4;
    desc.key_type = "uint";
    desc.less = "a < b";
    desc.flags = CLSORT_INPUT_ORDER;
    assert_status(clsort_plan_create(fixture->env.engine, &desc, &plan), CLSORT_E_UNSUPPORTED);
    assert_null(plan);
}

static void host_arrays_have_no_segments(void **state)
{
    struct fixture *fixture = *state;
    const clsort_desc desc = make_desc(CLSORT_SELECT, CLSORT_ROWS);
    uint32_t keys[2] = {2, 1}, found[2] = {0, 0};
    assert_status(
        clsort_host_select(fixture->env.engine, NULL, &desc, 2, keys, NULL, 1, found, NULL, NULL),
        CLSORT_E_SEGMENTS);
    assert_int_equal(found[0], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(selects_from_segments),
        cmocka_unit_test(selects_from_rows),
        cmocka_unit_test(each_segment_has_a_k),
        cmocka_unit_test(clamps_offsets),
        cmocka_unit_test(nothing_to_select),
        cmocka_unit_test(many_empty_segments),
        cmocka_unit_test(arguments),
        cmocka_unit_test(scratch),
        cmocka_unit_test(descriptors),
        cmocka_unit_test(host_arrays_have_no_segments),
    };
    return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
