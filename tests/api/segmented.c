/* segmented.c - the contracts of segmented sorts: descriptors, arrays, counts, and results */
#include "fixture.h"

#include <stdlib.h>
#include <string.h>

enum { SEGMENTS = 4 };

/* Of the keys of the fixture, which are in descending order. The elements 0, 1, 998 and 999 are in none. */
static const uint32_t offsets[SEGMENTS + 1] = {2, 300, 300, 301, 998};

static clsort_plan *make_plan(struct fixture *fixture, uint32_t segments)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    clsort_plan *plan = NULL;
    desc.value_size = 4;
    desc.max_count = FIXTURE_COUNT;
    desc.segments = segments;
    assert_ok(clsort_plan_create(fixture->env.engine, &desc, &plan));
    return plan;
}

/* The buffers of a call besides those of the fixture. */
struct buffers {
    cl_mem offsets, ends, result;
};

static struct buffers make_buffers(const struct fixture *fixture)
{
    const uint64_t no_result = 99;
    return (struct buffers){
        fixture_buffer(fixture, CL_MEM_READ_WRITE, sizeof offsets, offsets),
        fixture_buffer(fixture, CL_MEM_READ_WRITE, sizeof offsets - 4, offsets + 1),
        fixture_buffer(fixture, CL_MEM_READ_WRITE, sizeof no_result, &no_result)};
}

static void release_buffers(const struct buffers *buffers)
{
    clReleaseMemObject(buffers->offsets);
    clReleaseMemObject(buffers->ends);
    clReleaseMemObject(buffers->result);
}

static clsort_io offsets_io(const struct fixture *fixture, const struct buffers *buffers)
{
    clsort_io io = fixture->io;
    io.segment_count = SEGMENTS;
    io.offsets.mem = buffers->offsets;
    io.result.mem = buffers->result;
    return io;
}

/* Checks that keys_out has the elements [begin, end) of the fixture in ascending order, with their values. */
static void check_segment(const struct fixture *fixture, uint32_t begin, uint32_t end)
{
    uint32_t keys[FIXTURE_COUNT], values[FIXTURE_COUNT];
    fixture_read(fixture, fixture->buffers[2], sizeof keys, keys);
    fixture_read(fixture, fixture->buffers[3], sizeof values, values);
    for (uint32_t i = begin; i < end; i++) {
        assert_int_equal(keys[i], FIXTURE_COUNT - end + (i - begin));
        assert_int_equal(values[i], end - 1 - (i - begin));
    }
}

/* -- results ----------------------------------------------------------------------------------- */

static void sorts_segments(void **state)
{
    struct fixture *fixture = *state;
    const struct buffers buffers = make_buffers(fixture);
    const uint32_t forms[] = {CLSORT_OFFSETS, CLSORT_BEGIN_END};
    for (size_t i = 0; i < 2; i++) {
        clsort_plan *plan = make_plan(fixture, forms[i]);
        clsort_io io = offsets_io(fixture, &buffers);
        io.ends.mem = forms[i] == CLSORT_BEGIN_END ? buffers.ends : NULL;
        fixture_fill(fixture);
        assert_ok(fixture_enqueue(fixture, plan, &io));
        check_segment(fixture, 2, 300);
        check_segment(fixture, 300, 301);
        check_segment(fixture, 301, 998);
        uint32_t keys[FIXTURE_COUNT];
        fixture_read(fixture, fixture->buffers[2], sizeof keys, keys);
        assert_int_equal(keys[0] | keys[1] | keys[998] | keys[999],
                         0); /* as fixture_fill left them */
        assert_int_equal(fixture_result(fixture, buffers.result), 0);
        clsort_plan_destroy(plan);
    }
    release_buffers(&buffers);
}

static void sorts_rows(void **state)
{
    struct fixture *fixture = *state;
    clsort_plan *plan = make_plan(fixture, CLSORT_ROWS);
    const struct buffers buffers = make_buffers(fixture);
    clsort_io io = fixture->io;
    io.segment_count = 8;
    io.result.mem = buffers.result;
    fixture_fill(fixture);
    assert_ok(fixture_enqueue(fixture, plan, &io));
    for (uint32_t row = 0; row < 8; row++)
        check_segment(fixture, row * 125, row * 125 + 125);
    assert_int_equal(fixture_result(fixture, buffers.result), 0);
    io.segment_count = 1;
    assert_ok(fixture_enqueue(fixture, plan, &io));
    check_segment(fixture, 0, FIXTURE_COUNT);
    const size_t no_rows[] = {0, 7, 2000};
    for (size_t i = 0; i < 3; i++) {
        io.segment_count = no_rows[i];
        assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_SEGMENTS);
    }
    release_buffers(&buffers);
    clsort_plan_destroy(plan);
}

/* Offsets that are wrong are clamped and counted. */
static void counts_clamped_segments(void **state)
{
    struct fixture *fixture = *state;
    static const struct {
        uint32_t offsets[SEGMENTS + 1];
        uint64_t clamped;
    } cases[] = {
        {{0, 10, 10, 20, 1000}, 0},  {{0, 10, 10, 20, 1001}, 1},
        {{0, 10, 5, 20, 30}, 2},     {{2000, 10, 20, 30, 40}, 1},
        {{0, 0, 0, 0, 0}, 0},        {{7, 6, 5, 4, 3}, 4},
        {{0, 1u << 31, 1, 2, 3}, 4}, {{0, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}, 4},
    };
    clsort_plan *plan = make_plan(fixture, CLSORT_OFFSETS);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct buffers buffers = make_buffers(fixture);
        const clsort_io io = offsets_io(fixture, &buffers);
        assert_ok(clEnqueueWriteBuffer(fixture->env.queue, buffers.offsets, CL_TRUE, 0,
                                       sizeof offsets, cases[i].offsets, 0, NULL, NULL));
        assert_ok(fixture_enqueue(fixture, plan, &io));
        assert_int_equal(fixture_result(fixture, buffers.result), cases[i].clamped);
        release_buffers(&buffers);
    }
    clsort_plan_destroy(plan);
}

/* Without segments or without elements, only the result is written. */
static void nothing_to_sort(void **state)
{
    struct fixture *fixture = *state;
    clsort_plan *plan = make_plan(fixture, CLSORT_OFFSETS);
    const struct buffers buffers = make_buffers(fixture);
    clsort_io io = offsets_io(fixture, &buffers);
    fixture_fill(fixture);
    io.segment_count = 0;
    assert_ok(fixture_enqueue(fixture, plan, &io));
    assert_int_equal(fixture_result(fixture, buffers.result), 0);
    io.offsets.mem = NULL;
    assert_ok(fixture_enqueue(fixture, plan, &io));
    io = (clsort_io)CLSORT_IO_INIT;
    assert_ok(fixture_enqueue(fixture, plan, &io));
    uint32_t keys[FIXTURE_COUNT];
    fixture_read(fixture, fixture->buffers[2], sizeof keys, keys);
    for (size_t i = 0; i < FIXTURE_COUNT; i++)
        assert_int_equal(keys[i], 0);
    release_buffers(&buffers);
    clsort_plan_destroy(plan);
}

/* Millions of empty segments and a single full one, whose number exceeds that of the elements. */
static void many_empty_segments(void **state)
{
    enum { MANY = 3000000 };
    struct fixture *fixture = *state;
    clsort_desc desc = CLSORT_DESC_INIT;
    clsort_plan *plan = NULL;
    desc.value_size = 4;
    desc.max_count = FIXTURE_COUNT;
    desc.segments = CLSORT_OFFSETS;
    desc.max_segments = MANY;
    assert_ok(clsort_plan_create(fixture->env.engine, &desc, &plan));
    uint32_t *many = malloc((MANY + 1) * sizeof *many);
    assert_non_null(many);
    for (size_t i = 0; i <= MANY; i++)
        many[i] = i <= MANY / 2 ? 100 : 900;
    const struct buffers buffers = make_buffers(fixture);
    clsort_io io = offsets_io(fixture, &buffers);
    io.segment_count = MANY;
    io.offsets.mem = fixture_buffer(fixture, CL_MEM_READ_WRITE, (MANY + 1) * sizeof *many, many);
    fixture_fill(fixture);
    assert_ok(fixture_enqueue(fixture, plan, &io));
    check_segment(fixture, 100, 900);
    assert_int_equal(fixture_result(fixture, buffers.result), 0);
    io.segment_count = MANY + 1;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_COUNT);
    clReleaseMemObject(io.offsets.mem);
    release_buffers(&buffers);
    free(many);
    clsort_plan_destroy(plan);
}

/* -- arguments --------------------------------------------------------------------------------- */

static void arguments(void **state)
{
    struct fixture *fixture = *state;
    static const clsort_buffer none = {NULL, 0};
    clsort_plan *plan = make_plan(fixture, CLSORT_OFFSETS),
                *pairs = make_plan(fixture, CLSORT_BEGIN_END),
                *rows = make_plan(fixture, CLSORT_ROWS);
    const struct buffers buffers = make_buffers(fixture);
    const clsort_io valid = offsets_io(fixture, &buffers);
    clsort_io io = valid;
    io.offsets = none;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_ARGUMENT);
    io = valid;
    assert_status(fixture_enqueue(fixture, pairs, &io), CLSORT_E_ARGUMENT); /* no ends */
    io.ends.mem = buffers.ends;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_SEGMENTS);
    assert_status(fixture_enqueue(fixture, rows, &io), CLSORT_E_SEGMENTS);
    assert_status(fixture_enqueue(fixture, fixture->plan, &io),
                  CLSORT_E_SEGMENTS); /* no segments at all */
    io = fixture->io;
    io.result.mem = buffers.result;
    assert_status(fixture_enqueue(fixture, fixture->plan, &io), CLSORT_E_OPERATION);
    io = valid;
    io.segment_count = SEGMENTS + 1; /* has one offset more */
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_BUFFER_SIZE);
    io.segment_count = FIXTURE_COUNT + 1;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_COUNT);
    io = valid;
    io.offsets.offset = 2;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_ALIGNMENT);
    io = valid;
    io.offsets.mem = fixture->buffers[2];
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_OVERLAP);
    io = valid;
    io.keys_out = io.values_out = none; /* in place */
    io.offsets.mem = fixture->buffers[0];
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_OVERLAP);
    io = valid;
    io.result.mem = buffers.offsets;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_OVERLAP);
    io = valid;
    io.count = FIXTURE_COUNT + 1;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_COUNT);
    assert_ok(fixture_enqueue(fixture, plan, &valid));
    fixture_still_works(fixture);
    release_buffers(&buffers);
    clsort_plan_destroy(plan);
    clsort_plan_destroy(pairs);
    clsort_plan_destroy(rows);
}

/* Scratch of the stated size suffices, and one byte less is refused. */
static void scratch(void **state)
{
    struct fixture *fixture = *state;
    static const uint32_t forms[] = {CLSORT_ROWS, CLSORT_OFFSETS, CLSORT_BEGIN_END};
    static const size_t per_segment[] = {0, 16, 33};
    const struct buffers buffers = make_buffers(fixture);
    for (size_t i = 0; i < 3; i++) {
        clsort_plan *plan = make_plan(fixture, forms[i]);
        clsort_io io = offsets_io(fixture, &buffers);
        io.ends.mem = forms[i] == CLSORT_BEGIN_END ? buffers.ends : NULL;
        io.offsets.mem = forms[i] == CLSORT_ROWS ? NULL : buffers.offsets;
        const size_t bytes = fixture_check_scratch(fixture, plan, &io);
        assert_true(bytes <= FIXTURE_COUNT * (8 + 1 + per_segment[i]) + ((size_t)96 << 20));
        clsort_plan_destroy(plan);
    }
    release_buffers(&buffers);
}

/* -- descriptors ------------------------------------------------------------------------------- */

static void descriptors(void **state)
{
    struct fixture *fixture = *state;
    static const struct fixture_plan_case cases[] = {
        {{.segments = CLSORT_ROWS}, CLSORT_OK},
        {{.segments = CLSORT_ROWS, .max_segments = 1}, CLSORT_E_SEGMENTS},
        {{.segments = CLSORT_ROWS, .index_size = 4}, CLSORT_E_OPERATION},
        {{.segments = CLSORT_OFFSETS, .index_size = 4, .max_count = UINT32_MAX}, CLSORT_OK},
        {{.segments = CLSORT_OFFSETS, .index_size = 4, .max_count = (size_t)UINT32_MAX + 1},
         CLSORT_E_COUNT},
        {{.segments = CLSORT_OFFSETS, .index_size = 2}, CLSORT_E_ARGUMENT},
        {{.segments = CLSORT_BEGIN_END + 1}, CLSORT_E_SEGMENTS},
        {{.segments = CLSORT_OFFSETS, .count_size = 4}, CLSORT_OK},
        {{.segments = CLSORT_OFFSETS, .algorithm = "radix"}, CLSORT_E_UNSUPPORTED},
        {{.segments = CLSORT_ROWS, .flags = CLSORT_UNSTABLE | CLSORT_NO_SCRATCH},
         CLSORT_E_UNSUPPORTED},
        {{.segments = CLSORT_ROWS, .operation = CLSORT_ARGSORT, .value_size = 4},
         CLSORT_E_ARGUMENT},
        {{.segments = CLSORT_ROWS, .operation = CLSORT_MERGE_SORTED}, CLSORT_E_SEGMENTS},
        {{.segments = CLSORT_ROWS, .operation = CLSORT_GATHER, .value_size = 4}, CLSORT_E_SEGMENTS},
        {{.max_segments = 5}, CLSORT_E_SEGMENTS},
    };
    fixture_check_plans(fixture, cases, sizeof cases / sizeof *cases);
}

static void host_arrays_have_no_segments(void **state)
{
    struct fixture *fixture = *state;
    clsort_desc desc = CLSORT_DESC_INIT;
    uint32_t keys[2] = {2, 1};
    desc.segments = CLSORT_ROWS;
    assert_status(clsort_host(fixture->env.engine, NULL, &desc, 2, keys, NULL), CLSORT_E_SEGMENTS);
    assert_int_equal(keys[0], 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorts_segments),
        cmocka_unit_test(sorts_rows),
        cmocka_unit_test(counts_clamped_segments),
        cmocka_unit_test(nothing_to_sort),
        cmocka_unit_test(many_empty_segments),
        cmocka_unit_test(arguments),
        cmocka_unit_test(scratch),
        cmocka_unit_test(descriptors),
        cmocka_unit_test(host_arrays_have_no_segments),
    };
    return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
