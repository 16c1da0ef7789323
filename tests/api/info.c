/* info.c - what the library says: statuses, version, build log, descriptions, names, scratch sizes */
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

/* The description is one line that begins with the word, and has the text in it. */
static void host_says(struct host_sort *sort, const char *word, const char *part)
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
        host_says(&sort, "host", "u32");
    }
    sort.desc.algorithm = "radix";
    host_says(&sort, "radix", "u32");

    sort.count = 10000;
    host_says(&sort, "radix", "32-bit indexes");
    sort.engine = fixture_limited_engine(fixture, "CLSORT_MAX_ALLOC", "10000");
    host_says(&sort, "radix", " 4 pieces");
    clsort_engine_destroy(sort.engine);
    sort.engine = fixture_limited_engine(fixture, "CLSORT_MAX_INDEX32", "9999");
    host_says(&sort, "radix", "64-bit indexes");
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
    char text[8];
    const struct {
        clsort_engine *engine;
        const clsort_desc *desc;
        size_t count;
        char *text;
        clsort_status expected;
    } cases[] = {
        {NULL, &any, 1, text, CLSORT_E_ARGUMENT},
        {engine, NULL, 1, text, CLSORT_E_ARGUMENT},
        {engine, &any, 1, NULL, CLSORT_E_ARGUMENT},
        {engine, &keyless, 1, text, CLSORT_E_KEY},
        {engine, &ten, 11, text, CLSORT_E_COUNT},
        {engine, &ten, SIZE_MAX, text, CLSORT_E_COUNT},
        {engine, &any, SIZE_MAX / 4 + 2, text, CLSORT_E_COUNT}, /* times 4 is 4 */
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

/* A plan for the algorithm says its name, with parameters too. */
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
        cmocka_unit_test(statuses),          cmocka_unit_test(version),
        cmocka_unit_test(build_log),         cmocka_unit_test(descriptions),
        cmocka_unit_test(host_descriptions), cmocka_unit_test(host_describe_refuses),
        cmocka_unit_test(algorithms),        cmocka_unit_test(scratch_sizes),
    };
    return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
