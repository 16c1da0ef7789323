/* suite.c - runs sorts as CMocka tests, and counts what was right, wrong and unsupported */
#include "suite.h"

#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROTATED_SORTS = 5 };

struct suite_test {
    char name[128];
    struct suite *suite;
    suite_body *body;
    struct sort_case base;
};

/* What a replay of a failing case must have set too. */
static void print_limits(void)
{
    static const char *const names[] = {
        "CLSORT_DEVICE",         "CLSORT_DEVICE_TYPE",    "CLSORT_MAX_WORK_GROUP",
        "CLSORT_MAX_LOCAL_MEM",  "CLSORT_MAX_ALLOC",      "CLSORT_MAX_INDEX32",
        "CLSORT_MAX_ITERATIONS", "CLSORT_SUB_GROUP_SIZE", "CLSORT_MAX_LAUNCH_TILES"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (getenv(names[i]))
            printf("with %s=%s\n", names[i], getenv(names[i]));
}

bool suite_open(struct suite *suite, uint64_t seed)
{
    memset(suite, 0, sizeof *suite);
    rotation_start(&suite->rotation, seed);
    print_limits();
    clsort_status status = env_open(&suite->env);
    if (status)
        fprintf(stderr, "no device to test: %s\n", clsort_status_string(status));
    return status == CLSORT_OK;
}

static bool is_like_gpu(const struct suite *suite)
{
    cl_device_type type = 0;
    clGetDeviceInfo(suite->env.device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    return !(type & CL_DEVICE_TYPE_CPU) || getenv("CLSORT_DEVICE_TYPE");
}

static bool is_for_gpus(const char *algorithm)
{
    return strcmp(algorithm, "onesweep") == 0 || strcmp(algorithm, "hybrid") == 0;
}

const char *suite_algorithm(const struct suite *suite, size_t index)
{
    if (index == 0)
        return "auto";
    const bool like_gpu = is_like_gpu(suite);
    const char *name;
    size_t named = 0;
    for (size_t i = 0; (name = clsort_algorithm_name(i)); i++)
        if (strcmp(name, "auto") != 0 && (like_gpu || !is_for_gpus(name)) && ++named == index)
            return name;
    return NULL;
}

bool suite_flags(const struct data_type *type, size_t index, uint32_t *flags)
{
    *flags = (uint32_t)index;
    return index < (data_type_is_float(type) ? 4u : 2u);
}

void suite_add(struct suite *suite, const char *what, suite_body *body,
               const struct sort_case *base)
{
    struct suite_test *tests =
        realloc(suite->tests, (suite->test_count + 1) * sizeof *suite->tests);
    if (!tests)
        abort();
    suite->tests = tests;
    struct suite_test *test = &tests[suite->test_count++];
    *test = (struct suite_test){.suite = suite, .body = body, .base = *base};
    snprintf(test->name, sizeof test->name, "%s %s %s%s%s values=%zu", what, base->algorithm,
             base->type->name, base->flags & CLSORT_DESCENDING ? " desc" : "",
             base->flags & CLSORT_FLOAT_NUMERIC ? " numeric" : "", base->value_size);
}

static bool must_support(const char *algorithm)
{
    return strcmp(algorithm, "auto") == 0 || strcmp(algorithm, "radix") == 0;
}

enum sort_result suite_sort(struct suite *suite, const struct sort_case *sort)
{
    enum sort_result result = sort_case_run(sort, &suite->env);
    if (result == SORT_UNSUPPORTED && must_support(sort->algorithm)) {
        char text[SORT_CASE_TEXT];
        sort_case_print(sort, text);
        fprintf(stderr, "WRONG: unsupported\n  case: %s\n", text);
        result = SORT_WRONG;
    }
    suite->right += result == SORT_RIGHT;
    suite->unsupported += result == SORT_UNSUPPORTED;
    suite->wrong += result == SORT_WRONG;
    return result;
}

void suite_rotate(struct suite *suite, const struct sort_case *base)
{
    size_t done = 0;
    /* Some algorithms take small sorts only: draw until enough fit. */
    for (size_t tries = 0; done < ROTATED_SORTS && tries < 4 * ROTATED_SORTS; tries++) {
        struct sort_case sort = *base;
        rotation_next(&suite->rotation, &sort);
        done += suite_sort(suite, &sort) != SORT_UNSUPPORTED;
    }
}

static void run_one(void **state)
{
    struct suite_test *test = *state;
    size_t right = test->suite->right;
    size_t wrong = test->suite->wrong;
    test->body(test->suite, &test->base);
    if (test->suite->wrong > wrong)
        fail_msg("%zu sorts are wrong", test->suite->wrong - wrong);
    if (test->suite->right == right)
        skip();
}

int suite_finish(struct suite *suite)
{
    struct CMUnitTest *tests = calloc(suite->test_count + 1, sizeof *tests);
    if (!tests)
        abort();
    for (size_t i = 0; i < suite->test_count; i++)
        tests[i] = (struct CMUnitTest){suite->tests[i].name, run_one, NULL, NULL, &suite->tests[i]};
    int failures = _cmocka_run_group_tests("sort", tests, suite->test_count, NULL, NULL);
    printf("%zu sorts right, %zu wrong, %zu unsupported by the algorithm named\n", suite->right,
           suite->wrong, suite->unsupported);
    env_close(&suite->env);
    free(suite->tests);
    free(tests);
    return failures || suite->wrong || !suite->right;
}
