/* suite.c - runs sort cases as CMocka tests, and counts those that are right, wrong and unsupported */
#include "suite.h"

#include "check.h"
#include "sort_data.h"

#include <inttypes.h>
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

bool suite_open(struct suite *suite, uint64_t seed)
{
    const char *given = getenv("CLSORT_TEST_SEED");
    if (given && *given)
        seed = strtoull(given, NULL, 10);
    memset(suite, 0, sizeof *suite);
    suite->seed = seed;
    rotation_start(&suite->rotation, seed);
    const clsort_status status = env_open(&suite->env);
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
    for (size_t i = 0; (name = clsort_algorithm_name(i)); i++) {
        if (strcmp(name, "auto") != 0 && (like_gpu || !is_for_gpus(name)) && ++named == index)
            return name;
    }
    return NULL;
}

void suite_set_algorithm(struct sort_case *sort, const char *algorithm)
{
    snprintf(sort->algorithm, sizeof sort->algorithm, "%s", algorithm);
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
             base->custom ? base->custom->name : base->type->name,
             base->flags & CLSORT_DESCENDING ? " desc" : "",
             base->flags & CLSORT_FLOAT_NUMERIC ? " numeric" : "", base->value_size);
}

/* -- cases in the body of a test --------------------------------------------------------------- */

static bool must_support(const struct sort_case *sort)
{
    if (strcmp(sort->algorithm, "auto") == 0)
        return true;
    if (sort->operation == CLSORT_SORT || sort->operation == CLSORT_ARGSORT)
        return strcmp(sort->algorithm, sort->custom ? "merge" : "radix") == 0;
    return false;
}

static enum sort_result count_result(struct suite *suite, const struct sort_case *sort,
                                     enum sort_result result)
{
    if (result == SORT_UNSUPPORTED && must_support(sort)) {
        sort_case_report(sort, "unsupported");
        result = SORT_WRONG;
    }
    suite->right += result == SORT_RIGHT;
    suite->unsupported += result == SORT_UNSUPPORTED;
    suite->wrong += result == SORT_WRONG;
    return result;
}

enum sort_result suite_sort(struct suite *suite, const struct sort_case *sort)
{
    return count_result(suite, sort, sort_case_run(sort, &suite->env));
}

void suite_sort_by_all(struct suite *suite, const struct sort_case *sort,
                       bool (*wanted)(const struct sort_case *sort))
{
    struct sort_case one = *sort;
    struct sort_data data;
    const char *algorithm;
    const bool created = sort_data_create(&data, sort);
    for (size_t a = 0; created && (algorithm = suite_algorithm(suite, a)) != NULL; a++) {
        suite_set_algorithm(&one, algorithm);
        if (!wanted || wanted(&one))
            count_result(suite, &one, sort_case_run_data(&one, &suite->env, &data));
    }
    sort_data_free(&data);
    if (!created) {
        sort_case_report(sort, "the test is out of memory");
        suite->wrong++;
    }
}

clsort_plan *suite_plan(struct suite *suite, const struct sort_case *largest)
{
    const clsort_desc desc = sort_case_desc(largest);
    clsort_plan *plan = NULL;
    const clsort_status status = clsort_plan_create(suite->env.engine, &desc, &plan);
    if (status == CLSORT_E_UNSUPPORTED) {
        count_result(suite, largest, SORT_UNSUPPORTED);
    } else if (status) {
        sort_case_report(largest, clsort_status_string(status));
        count_result(suite, largest, SORT_WRONG);
    }
    return plan;
}

void suite_sort_plan(struct suite *suite, struct sort_case *sort, clsort_plan *plan,
                     size_t max_count)
{
    sort->spare = max_count - sort_case_total(sort);
    count_result(suite, sort, sort_case_run_plan(sort, &suite->env, plan));
}

void suite_vary(struct suite *suite, struct sort_case *sort)
{
    const size_t number = suite->varied++;
    const bool two_inputs = sort_operation_has_two_inputs(sort->operation);
    sort->seed = number;
    sort_case_set_place(sort, two_inputs || number % 2 == 0 ? SORT_OUT_OF_PLACE
                              : number % 4 == 1             ? SORT_IN_PLACE
                                                            : SORT_NAMED_IN_PLACE);
    sort->out_of_order = number / 2 % 2;
    sort->joined = number % 3 == 0 && two_inputs;
    sort->own_scratch = number % 5 < 2;
    sort->offset = number % 7;
}

void suite_rotate(struct suite *suite, const struct sort_case *base)
{
    size_t done = 0;
    /* Some algorithms support small inputs only, so draw more cases than needed. */
    for (size_t tries = 0; done < ROTATED_SORTS && tries < 4 * ROTATED_SORTS; tries++) {
        struct sort_case sort = *base;
        rotation_next(&suite->rotation, &sort);
        done += suite_sort(suite, &sort) != SORT_UNSUPPORTED;
    }
}

/* -- the tests --------------------------------------------------------------------------------- */

static void run_one(void **state)
{
    struct suite_test *test = *state;
    const size_t right = test->suite->right, wrong = test->suite->wrong;
    test->body(test->suite, &test->base);
    if (test->suite->wrong > wrong)
        fail_msg("%zu sorts are wrong; the seed of the rotation is CLSORT_TEST_SEED=%" PRIu64,
                 test->suite->wrong - wrong, test->suite->seed);
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
    const int failures = _cmocka_run_group_tests("sort", tests, suite->test_count, NULL, NULL);
    printf("%zu sorts right, %zu wrong, %zu unsupported by the algorithm; seed %" PRIu64 "\n",
           suite->right, suite->wrong, suite->unsupported, suite->seed);
    env_close(&suite->env);
    free(suite->tests);
    free(tests);
    return failures || suite->wrong || !suite->right;
}
