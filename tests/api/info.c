/* info.c - queries: statuses, version, build log, descriptions, names, scratch sizes, cost models */
#include "fixture.h"

#include "data.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void statuses(void **state)
{
    (void)state;
#define CLSORT_X(name, value, text) assert_string_equal(clsort_status_string(value), text);
    CLSORT_STATUS_MAP(CLSORT_X)
#undef CLSORT_X
    assert_string_equal(clsort_status_string(CL_OUT_OF_RESOURCES), "CL_OUT_OF_RESOURCES");
    assert_string_equal(clsort_status_string(CL_DEVICE_NOT_FOUND), "CL_DEVICE_NOT_FOUND");
    assert_string_equal(clsort_status_string(CL_INVALID_VALUE), "CL_INVALID_VALUE");
    for (clsort_status status = -1200; status <= 1200; status++) {
        const char *text = clsort_status_string(status);
        assert_non_null(text);
        assert_true(*text);
    }
    assert_non_null(clsort_status_string(INT32_MIN));
    assert_non_null(clsort_status_string(INT32_MAX));
}

static void version(void **state)
{
    (void)state;
    assert_string_equal(clsort_version(), CLSORT_VERSION_STRING);
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", CLSORT_VERSION_MAJOR, CLSORT_VERSION_MINOR,
             CLSORT_VERSION_PATCH);
    assert_string_equal(text, CLSORT_VERSION_STRING);
}

static clsort_status describe_plan(void *data, size_t size, char *text, size_t *size_ret)
{
    const struct fixture *fixture = data;
    return clsort_plan_describe(fixture->plan, FIXTURE_COUNT, size, text, size_ret);
}

static void descriptions(void **state)
{
    struct fixture *fixture = *state;
    char *text = text_read(describe_plan, fixture);
    assert_null(strchr(text, '\n'));
    assert_non_null(strstr(text, "u32"));
    free(text);
    size_t size = 0;
    assert_ok(clsort_plan_describe(fixture->plan, 0, 0, NULL, &size));
}

/* The arguments of clsort_host_describe. */
struct host_sort {
    clsort_engine *engine;
    clsort_desc desc;
    size_t count;
};

static clsort_status describe_host(void *data, size_t size, char *text, size_t *size_ret)
{
    const struct host_sort *sort = data;
    return clsort_host_describe(sort->engine, &sort->desc, sort->count, size, text, size_ret);
}

/* Checks that the description is one line, begins with the word, and contains the text. */
static void check_host_description(struct host_sort *sort, const char *word, const char *part)
{
    char *text = text_read(describe_host, sort);
    assert_null(strchr(text, '\n'));
    assert_int_equal(strcspn(text, " "), strlen(word));
    assert_memory_equal(text, word, strlen(word));
    assert_non_null(strstr(text, part));
    free(text);
}

static void host_descriptions(void **state)
{
    const struct fixture *fixture = *state;
    struct host_sort sort = {fixture->env.engine, CLSORT_DESC_INIT, 0};
    static const size_t small[] = {0, 1, 2, 100};
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        sort.count = small[i];
        check_host_description(&sort, "host", "u32");
    }
    sort.desc.algorithm = "radix";
    check_host_description(&sort, "radix", "u32");

    sort.count = 10000;
    check_host_description(&sort, "radix", "32-bit indexes");
    sort.engine = fixture_limited_engine(fixture, "CLSORT_MAX_ALLOC", "10000");
    check_host_description(&sort, "radix", " 5 pieces");
    clsort_engine_destroy(sort.engine);
    sort.engine = fixture_limited_engine(fixture, "CLSORT_MAX_INDEX32", "9999");
    check_host_description(&sort, "radix", "64-bit indexes");
    clsort_engine_destroy(sort.engine);
}

static void host_describe_refuses(void **state)
{
    const struct fixture *fixture = *state;
    clsort_engine *engine = fixture->env.engine;
    const clsort_desc any = CLSORT_DESC_INIT;
    clsort_desc ten = any;
    ten.max_count = 10;
    clsort_desc pairs = any;
    pairs.value_size = 1024;
    clsort_desc keyless = any;
    keyless.key = (clsort_key)99;
    clsort_desc named = any; /* runs on a device only */
    named.algorithm = "radix";
    char text[8];
    const struct {
        clsort_engine *engine;
        const clsort_desc *desc;
        size_t count;
        char *text;
        clsort_status expected;
    } cases[] = {
        {NULL, &named, 1, text, CLSORT_E_ARGUMENT},
        {engine, NULL, 1, text, CLSORT_E_ARGUMENT},
        {engine, &any, 1, NULL, CLSORT_E_ARGUMENT},
        {engine, &keyless, 1, text, CLSORT_E_KEY},
        {engine, &ten, 11, text, CLSORT_E_COUNT},
        {engine, &ten, SIZE_MAX, text, CLSORT_E_COUNT},
        /* Multiplied by 4, this count overflows to 4. */
        {engine, &any, SIZE_MAX / 4 + 2, text, CLSORT_E_COUNT},
        {engine, &any, SIZE_MAX, text, CLSORT_E_COUNT},
        {engine, &pairs, SIZE_MAX / 1024 + 2, text, CLSORT_E_COUNT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t size = 99;
        assert_status(clsort_host_describe(cases[i].engine, cases[i].desc, cases[i].count,
                                           sizeof text, cases[i].text, &size),
                      cases[i].expected);
        assert_int_equal(size, 0);
    }
}

/* The description of a plan begins with its algorithm, also if that has parameters. */
static void algorithms(void **state)
{
    struct fixture *fixture = *state;
    static const char *const wanted[] = {"radix", "cpu", "local", "bitonic"};
    for (size_t w = 0; w < sizeof wanted / sizeof *wanted; w++) {
        bool listed = false;
        for (size_t i = 0; clsort_algorithm_name(i); i++)
            listed |= strcmp(clsort_algorithm_name(i), wanted[w]) == 0;
        assert_true(listed);
    }
    assert_null(clsort_algorithm_name(SIZE_MAX));
    for (size_t i = 0; clsort_algorithm_name(i); i++) {
        clsort_desc desc = fixture->desc;
        desc.max_count = 10;
        desc.algorithm = clsort_algorithm_name(i);
        clsort_plan *plan = NULL;
        clsort_status status = clsort_plan_create(fixture->env.engine, &desc, &plan);
        if (status == CLSORT_E_UNSUPPORTED)
            continue;
        assert_ok(status);
        char text[256];
        assert_ok(clsort_plan_describe(plan, 10, sizeof text, text, NULL));
        assert_true(strcmp(desc.algorithm, "auto") == 0 || strstr(text, desc.algorithm));
        clsort_plan_destroy(plan);
    }
}

static void scratch_bound(const clsort_plan *plan, size_t element)
{
    static const size_t counts[] = {0,       1,       2,       100,      4096,
                                    1 << 16, 1 << 20, 1 << 24, 99999999, (size_t)1 << 28};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        size_t bytes = 0;
        assert_ok(clsort_scratch_size(plan, counts[i], &bytes));
        const size_t data = counts[i] * element;
        assert_true(bytes <= data + data / 16 + ((size_t)32 << 20));
    }
}

static void scratch_sizes(void **state)
{
    struct fixture *fixture = *state;
    static const char *const names[] = {"radix", "cpu", "auto"};
    static const struct {
        clsort_key key;
        size_t value_size;
    } elements[] = {{CLSORT_U8, 0},   {CLSORT_U8, 4},     {CLSORT_U8, 100}, {CLSORT_I16, 2},
                    {CLSORT_U32, 0},  {CLSORT_U32, 4},    {CLSORT_U32, 7},  {CLSORT_I32, 12},
                    {CLSORT_I32, 16}, {CLSORT_U32, 1024}, {CLSORT_U64, 8},  {CLSORT_I64, 24}};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        for (size_t e = 0; e < sizeof elements / sizeof *elements; e++) {
            clsort_desc desc = CLSORT_DESC_INIT;
            desc.key = elements[e].key;
            desc.value_size = elements[e].value_size;
            desc.algorithm = names[n];
            desc.max_count = (size_t)1 << 28;
            clsort_plan *plan = NULL;
            clsort_status status = clsort_plan_create(fixture->env.engine, &desc, &plan);
            if (status == CLSORT_E_UNSUPPORTED)
                continue;
            assert_ok(status);
            scratch_bound(plan, data_type_of(desc.key)->size + desc.value_size);
            clsort_plan_destroy(plan);
        }
}

/* Creates a plan. Returns NULL if the device does not support it. */
static clsort_plan *plan_for(const struct fixture *fixture, const clsort_desc *desc)
{
    clsort_plan *plan = NULL;
    const clsort_status status = clsort_plan_create(fixture->env.engine, desc, &plan);
    if (status != CLSORT_E_UNSUPPORTED)
        assert_ok(status);
    return plan;
}

/* The cost models that the kernel files of cl/ state. */
static void cost_models(void **state)
{
    const struct fixture *fixture = *state;
    enum { WIDE = 100, INDEX = 4 };
    static const struct {
        const char *algorithm;
        clsort_key key;
        size_t value_size, count;
        uint64_t bytes_per_element;
    } rows[] = {
        {"radix:bits=8", CLSORT_U32, 0, 1 << 16, 4 * 12},
        {"radix:bits=8", CLSORT_U32, 4, 1 << 16, 4 * 20},
        {"radix:bits=5", CLSORT_U64, 0, 1 << 16, 13 * 24},
        {"radix:bits=8", CLSORT_U32, WIDE, 1 << 16, 4 * (12 + 2 * INDEX) + 2 * WIDE + INDEX},
        {"onesweep:bits=8", CLSORT_U32, 0, 1 << 16, 4 + 4 * 8},
        {"onesweep:bits=4", CLSORT_U16, 4, 1 << 16, 2 + 4 * 12},
        {"local", CLSORT_U32, 4, 256, 16},
        {"cpu", CLSORT_U32, 0, 1000, 8},
        {"cpu", CLSORT_U16, 0, 1 << 20, 10},
        {"cpu", CLSORT_U32, 4, 1 << 20, 36},
        {"cpu", CLSORT_U32, WIDE, 1 << 20, 36 + 2 * WIDE + INDEX},
        {"count", CLSORT_U8, 0, 1 << 20, 2},
        {"count", CLSORT_I16, 0, 1 << 20, 4},
        {"merge:cores", CLSORT_U32, 0, 1 << 15, 8},
        {"merge:cores", CLSORT_U32, 0, 1 << 22, 8 * 8},
        {"bitonic:B2", CLSORT_U32, 0, 1, 8},
        {"bitonic:B2", CLSORT_U32, 0, 1 << 20, 210 * 8},
        {"bitonic:B2+B4", CLSORT_U32, 4, 1 << 20, 110 * 16},
        {"bitonic:B", CLSORT_U32, 0, (1 << 20) - 1, 60 * 8},
        {"quick", CLSORT_U32, 4, 1 << 15, 16},
        {"quick", CLSORT_U32, 0, 1 << 20, 8 + 4 * 6},
        {"quick", CLSORT_U64, 8, 1 << 20, 32 + 6 * 24},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        clsort_desc desc = CLSORT_DESC_INIT;
        desc.key = rows[i].key;
        desc.value_size = rows[i].value_size;
        desc.max_count = rows[i].count;
        desc.algorithm = rows[i].algorithm;
        clsort_plan *plan = plan_for(fixture, &desc);
        uint64_t bytes = 0;
        if (!plan)
            continue;
        assert_ok(clsort_cost_bytes(plan, rows[i].count, &bytes));
        assert_int_equal(bytes, rows[i].count * rows[i].bytes_per_element);
        clsort_plan_destroy(plan);
    }
}

/* `cpu` has two variants. Not every device supports both. */
static void cost_of_cpu(void **state)
{
    const struct fixture *fixture = *state;
    clsort_desc desc = CLSORT_DESC_INIT;
    uint64_t bytes = 0;
    char text[256];
    desc.algorithm = "cpu";
    clsort_plan *plan = plan_for(fixture, &desc);
    if (!plan)
        return;
    assert_ok(clsort_plan_describe(plan, 1 << 20, sizeof text, text, NULL));
    assert_ok(clsort_cost_bytes(plan, 1 << 20, &bytes));
    assert_int_equal(bytes, (strstr(text, "quicksort") ? 16 : 20) << 20);
    clsort_plan_destroy(plan);
}

/* Keys that are sorted by 0 bits are read and copied; two inputs are merged in one pass. */
static void cost_of_copies_and_merges(void **state)
{
    const struct fixture *fixture = *state;
    clsort_desc copy = CLSORT_DESC_INIT, merge = CLSORT_DESC_INIT;
    uint64_t bytes = 0;
    copy.begin_bit = copy.end_bit = 7;
    copy.algorithm = "radix";
    merge.operation = CLSORT_MERGE_SORTED;
    clsort_plan *plan = plan_for(fixture, &copy);
    assert_ok(clsort_cost_bytes(plan, 1 << 16, &bytes));
    assert_int_equal(bytes, 12 << 16);
    clsort_plan_destroy(plan);
    plan = plan_for(fixture, &merge);
    assert_ok(clsort_cost_bytes(plan, 1 << 20, &bytes));
    assert_int_equal(bytes, 8 << 20);
    clsort_plan_destroy(plan);
}

/* The cost of an algorithm never decreases with the count. */
static void cost_is_monotonic(void **state)
{
    const struct fixture *fixture = *state;
    enum { MAX_COUNT = 1 << 26 };
    static const size_t counts[] = {
        0, 1, 2, 3, 100, 4096, 4097, 65536, 65537, 1 << 20, (1 << 20) + 1, 1 << 24, MAX_COUNT};
    static const size_t value_sizes[] = {0, 4, 100};
    for (size_t i = 0; clsort_algorithm_name(i); i++)
        for (size_t v = 0; v < sizeof value_sizes / sizeof *value_sizes; v++) {
            clsort_desc desc = CLSORT_DESC_INIT;
            desc.algorithm = clsort_algorithm_name(i);
            desc.value_size = value_sizes[v];
            desc.max_count = MAX_COUNT;
            clsort_plan *plan = plan_for(fixture, &desc);
            uint64_t bytes = 0, before = 0;
            for (size_t c = 0; plan && c < sizeof counts / sizeof *counts; c++) {
                assert_ok(clsort_cost_bytes(plan, counts[c], &bytes));
                assert_true(bytes >= counts[c] * 2 * (4 + value_sizes[v]));
                assert_true(bytes >= before);
                before = bytes;
            }
            clsort_plan_destroy(plan);
        }
}

static void cost_that_overflows(void **state)
{
    const struct fixture *fixture = *state;
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.key = CLSORT_U8;
    desc.max_count = SIZE_MAX / 256;
    desc.algorithm = "bitonic:B2";
    clsort_plan *plan = plan_for(fixture, &desc);
    uint64_t bytes = 0;
    assert_ok(clsort_cost_bytes(plan, desc.max_count, &bytes));
    assert_true(sizeof(size_t) < 8 || bytes == UINT64_MAX);
    clsort_plan_destroy(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statuses),
        cmocka_unit_test(version),
        cmocka_unit_test(descriptions),
        cmocka_unit_test(host_descriptions),
        cmocka_unit_test(host_describe_refuses),
        cmocka_unit_test(algorithms),
        cmocka_unit_test(scratch_sizes),
        cmocka_unit_test(cost_models),
        cmocka_unit_test(cost_of_cpu),
        cmocka_unit_test(cost_of_copies_and_merges),
        cmocka_unit_test(cost_is_monotonic),
        cmocka_unit_test(cost_that_overflows),
    };
    return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
