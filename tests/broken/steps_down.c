/* steps_down.c - a library with broken kernels detects them, steps down, and sorts correctly:
 * steps_down [--avx512] [--wide] LINE...
 *
 * The arguments are the lines of the self-test that must fail in this build; all others must pass. With --avx512, the
 * test is skipped (status 77) if the device has no AVX-512. With --wide, wide values are sorted although "gather"
 * fails. */
#include "api/engine.h"
#include "check.h"
#include "env.h"
#include "plan/choose.h"
#include "sort_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const *fails; /* the arguments; ends with NULL */

static bool sorts_wide_values;

static bool is_broken(const char *name)
{
    for (const char *const *fail = fails; *fail; fail++)
        if (strcmp(*fail, name) == 0)
            return true;
    return false;
}

/* Returns whether no algorithm is left for keys of 4 bytes with such values. */
static bool all_are_broken(size_t value_size)
{
    bool all = true;
    if (value_size > 16 && is_broken("gather") && !sorts_wide_values)
        return true;
    for (size_t i = 0; clsort_algorithm_name(i); i++)
        all &= is_broken(clsort_algorithm_name(i));
    return all;
}

static void self_test_names_what_fails(void **state)
{
    const struct env *env = *state;
    char text[2048];
    size_t lines = 0, failed = 0, size = 0;
    for (const char *const *fail = fails; *fail; fail++)
        failed++;
    assert_status(clsort_self_test(env->engine, sizeof text, text, &size), CLSORT_E_SELF_TEST);
    assert_int_equal(size, strlen(text) + 1);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), lines++) {
        char *finding = strstr(line, ": ");
        assert_non_null(finding);
        const bool line_failed = strncmp(finding, ": failed, ", 10) == 0;
        *finding = '\0';
        assert_int_equal(line_failed, is_broken(line));
        failed -= line_failed;
    }
    assert_int_equal(failed, 0);
    assert_true(lines > 3);
}

/* Returns whether the plan uses another variant or algorithm than its first choice. */
static bool has_stepped_down(const clsort_plan *plan)
{
    char text[1024];
    assert_ok(clsort_plan_describe(plan, 1, sizeof text, text, NULL));
    return strstr(text, "excluded, since it fails on this device: ") != NULL;
}

/* A plan for a broken algorithm uses another variant of it, or is refused. The second attempt finds the verdict in
 * memory. */
static void broken_algorithms_are_refused(void **state)
{
    const struct env *env = *state;
    for (size_t i = 0; clsort_algorithm_name(i); i++)
        for (int twice = 0; twice < 2; twice++) {
            clsort_desc desc = CLSORT_DESC_INIT;
            clsort_plan *plan = NULL;
            char text[4096], expected[64];
            desc.algorithm = clsort_algorithm_name(i);
            if (strcmp(desc.algorithm, "count") == 0)
                desc.key = CLSORT_U16;
            else if (strcmp(desc.algorithm, "hybrid") == 0)
                desc.key = CLSORT_U64; /* which splitters may divide */
            const clsort_status status = clsort_plan_create(env->engine, &desc, &plan);
            if (status == CLSORT_OK) {
                assert_int_equal(has_stepped_down(plan), is_broken(desc.algorithm));
                clsort_plan_destroy(plan);
                continue;
            }
            assert_true(is_broken(desc.algorithm));
            assert_true(status == CLSORT_E_SELF_TEST || status == CL_BUILD_PROGRAM_FAILURE);
            assert_null(plan);
            assert_ok(clsort_last_error(env->engine, sizeof text, text, NULL));
            snprintf(expected, sizeof expected, "%s fails its self-test", desc.algorithm);
            assert_memory_equal(text,
                                status == CLSORT_E_SELF_TEST ? expected : "the program does not",
                                status == CLSORT_E_SELF_TEST ? strlen(expected) : 20);
            assert_non_null(
                strstr(text, status == CLSORT_E_SELF_TEST ? "is wrong" : "no_such_type"));
        }
}

static void plans_step_down(void **state)
{
    struct env *env = *state;
    static const clsort_key keys[] = {CLSORT_U32, CLSORT_I64, CLSORT_F32};
    static const size_t value_sizes[] = {0, 4, 100};
    static const size_t counts[] = {2, 1000, 70000};
    for (size_t k = 0; k < 3; k++)
        for (size_t v = 0; v < 3; v++)
            for (size_t n = 0; n < 3; n++) {
                if (all_are_broken(value_sizes[v]))
                    continue;
                struct sort_case sort = sort_case_default(counts[n]);
                strcpy(sort.algorithm, "auto");
                sort.type = data_type_of(keys[k]);
                sort.value_size = value_sizes[v];
                sort.place = (k + v + n) % 2 ? SORT_IN_PLACE : SORT_OUT_OF_PLACE;
                assert_int_equal(sort_case_run(&sort, env), SORT_RIGHT);
            }
}

/* Every algorithm has failed: the error names the one that is chosen first among those that compile. It is the last
 * error of the engine. */
static void error_names_first_choice(const struct env *env, const clsort_desc *desc)
{
    struct cls_request request;
    struct cls_choice choice;
    clsort_desc named = *desc;
    clsort_plan *plan = NULL;
    unsigned excluded = 0;
    char text[4096], expected[64];
    assert_ok(clsort_last_error(env->engine, sizeof text, text, NULL));
    assert_int_equal(cls_request_read(desc, &request), CLSORT_OK);
    do {
        assert_true(cls_choose(&env->engine->device->caps, &env->engine->ladders, &request, 1,
                               excluded, &choice));
        excluded |= cls_algo_bit(choice.algo);
        named.algorithm = choice.algo->name;
    } while (clsort_plan_create(env->engine, &named, &plan) == CL_BUILD_PROGRAM_FAILURE);
    snprintf(expected, sizeof expected, "%s fails its self-test", choice.algo->name);
    assert_memory_equal(text, expected, strlen(expected));
}

static void descriptions_name_what_failed(void **state)
{
    enum { MANY = 1000000 }; /* a count for which `cpu` is the first choice */
    const struct env *env = *state;
    clsort_desc desc = CLSORT_DESC_INIT;
    clsort_plan *plan = NULL;
    char text[1024];
    const clsort_status status = clsort_plan_create(env->engine, &desc, &plan);
    if (all_are_broken(0)) {
        assert_status(status, CLSORT_E_SELF_TEST);
        error_names_first_choice(env, &desc);
        return;
    }
    assert_ok(status);
    assert_ok(clsort_plan_describe(plan, MANY, sizeof text, text, NULL));
    assert_int_equal(strstr(text, "excluded, since it fails on this device: cpu: ") != NULL,
                     is_broken("cpu"));
    assert_non_null(strstr(text, "self-test passed"));
    clsort_plan_destroy(plan);
}

/* Sorts keys with values that begin with their keys. If no algorithm is left, the host sorts them. */
static void sort_host_arrays(const struct env *env, size_t value_size)
{
    enum { COUNT = (1 << 18) + 1 }; /* fewer may be sorted in the calling thread */
    clsort_desc desc = CLSORT_DESC_INIT;
    char text[1024];
    uint32_t *keys = malloc(COUNT * sizeof *keys);
    unsigned char *values = calloc(COUNT, value_size + 1);
    assert_true(keys && values);
    desc.value_size = value_size;
    for (uint32_t i = 0; i < COUNT; i++) {
        keys[i] = i * 2654435761u;
        if (value_size > 0)
            memcpy(values + i * value_size, &keys[i], sizeof *keys);
    }
    assert_ok(clsort_host(env->engine, NULL, &desc, COUNT, keys, value_size > 0 ? values : NULL));
    for (size_t i = 1; i < COUNT; i++)
        assert_true(keys[i - 1] < keys[i]);
    for (size_t i = 0; i < COUNT && value_size > 0; i++)
        assert_memory_equal(values + i * value_size, &keys[i], sizeof *keys);
    free(keys);
    free(values);
    assert_ok(clsort_host_describe(env->engine, &desc, COUNT, sizeof text, text, NULL));
    assert_int_equal(strncmp(text, "host ", 5) == 0, all_are_broken(value_size));
}

static void host_arrays_are_sorted(void **state)
{
    sort_host_arrays(*state, 0);
    sort_host_arrays(*state, 100);
}

/* The verdict on the program that permutes wide values concerns only such values. */
static void wide_values_are_refused(void **state)
{
    const struct env *env = *state;
    clsort_desc desc = CLSORT_DESC_INIT;
    clsort_plan *plan = NULL;
    desc.value_size = 100;
    const clsort_status status = clsort_plan_create(env->engine, &desc, &plan);
    assert_int_equal(status, all_are_broken(100) ? CLSORT_E_SELF_TEST : CLSORT_OK);
    if (plan)
        clsort_plan_destroy(plan);
}

static bool has_avx512(void)
{
    struct env env;
    if (env_open(&env) != CLSORT_OK)
        return true; /* the tests report the error */
    const bool compresses = env.engine->device->caps.compresses;
    env_close(&env);
    return compresses;
}

int main(int argc, char **argv)
{
    enum { SKIPPED = 77 };
    const char *const *names = (const char *const *)argv + 1; /* argv ends with NULL */
    const bool needs_avx512 = argc > 1 && strcmp(*names, "--avx512") == 0;
    names += needs_avx512;
    sorts_wide_values = *names && strcmp(*names, "--wide") == 0;
    names += sorts_wide_values;
    fails = names;
    if (!*fails)
        return EXIT_FAILURE;
    if (needs_avx512 && !has_avx512()) {
        puts("skipped: the device has no AVX-512");
        return SKIPPED;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(self_test_names_what_fails),
        cmocka_unit_test(broken_algorithms_are_refused),
        cmocka_unit_test(plans_step_down),
        cmocka_unit_test(descriptions_name_what_failed),
        cmocka_unit_test(wide_values_are_refused),
        cmocka_unit_test(host_arrays_are_sorted),
    };
    return cmocka_run_group_tests(tests, env_set_up, env_tear_down);
}
