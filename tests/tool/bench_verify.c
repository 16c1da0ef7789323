/* bench_verify.c - clsort-bench accepts only the sorted input as a correct result
 *
 * Several threads check large results, so that the tests damage results at many offsets. */
#include "bench_judge.h"
#include "parallel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MANY = 300000, TRIES = 50 };

/* A job whose input is in order, so that a copy of the input is the correct result. */
static struct job make_job(clsort_key key, size_t value_size, enum data_dist dist, size_t count)
{
    const struct spec spec = {
        .op = value_size ? OP_PAIRS : OP_KEYS, .type = data_type_of(key), .value_size = value_size};
    struct job job;
    assert_true(job_create(&spec, dist, (struct job_size){.first = count}, NULL, &job));
    memcpy(job.keys_out, job.keys, count * spec.type->size);
    if (value_size)
        memcpy(job.values_out, job.values, count * value_size);
    return job;
}

/* The indexes at which the tests damage the result. None is the first element. */
static size_t fault_index(size_t attempt)
{
    return 1 + attempt * (MANY - 2) / (TRIES - 1);
}

static void swap(void *array, size_t size, size_t a, size_t b)
{
    unsigned char *bytes = array, byte;
    for (size_t i = 0; i < size; i++) {
        byte = bytes[a * size + i];
        bytes[a * size + i] = bytes[b * size + i];
        bytes[b * size + i] = byte;
    }
}

static void test_right(void **state)
{
    (void)state;
    static const size_t COUNTS[] = {1, 2, 65536, 65537, MANY};
    for (size_t i = 0; i < sizeof COUNTS / sizeof *COUNTS; i++)
        for (size_t t = 0; data_type_at(t); t++) {
            struct job job = make_job(data_type_at(t)->key, 4 * (t % 3), DATA_SORTED, COUNTS[i]);
            assert_right(&job, &STABLE);
            job_destroy(&job);
        }
}

static void test_disorder(void **state)
{
    (void)state;
    struct job job = make_job(CLSORT_U64, 0, DATA_SORTED, MANY);
    for (size_t i = 0; i < TRIES; i++) {
        swap(job.keys_out, sizeof(uint64_t), fault_index(i) - 1, fault_index(i));
        assert_wrong(&job, &UNSTABLE, "out of order");
        swap(job.keys_out, sizeof(uint64_t), fault_index(i) - 1, fault_index(i));
    }
    assert_right(&job, &UNSTABLE);
    job_destroy(&job);
}

static void test_lost_elements(void **state)
{
    (void)state;
    struct job job = make_job(CLSORT_U64, 0, DATA_SORTED, MANY);
    uint64_t *keys = job.keys_out;
    for (size_t i = 0; i < TRIES; i++) {
        const uint64_t key = keys[fault_index(i)];
        keys[fault_index(i)] = keys[fault_index(i) - 1];
        assert_wrong(&job, &UNSTABLE, "not those of the input");
        keys[fault_index(i)] = key;
    }
    job_destroy(&job);
}

static void test_values_of_other_keys(void **state)
{
    (void)state;
    struct job job = make_job(CLSORT_U64, 8, DATA_SORTED, MANY);
    for (size_t i = 0; i < TRIES; i++) {
        swap(job.values_out, 8, fault_index(i) - 1, fault_index(i));
        assert_wrong(&job, &UNSTABLE, "not those of the input");
        swap(job.values_out, 8, fault_index(i) - 1, fault_index(i));
    }
    job_destroy(&job);
}

static void test_stability(void **state)
{
    (void)state;
    struct job job = make_job(CLSORT_U32, 4, DATA_EQUAL, MANY);
    assert_right(&job, &STABLE);
    for (size_t i = 0; i < TRIES; i++) {
        swap(job.values_out, 4, fault_index(i) - 1, fault_index(i));
        assert_wrong(&job, &STABLE, "not in the order of the input");
        assert_right(&job, &UNSTABLE);
        swap(job.values_out, 4, fault_index(i) - 1, fault_index(i));
    }
    job_destroy(&job);
}

/* +0 before -0 is accepted for peers that treat them as equal. Other disorder is not. */
static void test_zeros(void **state)
{
    (void)state;
    static const struct verify_rules EQUAL = {.zeros_equal = true};
    struct job job = make_job(CLSORT_F32, 0, DATA_SORTED, MANY);
    float *input = job.keys, *result = job.keys_out;
    for (size_t i = 0; i < MANY; i++)
        input[i] = i < MANY / 3 ? -1.0F : i > MANY / 3 * 2 ? 1.0F : i % 2 ? -0.0F : 0.0F;
    memcpy(result, input, MANY * sizeof *input);
    assert_right(&job, &EQUAL);
    assert_wrong(&job, &UNSTABLE, "out of order");

    /* The number of zeros is right, but not their signs. */
    result[MANY / 2] = -result[MANY / 2];
    assert_wrong(&job, &EQUAL, "not those of the input");
    result[MANY / 2] = -result[MANY / 2];

    swap(result, sizeof *result, MANY / 3 - 1, MANY / 3);
    assert_wrong(&job, &EQUAL, "out of order");
    job_destroy(&job);
}

static void count_visits(void *context, size_t first, size_t count)
{
    unsigned char *visits = context;
    for (size_t i = first; i < first + count; i++)
        visits[i]++;
}

static void test_parts(void **state)
{
    (void)state;
    static const size_t COUNTS[] = {0, 1, 65535, 131072, 131073, MANY};
    unsigned char *visits = malloc(MANY);
    assert_non_null(visits);
    for (size_t c = 0; c < sizeof COUNTS / sizeof *COUNTS; c++) {
        memset(visits, 0, MANY);
        parallel_parts(COUNTS[c], count_visits, visits);
        for (size_t i = 0; i < MANY; i++)
            assert_int_equal(visits[i], i < COUNTS[c]);
    }
    free(visits);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right),         cmocka_unit_test(test_disorder),
        cmocka_unit_test(test_lost_elements), cmocka_unit_test(test_values_of_other_keys),
        cmocka_unit_test(test_stability),     cmocka_unit_test(test_zeros),
        cmocka_unit_test(test_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
