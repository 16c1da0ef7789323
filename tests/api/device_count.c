/* device_count.c - the contracts of counts in device memory: descriptors, arguments, results, and when they are read */
#include "records_fixture.h"

#include <string.h>

static clsort_plan *make_plan(const struct fixture *fixture, uint32_t segments, uint32_t count_size)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    clsort_plan *plan = NULL;
    desc.value_size = 4;
    desc.max_count = FIXTURE_COUNT;
    desc.segments = segments;
    desc.count_size = count_size;
    assert_ok(clsort_plan_create(fixture->env.engine, &desc, &plan));
    return plan;
}

/* Returns a descriptor of u32 keys in a custom order that equals the order of u32. */
static clsort_desc custom_desc(clsort_operation operation, uint32_t index_size)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.operation = operation;
    desc.key = CLSORT_CUSTOM;
    desc.key_size = 4;
    desc.key_type = "uint";
    desc.less = "a < b";
    desc.value_size = operation == CLSORT_ARGSORT ? 0 : 4;
    desc.index_size = index_size;
    desc.count_size = 12 - index_size;
    desc.max_count = FIXTURE_COUNT;
    desc.max_k = operation == CLSORT_SELECT ? FIXTURE_COUNT : 0;
    return desc;
}

/* The buffers of a call besides those of the fixture. */
struct buffers {
    cl_mem count, result;
};

static struct buffers make_buffers(const struct fixture *fixture)
{
    const uint64_t numbers[2] = {99, 99};
    return (struct buffers){fixture_buffer(fixture, CL_MEM_READ_WRITE, sizeof numbers, numbers),
                            fixture_buffer(fixture, CL_MEM_READ_WRITE, sizeof *numbers, numbers)};
}

static void release_buffers(const struct buffers *buffers)
{
    clReleaseMemObject(buffers->count);
    clReleaseMemObject(buffers->result);
}

static clsort_io counted_io(const struct fixture *fixture, const struct buffers *buffers)
{
    clsort_io io = fixture->io;
    io.count_buffer.mem = buffers->count;
    io.result.mem = buffers->result;
    return io;
}

/* Checks that keys_out has the first elements of the fixture in ascending order with their values, if there are any,
 * and behind them zeros, as fixture_fill left them. */
static void check_sorted_with(const struct fixture *fixture, uint32_t count, bool has_values)
{
    uint32_t keys[FIXTURE_COUNT], values[FIXTURE_COUNT];
    fixture_read(fixture, fixture->buffers[2], sizeof keys, keys);
    fixture_read(fixture, fixture->buffers[3], sizeof values, values);
    for (uint32_t i = 0; i < FIXTURE_COUNT; i++) {
        assert_int_equal(keys[i], i < count ? FIXTURE_COUNT - count + i : 0);
        assert_int_equal(values[i], has_values && i < count ? count - 1 - i : 0);
    }
}

static void check_sorted(const struct fixture *fixture, uint32_t count)
{
    check_sorted_with(fixture, count, true);
}

/* -- results ----------------------------------------------------------------------------------- */

/* Sorts with counts of `size` bytes, and destroys the plan. */
static void sort_counts(struct fixture *fixture, clsort_plan *plan, uint32_t size, bool has_values)
{
    static const uint64_t counts[] = {0,    1,    2,          600,        999, 1000,
                                      1001, 5000, UINT32_MAX, UINT64_MAX, 32,  33};
    const struct buffers buffers = make_buffers(fixture);
    clsort_io io = counted_io(fixture, &buffers);
    if (!has_values)
        io.values.mem = io.values_out.mem = NULL;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const uint32_t narrow = (uint32_t)counts[i];
        const uint64_t count = size == 4 ? narrow : counts[i];
        fixture_write(fixture, buffers.count, size,
                      size == 4 ? (const void *)&narrow : (const void *)&count);
        fixture_fill(fixture);
        assert_ok(fixture_enqueue(fixture, plan, &io));
        check_sorted_with(fixture, count < FIXTURE_COUNT ? (uint32_t)count : FIXTURE_COUNT,
                          has_values);
        assert_true(fixture_result(fixture, buffers.result) ==
                    (count > FIXTURE_COUNT ? CLSORT_COUNT_EXCEEDED : 0));
    }
    release_buffers(&buffers);
    clsort_plan_destroy(plan);
}

static void sorts_elements(void **state)
{
    for (uint32_t size = 4; size <= 8; size += 4)
        sort_counts(*state, make_plan(*state, CLSORT_WHOLE, size), size, true);
}

/* Creates a plan that sorts the keys of the fixture as records. */
static clsort_plan *make_records_plan(const struct fixture *fixture, uint32_t count_size)
{
    clsort_desc desc = records_desc(&by_key, 1);
    desc.count_size = count_size;
    return records_plan(fixture, &desc);
}

static void sorts_records(void **state)
{
    for (uint32_t size = 4; size <= 8; size += 4)
        sort_counts(*state, make_records_plan(*state, size), size, false);
}

/* A bound of 0 elements: the result is still written. Destroys the plan. */
static void sort_nothing(struct fixture *fixture, clsort_plan *plan)
{
    const struct buffers buffers = make_buffers(fixture);
    clsort_io io = CLSORT_IO_INIT;
    uint64_t result;
    io.count_buffer.mem = buffers.count; /* 99 */
    assert_ok(fixture_enqueue(fixture, plan, &io));
    io.result.mem = buffers.result;
    assert_ok(fixture_enqueue(fixture, plan, &io));
    fixture_read(fixture, buffers.result, sizeof result, &result);
    assert_true(result == CLSORT_COUNT_EXCEEDED);
    release_buffers(&buffers);
    clsort_plan_destroy(plan);
}

static void no_elements(void **state)
{
    sort_nothing(*state, make_plan(*state, CLSORT_WHOLE, 4));
    sort_nothing(*state, make_records_plan(*state, 4));
}

/* The flag of the count and the number of clamped segments are in one result. */
static void sorts_segments(void **state)
{
    struct fixture *fixture = *state;
    static const uint32_t offsets[] = {0, 10, 5, 20, 1000}; /* the segments 0 and 1 end at 10 */
    static const struct {
        uint64_t count, result;
    } cases[] = {{0, 0}, {1, 0}, {2, 1}, {3, 2}, {4, 2}, {5, CLSORT_COUNT_EXCEEDED + 2}};
    clsort_plan *plan = make_plan(fixture, CLSORT_OFFSETS, 8);
    const struct buffers buffers = make_buffers(fixture);
    clsort_io io = counted_io(fixture, &buffers);
    io.offsets.mem = fixture_buffer(fixture, CL_MEM_READ_WRITE, sizeof offsets, offsets);
    io.segment_count = 4;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t result;
        fixture_write(fixture, buffers.count, sizeof cases[i].count, &cases[i].count);
        fixture_fill(fixture);
        assert_ok(fixture_enqueue(fixture, plan, &io));
        if (cases[i].count <= 2)
            check_sorted(fixture, cases[i].count > 0 ? 10 : 0);
        fixture_read(fixture, buffers.result, sizeof result, &result);
        assert_true(result == cases[i].result);
    }
    clReleaseMemObject(io.offsets.mem);
    release_buffers(&buffers);
    clsort_plan_destroy(plan);
}

/* The result is also written if nothing is selected, and if the bound is 0. */
static void select_nothing(const struct fixture *fixture, const clsort_desc *desc)
{
    clsort_plan *plan = NULL;
    assert_ok(clsort_plan_create(fixture->env.engine, desc, &plan));
    const struct buffers buffers = make_buffers(fixture); /* the count is 99 */
    static const size_t bounds[] = {0, 98, 99};
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        uint64_t result = 1;
        clsort_io io = CLSORT_IO_INIT;
        io.count = bounds[i];
        io.keys.mem = fixture->buffers[0];
        io.count_buffer.mem = buffers.count;
        assert_ok(fixture_enqueue(fixture, plan, &io));
        io.result.mem = buffers.result;
        assert_ok(fixture_enqueue(fixture, plan, &io));
        fixture_read(fixture, buffers.result, sizeof result, &result);
        assert_true(result == (bounds[i] < 99 ? CLSORT_COUNT_EXCEEDED : 0));
    }
    release_buffers(&buffers);
    clsort_plan_destroy(plan);
}

/* Keys in descending order, each of which begins a run. The second one is the first violation. */
static void compares_neighbours(void **state)
{
    struct fixture *fixture = *state;
    static const struct {
        size_t bound;
        uint64_t count;
    } cases[] = {{0, 0},      {0, 1},       {1000, 0},  {1000, 1}, {1000, 2},
                 {1000, 999}, {1000, 1000}, {600, 601}, {1, 2}};
    for (uint32_t operation = CLSORT_UNIQUE; operation <= CLSORT_CHECK; operation++) {
        const bool is_unique = operation == CLSORT_UNIQUE;
        clsort_desc desc = CLSORT_DESC_INIT;
        clsort_plan *plan = NULL;
        desc.operation = operation;
        desc.max_count = FIXTURE_COUNT;
        desc.count_size = 8;
        assert_ok(clsort_plan_create(fixture->env.engine, &desc, &plan));
        const struct buffers buffers = make_buffers(fixture);
        clsort_io io = CLSORT_IO_INIT;
        io.keys.mem = fixture->buffers[0];
        io.keys_out.mem = is_unique ? fixture->buffers[2] : NULL;
        io.result.mem = buffers.result;
        io.count = 1;
        assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_ARGUMENT); /* no count */
        io.count_buffer.mem = buffers.count;
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            const uint64_t bound = cases[i].bound;
            const uint64_t count = cases[i].count < bound ? cases[i].count : bound;
            const uint64_t flag = cases[i].count > bound ? CLSORT_COUNT_EXCEEDED : 0;
            uint32_t keys[FIXTURE_COUNT];
            fixture_fill(fixture);
            fixture_write(fixture, buffers.count, sizeof cases[i].count, &cases[i].count);
            io.count = (size_t)bound;
            assert_ok(fixture_enqueue(fixture, plan, &io));
            assert_true(fixture_result(fixture, buffers.result) ==
                        (flag | (is_unique || count < 2 ? count : 1)));
            fixture_read(fixture, fixture->buffers[2], sizeof keys, keys);
            for (uint32_t k = 0; k < FIXTURE_COUNT; k++)
                assert_int_equal(keys[k], is_unique && k < count ? FIXTURE_COUNT - 1 - k : 0);
        }
        io.result.mem = NULL;
        assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_ARGUMENT); /* it is required */
        io.result.mem = buffers.count;
        assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_OVERLAP);
        io.result.mem = buffers.result;
        io.count = FIXTURE_COUNT;
        fixture_check_scratch(fixture, plan, &io);
        release_buffers(&buffers);
        clsort_plan_destroy(plan);
    }
}

/* The count is read when the wait list is complete, and clsort_enqueue does not wait for it. */
static void read_late(struct fixture *fixture, clsort_plan *plan, size_t k, bool has_values)
{
    const struct buffers buffers = make_buffers(fixture);
    const uint32_t count = 300;
    clsort_io io = counted_io(fixture, &buffers);
    cl_event sorted = NULL;
    cl_int status;
    io.k = k;
    if (!has_values)
        io.values.mem = io.values_out.mem = NULL;
    fixture_fill(fixture);
    const cl_event gate = clCreateUserEvent(fixture->env.context, &status);
    assert_ok(status);
    assert_ok(clsort_enqueue(plan, fixture->env.out_of_order, &io, 1, &gate, &sorted));
    assert_ok(clFlush(fixture->env.out_of_order));
    fixture_write(fixture, buffers.count, sizeof count, &count);
    assert_ok(clSetUserEventStatus(gate, CL_COMPLETE));
    assert_true(env_finish_event(sorted));
    check_sorted_with(fixture, count, has_values);
    clReleaseEvent(gate);
    release_buffers(&buffers);
    clsort_plan_destroy(plan);
}

static void count_is_read_late(void **state)
{
    struct fixture *fixture = *state;
    const clsort_desc custom = custom_desc(CLSORT_SELECT, 8);
    clsort_desc records = records_desc(&by_key, 1);
    clsort_plan *selection = NULL;
    records.operation = CLSORT_SELECT;
    records.count_size = 4;
    read_late(fixture, make_plan(fixture, CLSORT_WHOLE, 4), 0, true);
    read_late(fixture, make_records_plan(fixture, 4), 0, false);
    assert_ok(clsort_plan_create(fixture->env.engine, &custom, &selection));
    read_late(fixture, selection, FIXTURE_COUNT, true);
    read_late(fixture, records_plan(fixture, &records), FIXTURE_COUNT, false);
}

/* -- arguments --------------------------------------------------------------------------------- */

static void arguments(void **state)
{
    struct fixture *fixture = *state;
    static const clsort_buffer none = {NULL, 0};
    clsort_plan *plan = make_plan(fixture, CLSORT_WHOLE, 8);
    const struct buffers buffers = make_buffers(fixture);
    const clsort_io valid = counted_io(fixture, &buffers);
    clsort_io io = valid;
    io.count_buffer = none;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_ARGUMENT);
    io.count = 0;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_ARGUMENT);
    io = fixture->io;
    io.count_buffer.mem = buffers.count;
    assert_status(fixture_enqueue(fixture, fixture->plan, &io),
                  CLSORT_E_OPERATION); /* no count_size */
    io = valid;
    io.count_buffer.offset = 16;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_BUFFER_SIZE);
    io.count_buffer.offset = 4;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_ALIGNMENT);
    io.count_buffer.offset = 8;
    assert_ok(fixture_enqueue(fixture, plan, &io));
    io = valid;
    io.count_buffer.mem = fixture->buffers[2];
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_OVERLAP);
    io.keys_out = io.values_out = none; /* in place */
    io.count_buffer.mem = fixture->buffers[0];
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_OVERLAP);
    io = valid;
    io.result.mem = buffers.count;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_OVERLAP);
    io = valid;
    io.count = FIXTURE_COUNT + 1;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_COUNT);
    io = valid;
    io.segment_count = 1;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_SEGMENTS);
    fixture_still_works(fixture);
    release_buffers(&buffers);
    clsort_plan_destroy(plan);
}

/* Scratch of the stated size suffices, one byte less is refused, and it is about that of a sort. */
static void scratch(void **state)
{
    struct fixture *fixture = *state;
    clsort_plan *plan = make_plan(fixture, CLSORT_WHOLE, 8);
    const struct buffers buffers = make_buffers(fixture);
    const clsort_io io = counted_io(fixture, &buffers);
    fixture_fill(fixture);
    const size_t bytes = fixture_check_scratch(fixture, plan, &io);
    assert_true(bytes <= FIXTURE_COUNT * 17 / 2 + ((size_t)32 << 20));
    check_sorted(fixture, 99);
    release_buffers(&buffers);
    clsort_plan_destroy(plan);
}

/* The bound of clsort_columns.h, which a count in device memory does not raise. */
static void scratch_of_records(void **state)
{
    struct fixture *fixture = *state;
    clsort_plan *plan = make_records_plan(fixture, 8);
    const struct buffers buffers = make_buffers(fixture);
    clsort_io io = counted_io(fixture, &buffers);
    io.values.mem = io.values_out.mem = NULL;
    fixture_fill(fixture);
    const size_t bytes = fixture_check_scratch(fixture, plan, &io);
    assert_true(bytes <= FIXTURE_COUNT * 24 * 17 / 16 + ((size_t)32 << 20));
    check_sorted_with(fixture, 99, false);
    io.count_buffer.mem = fixture->buffers[0]; /* an input, which outputs must not overlap */
    io.keys_out.mem = NULL;
    assert_status(fixture_enqueue(fixture, plan, &io), CLSORT_E_OVERLAP);
    release_buffers(&buffers);
    clsort_plan_destroy(plan);
}

/* -- selections by custom orders --------------------------------------------------------------- */

/* What a selection from the first `count` elements of the fixture writes: `written` elements, from place `first` in the
 * order on. */
struct selected {
    uint32_t count, first, written;
};

/* Checks one output. The keys descend, and the element of place p in the order is the one of index count - 1 - p. */
static void check_output(const uint32_t *found, const struct selected *selected, bool is_key)
{
    for (uint32_t i = 0; i < FIXTURE_COUNT; i++) {
        const uint32_t index = selected->count - 1 - selected->first - i;
        const uint32_t element = is_key ? FIXTURE_COUNT - 1 - index : index;
        assert_int_equal(found[i], i < selected->written ? element : 0);
    }
}

/* Selects into the outputs whose bits are set in `outputs`: 1, the keys; 2, the values; 4, the indexes. */
static void select_counted(struct fixture *fixture, clsort_plan *plan, const clsort_io *given,
                           uint32_t index_size, unsigned outputs, const struct selected *selected)
{
    static const struct selected nothing;
    static const uint64_t zeros[FIXTURE_COUNT];
    uint32_t found[FIXTURE_COUNT];
    uint64_t wide[FIXTURE_COUNT];
    clsort_io io = *given;
    fixture_fill(fixture);
    fixture_write(fixture, io.index_out.mem, sizeof zeros, zeros);
    if (!(outputs & 1))
        io.keys_out.mem = NULL;
    if (!(outputs & 2))
        io.values_out.mem = NULL;
    if (!(outputs & 4))
        io.index_out.mem = NULL;
    assert_ok(fixture_enqueue(fixture, plan, &io));
    fixture_read(fixture, given->keys_out.mem, FIXTURE_BYTES, found);
    check_output(found, outputs & 1 ? selected : &nothing, true);
    fixture_read(fixture, given->values_out.mem, FIXTURE_BYTES, found);
    check_output(found, outputs & 2 ? selected : &nothing, false);
    fixture_read(fixture, given->index_out.mem, sizeof wide, wide);
    memcpy(found, wide, sizeof found);
    for (size_t i = 0; index_size == 8 && i < FIXTURE_COUNT; i++)
        found[i] = (uint32_t)wide[i];
    check_output(found, outputs & 4 ? selected : &nothing, false);
}

/* All counts about k and about the bound, and all outputs. */
static void select_by_custom_order(struct fixture *fixture, clsort_operation operation,
                                   uint32_t index_size, uint32_t flags, uint32_t k)
{
    const uint64_t counts[] = {0, 1, k - 1, k, k + 1, 999, 1000, 1001, UINT32_MAX};
    const bool is_nth = operation == CLSORT_NTH;
    clsort_desc desc = custom_desc(operation, index_size);
    clsort_plan *plan = NULL;
    desc.flags = flags;
    assert_ok(clsort_plan_create(fixture->env.engine, &desc, &plan));
    const struct buffers buffers = make_buffers(fixture);
    clsort_io io = counted_io(fixture, &buffers);
    io.k = k;
    io.index_out.mem = fixture_buffer(fixture, CL_MEM_READ_WRITE, 2 * FIXTURE_BYTES, NULL);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const uint32_t narrow = (uint32_t)counts[i];
        const uint64_t flag = counts[i] > FIXTURE_COUNT ? CLSORT_COUNT_EXCEEDED : 0;
        struct selected selected = {flag ? FIXTURE_COUNT : narrow, is_nth ? k : 0, 0};
        selected.written = is_nth ? k < selected.count : k < selected.count ? k : selected.count;
        fixture_write(fixture, buffers.count, desc.count_size,
                      desc.count_size == 4 ? (const void *)&narrow : (const void *)&counts[i]);
        select_counted(fixture, plan, &io, index_size, 1 + (unsigned)(i % 7), &selected);
        assert_true(fixture_result(fixture, buffers.result) ==
                    (flag | (is_nth && selected.written == 0)));
    }
    clReleaseMemObject(io.index_out.mem);
    release_buffers(&buffers);
    clsort_plan_destroy(plan);
}

static void custom_orders(void **state)
{
    struct fixture *fixture = *state;
    for (uint32_t index_size = 4; index_size <= 8; index_size += 4) {
        select_by_custom_order(fixture, CLSORT_SELECT, index_size, 0, 10);
        select_by_custom_order(fixture, CLSORT_SELECT, index_size, CLSORT_UNSTABLE, FIXTURE_COUNT);
        select_by_custom_order(fixture, CLSORT_NTH, index_size, 0, 10);
        select_by_custom_order(fixture, CLSORT_NTH, index_size, CLSORT_UNSTABLE, FIXTURE_COUNT - 1);
    }
}

static void selects_nothing(void **state)
{
    const clsort_desc custom = custom_desc(CLSORT_SELECT, 4);
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.operation = CLSORT_SELECT;
    desc.max_count = FIXTURE_COUNT;
    desc.count_size = 8;
    select_nothing(*state, &desc);
    select_nothing(*state, &custom);
    desc = records_desc(&by_key, 1);
    desc.operation = CLSORT_SELECT;
    desc.count_size = 8;
    select_nothing(*state, &desc);
}

/* Scratch is that of an argsort with such a count, and indexes of all elements and of those that are selected. */
static void custom_order_scratch(void **state)
{
    struct fixture *fixture = *state;
    static const clsort_operation operations[] = {CLSORT_SELECT, CLSORT_NTH};
    const uint32_t index = 8, tables = 1 << 11;
    const clsort_desc argsort_desc = custom_desc(CLSORT_ARGSORT, index);
    clsort_plan *argsort = NULL;
    size_t argsort_bytes;
    assert_ok(clsort_plan_create(fixture->env.engine, &argsort_desc, &argsort));
    assert_ok(clsort_scratch_size(argsort, FIXTURE_COUNT, &argsort_bytes));
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        const clsort_desc desc = custom_desc(operations[i], index);
        const bool is_nth = operations[i] == CLSORT_NTH;
        clsort_plan *plan = NULL;
        assert_ok(clsort_plan_create(fixture->env.engine, &desc, &plan));
        const struct buffers buffers = make_buffers(fixture); /* the count is 99 */
        clsort_io io = counted_io(fixture, &buffers);
        io.k = is_nth ? 98 : FIXTURE_COUNT;
        fixture_fill(fixture);
        const size_t places = is_nth ? 1 : FIXTURE_COUNT;
        assert_true(fixture_check_scratch(fixture, plan, &io) <=
                    argsort_bytes + (FIXTURE_COUNT + places) * index + tables);
        release_buffers(&buffers);
        clsort_plan_destroy(plan);
    }
    clsort_plan_destroy(argsort);
}

/* A plan by a custom order has no algorithms by name, and describes itself as an argsort. */
static void custom_order_plans(void **state)
{
    struct fixture *fixture = *state;
    clsort_desc desc = custom_desc(CLSORT_SELECT, 4);
    clsort_plan *plan = NULL;
    char text[512];
    uint64_t bytes = 0;
    assert_ok(clsort_plan_create(fixture->env.engine, &desc, &plan));
    assert_ok(clsort_plan_describe(plan, FIXTURE_COUNT, sizeof text, text, NULL));
    assert_non_null(strstr(text, "by an argsort of all elements"));
    assert_ok(clsort_cost_bytes(plan, FIXTURE_COUNT, &bytes));
    assert_true(bytes > 0);
    clsort_plan_destroy(plan);
    desc.algorithm = "merge";
    assert_status(clsort_plan_create(fixture->env.engine, &desc, &plan), CLSORT_E_UNSUPPORTED);
    desc.algorithm = NULL;
    desc.flags = CLSORT_INPUT_ORDER;
    assert_status(clsort_plan_create(fixture->env.engine, &desc, &plan), CLSORT_E_UNSUPPORTED);
}

/* -- descriptors ------------------------------------------------------------------------------- */

static void descriptors(void **state)
{
    struct fixture *fixture = *state;
    static const struct fixture_plan_case cases[] = {
        {{.count_size = 4}, CLSORT_OK},
        {{.count_size = 8, .operation = CLSORT_ARGSORT}, CLSORT_OK},
        {{.count_size = 8, .segments = CLSORT_BEGIN_END}, CLSORT_OK},
        {{.count_size = 1}, CLSORT_E_ARGUMENT},
        {{.count_size = 16}, CLSORT_E_ARGUMENT},
        {{.count_size = 4, .segments = CLSORT_ROWS}, CLSORT_OK},
        {{.count_size = 4, .operation = CLSORT_MERGE_SORTED}, CLSORT_E_UNSUPPORTED},
        {{.count_size = 4, .operation = CLSORT_GATHER, .value_size = 4}, CLSORT_OK},
        {{.count_size = 4, .operation = CLSORT_SELECT}, CLSORT_OK},
        {{.count_size = 4, .operation = CLSORT_UNIQUE, .value_size = 24}, CLSORT_OK},
        {{.count_size = 8, .operation = CLSORT_CHECK}, CLSORT_OK},
        {{.count_size = 4, .operation = CLSORT_CHECK, .segments = CLSORT_ROWS}, CLSORT_E_SEGMENTS},
        {{.count_size = 4, .operation = CLSORT_NTH, .flags = CLSORT_PARTITION}, CLSORT_OK},
        {{.count_size = 4, .operation = CLSORT_NTH, .segments = CLSORT_OFFSETS}, CLSORT_OK},
        {{.count_size = 4, .algorithm = "radix"}, CLSORT_E_UNSUPPORTED},
        {{.count_size = 4, .flags = CLSORT_UNSTABLE | CLSORT_NO_SCRATCH}, CLSORT_E_UNSUPPORTED},
    };
    fixture_check_plans(fixture, cases, sizeof cases / sizeof *cases);
}

static void host_arrays_have_known_counts(void **state)
{
    struct fixture *fixture = *state;
    clsort_desc desc = CLSORT_DESC_INIT;
    uint32_t keys[2] = {2, 1};
    const uint64_t offsets[2] = {0, 2};
    desc.count_size = 4;
    assert_status(clsort_host(fixture->env.engine, NULL, &desc, 2, keys, NULL),
                  CLSORT_E_UNSUPPORTED);
    desc.segments = CLSORT_OFFSETS;
    assert_status(clsort_host_segments(fixture->env.engine, NULL, &desc, 2, keys, NULL, 1, offsets,
                                       NULL, NULL),
                  CLSORT_E_UNSUPPORTED);
    assert_int_equal(keys[0], 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorts_elements),
        cmocka_unit_test(sorts_records),
        cmocka_unit_test(no_elements),
        cmocka_unit_test(sorts_segments),
        cmocka_unit_test(selects_nothing),
        cmocka_unit_test(compares_neighbours),
        cmocka_unit_test(custom_orders),
        cmocka_unit_test(custom_order_scratch),
        cmocka_unit_test(custom_order_plans),
        cmocka_unit_test(count_is_read_late),
        cmocka_unit_test(arguments),
        cmocka_unit_test(scratch),
        cmocka_unit_test(scratch_of_records),
        cmocka_unit_test(descriptors),
        cmocka_unit_test(host_arrays_have_known_counts),
    };
    return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
