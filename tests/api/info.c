/* info.c - what the library says: statuses, version, build log, descriptions, names, scratch sizes */
#include "fixture.h"

#include "data.h"

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

static void build_log(void **state)
{
    struct fixture *fixture = *state;
    size_t size = 99;
    char text[8] = "garbage";
    assert_ok(clsort_build_log(fixture->env.engine, 0, NULL, &size));
    assert_int_equal(size, 1);
    assert_ok(clsort_build_log(fixture->env.engine, sizeof text, text, NULL));
    assert_string_equal(text, "");
}

static void descriptions(void **state)
{
    struct fixture *fixture = *state;
    size_t size = 0;
    assert_ok(clsort_plan_describe(fixture->plan, FIXTURE_COUNT, 0, NULL, &size));
    assert_true(size > 1);
    char *text = malloc(size);
    assert_non_null(text);
    assert_ok(clsort_plan_describe(fixture->plan, FIXTURE_COUNT, size, text, NULL));
    assert_int_equal(strlen(text) + 1, size);
    assert_null(strchr(text, '\n'));
    assert_non_null(strstr(text, "u32"));

    char start[6];
    size_t whole = 0;
    assert_ok(clsort_plan_describe(fixture->plan, FIXTURE_COUNT, sizeof start, start, &whole));
    assert_int_equal(whole, size);
    assert_int_equal(start[5], '\0');
    assert_memory_equal(start, text, 5);
    free(text);
    assert_ok(clsort_plan_describe(fixture->plan, 0, 0, NULL, &size));
}

/* A plan for the algorithm says its name, with parameters too. */
static void algorithms(void **state)
{
    struct fixture *fixture = *state;
    static const char *const wanted[] = {"radix", "cpu", "local"};
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
        assert_true(bytes <= counts[i] * element + ((size_t)32 << 20));
    }
}

static void scratch_sizes(void **state)
{
    struct fixture *fixture = *state;
    static const char *const names[] = {"radix", "cpu", "auto"};
    static const struct {
        clsort_key key;
        size_t value_size;
    } shapes[] = {{CLSORT_U8, 0},   {CLSORT_U8, 4},     {CLSORT_U8, 100}, {CLSORT_I16, 2},
                  {CLSORT_U32, 0},  {CLSORT_U32, 4},    {CLSORT_U32, 7},  {CLSORT_I32, 12},
                  {CLSORT_I32, 16}, {CLSORT_U32, 1024}, {CLSORT_U64, 8},  {CLSORT_I64, 24}};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
            clsort_desc desc = CLSORT_DESC_INIT;
            desc.key = shapes[s].key;
            desc.value_size = shapes[s].value_size;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statuses),   cmocka_unit_test(version),
        cmocka_unit_test(build_log),  cmocka_unit_test(descriptions),
        cmocka_unit_test(algorithms), cmocka_unit_test(scratch_sizes),
    };
    return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
