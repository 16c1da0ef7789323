/* bench_verify_indexes.c - clsort-bench accepts only right results of argsorts, gathers and selections
 *
 * The tests damage right results. Several threads check large results, so that most tests damage
 * them at many offsets. */
#include "bench_judge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MANY = 200000, TRIES = 16, FIRST = MANY / 2 };

static const struct verify_rules KEYS_ONLY = {.stable = false, .keys_only = true};
static const struct verify_rules UNORDERED = {.stable = false, .unordered = true};

static struct job make_job(struct spec spec, enum data_dist dist, size_t count)
{
    struct job job;
    assert_true(job_create(&spec, dist, (struct job_size){.first = count}, NULL, &job));
    return job;
}

/* The elements of a result of this length at which the tests damage it. None is the first one. */
static size_t fault_index(size_t attempt, size_t length)
{
    return 1 + attempt * (length - 2) / (TRIES - 1);
}

static void swap(uint32_t *numbers, size_t a, size_t b)
{
    const uint32_t number = numbers[a];
    numbers[a] = numbers[b];
    numbers[b] = number;
}

/* -- argsorts ---------------------------------------------------------------------------------- */

/* The keys are in order, so that the indexes are the numbers of the elements. */
static struct job make_argsort(clsort_key key, size_t index_size, enum data_dist dist, size_t count)
{
    struct job job = make_job(
        (struct spec){.op = OP_ARGSORT, .type = data_type_of(key), .value_size = index_size}, dist,
        count);
    memcpy(job.values_out, job.values, count * index_size);
    return job;
}

static void test_right_argsorts(void **state)
{
    (void)state;
    static const size_t COUNTS[] = {1, 2, 65537, MANY};
    for (size_t i = 0; i < sizeof COUNTS / sizeof *COUNTS; i++)
        for (size_t t = 0; data_type_at(t); t++) {
            struct job job =
                make_argsort(data_type_at(t)->key, t % 2 ? 4 : 8, DATA_SORTED, COUNTS[i]);
            assert_right(&job, &STABLE);
            job_destroy(&job);
        }
}

static void test_wrong_argsorts(void **state)
{
    (void)state;
    struct job job = make_argsort(CLSORT_U64, 4, DATA_SORTED, MANY);
    uint32_t *indexes = job.values_out;
    for (size_t i = 0; i < TRIES; i++) {
        const size_t at = fault_index(i, MANY);
        swap(indexes, at - 1, at);
        assert_wrong(&job, &UNSTABLE, "out of order");
        swap(indexes, at - 1, at);
        indexes[at] = (uint32_t)at - 1;
        assert_wrong(&job, &UNSTABLE, "not those of the input");
        indexes[at] = MANY;
        assert_wrong(&job, &UNSTABLE, "out of bounds");
        indexes[at] = (uint32_t)at;
    }
    assert_right(&job, &STABLE);
    job_destroy(&job);
}

static void test_unstable_argsorts(void **state)
{
    (void)state;
    struct job job = make_argsort(CLSORT_U32, 4, DATA_EQUAL, MANY);
    for (size_t i = 0; i < TRIES; i++) {
        const size_t at = fault_index(i, MANY);
        swap(job.values_out, at - 1, at);
        assert_wrong(&job, &STABLE, "not in the order of the input");
        assert_right(&job, &UNSTABLE);
        swap(job.values_out, at - 1, at);
    }
    job_destroy(&job);
}

/* -- gathers ----------------------------------------------------------------------------------- */

static size_t gather_index(const struct job *job, size_t i)
{
    return job->spec.type->size == 4 ? ((const uint32_t *)job->keys)[i]
                                     : (size_t)((const uint64_t *)job->keys)[i];
}

static struct job make_gather(clsort_key index, size_t value_size, size_t count)
{
    struct job job = make_job(
        (struct spec){.op = OP_GATHER, .type = data_type_of(index), .value_size = value_size},
        DATA_UNIFORM, count);
    for (size_t i = 0; i < count; i++)
        memcpy((unsigned char *)job.values_out + i * value_size,
               job_value_at(&job, job.values, gather_index(&job, i)), value_size);
    return job;
}

/* The indexes are a permutation, and are not in order. */
static void check_permutation(const struct job *job)
{
    size_t ascents = 0;
    unsigned char *seen = calloc(job->count, 1);
    assert_non_null(seen);
    for (size_t i = 0; i < job->count; i++) {
        const size_t index = gather_index(job, i);
        assert_true(index < job->count);
        assert_false(seen[index]);
        seen[index] = 1;
        ascents += i > 0 && gather_index(job, i - 1) < index;
    }
    if (job->count == MANY)
        assert_in_range(ascents, MANY / 3, MANY / 3 * 2);
    free(seen);
}

static void test_gathers(void **state)
{
    (void)state;
    static const size_t COUNTS[] = {1, 2, MANY}, SIZES[] = {1, 4, 100};
    for (size_t c = 0; c < 3; c++)
        for (size_t s = 0; s < 3; s++) {
            struct job job = make_gather(s == 1 ? CLSORT_U64 : CLSORT_U32, SIZES[s], COUNTS[c]);
            unsigned char *bytes = job.values_out;
            check_permutation(&job);
            assert_right(&job, &STABLE);
            for (size_t i = 0; COUNTS[c] == MANY && i < TRIES; i++) {
                const size_t at = (fault_index(i, MANY) + 1) * SIZES[s] - 1;
                bytes[at] ^= 1;
                assert_wrong(&job, &STABLE, "not those of the indexes");
                bytes[at] ^= 1;
            }
            job_destroy(&job);
        }
}

/* -- selections -------------------------------------------------------------------------------- */

/* Sets element i of the result to an element of the input. */
static void set(struct job *job, size_t i, size_t index)
{
    memcpy((unsigned char *)job->keys_out + i * job->spec.type->size,
           job_key_at(job, job->keys, index), job->spec.type->size);
    ((uint32_t *)job->values_out)[i] = (uint32_t)index;
}

/* A right result of an input in order, or in descending order with reversed. */
static struct job make_selection(struct spec spec, enum data_dist dist, size_t count)
{
    spec.value_size = 4;
    struct job job = make_job(spec, dist, count);
    const bool is_nth = spec.op == OP_NTH;
    for (size_t i = 0; i < job.result_count; i++) {
        const size_t nth = is_nth ? job.k : i;
        const size_t first = spec.input_order ? count - job.k + i : count - 1 - nth;
        set(&job, i, dist == DATA_REVERSED ? first : nth);
    }
    return job;
}

static struct spec top(clsort_key key, size_t k)
{
    return (struct spec){.op = OP_TOP, .type = data_type_of(key), .has_k = true, .k = k};
}

static struct spec nth(clsort_key key, size_t k)
{
    return (struct spec){.op = OP_NTH, .type = data_type_of(key), .has_k = true, .k = k};
}

static void check_right(struct spec spec, enum data_dist dist, const struct verify_rules *rules)
{
    struct job job = make_selection(spec, dist, MANY);
    assert_right(&job, rules);
    assert_right(&job, &KEYS_ONLY);
    job_destroy(&job);
}

static void test_right_selections(void **state)
{
    (void)state;
    static const size_t KS[] = {1, FIRST, MANY};
    for (size_t t = 0; data_type_at(t); t++)
        for (size_t i = 0; i < sizeof KS / sizeof *KS; i++) {
            const clsort_key key = data_type_at(t)->key;
            struct spec in_input_order = top(key, KS[i]);
            in_input_order.input_order = true;
            check_right(top(key, KS[i]), DATA_SORTED, &STABLE);
            check_right(top(key, KS[i]), DATA_EQUAL, &STABLE);
            check_right(top(key, KS[i]), DATA_REVERSED, &UNSTABLE);
            check_right(in_input_order, DATA_REVERSED, &UNSTABLE);
            check_right(nth(key, KS[i] - 1), DATA_SORTED, &STABLE);
            check_right(nth(key, KS[i] - 1), DATA_EQUAL, &STABLE);
            check_right(nth(key, KS[i] - 1), DATA_REVERSED, &UNSTABLE);
        }
}

static void test_default_k(void **state)
{
    (void)state;
    static const struct spec SPECS[] = {{.op = OP_TOP}, {.op = OP_NTH}};
    static const size_t COUNTS[] = {1, 99, 1000}, KS[][3] = {{1, 99, 100}, {0, 49, 500}};
    for (size_t s = 0; s < 2; s++)
        for (size_t c = 0; c < 3; c++) {
            struct spec spec = SPECS[s];
            spec.type = data_type_of(CLSORT_U64);
            struct job job = make_selection(spec, DATA_SORTED, COUNTS[c]);
            assert_int_equal(job.k, KS[s][c]);
            assert_int_equal(job.result_count, s == 0 ? KS[s][c] : 1);
            assert_right(&job, &STABLE);
            job_destroy(&job);
        }
}

static void test_wrong_tops(void **state)
{
    (void)state;
    static const char NOT_FIRST[] = "not the first ones of the input";
    struct job job = make_selection(top(CLSORT_U64, FIRST), DATA_SORTED, MANY);
    uint32_t *indexes = job.values_out;
    for (size_t i = 0; i < TRIES; i++) {
        const size_t at = fault_index(i, FIRST);
        indexes[at] = MANY;
        assert_wrong(&job, &UNSTABLE, "out of bounds");
        indexes[at] = (uint32_t)at - 1;
        assert_wrong(&job, &UNSTABLE, "not that of its key");
        set(&job, at, at - 1);
        assert_wrong(&job, &UNSTABLE, "occurs twice");
        assert_wrong(&job, &KEYS_ONLY, NOT_FIRST);
        set(&job, at - 1, at);
        assert_wrong(&job, &UNSTABLE, "out of order");
        assert_wrong(&job, &KEYS_ONLY, "out of order");
        assert_right(&job, &UNORDERED);
        set(&job, at - 1, at - 1);
        set(&job, at, at);

        /* One element is left out, and the next one after the k-th is selected. */
        for (size_t j = at; j < FIRST; j++)
            set(&job, j, j + 1);
        assert_wrong(&job, &UNSTABLE, NOT_FIRST);
        assert_wrong(&job, &KEYS_ONLY, NOT_FIRST);
        assert_wrong(&job, &UNORDERED, NOT_FIRST);
        for (size_t j = at; j < FIRST; j++)
            set(&job, j, j);
    }
    assert_right(&job, &STABLE);
    job_destroy(&job);
}

static void test_equal_keys(void **state)
{
    (void)state;
    struct job job = make_selection(top(CLSORT_U32, FIRST), DATA_EQUAL, MANY);
    for (size_t i = 0; i < TRIES; i++) {
        const size_t at = fault_index(i, FIRST);
        swap(job.values_out, at - 1, at);
        assert_wrong(&job, &STABLE, "not in the order of the input");
        assert_right(&job, &UNSTABLE);
        swap(job.values_out, at - 1, at);
        for (size_t j = at; j < FIRST; j++)
            set(&job, j, j + 1);
        assert_wrong(&job, &STABLE, "others than the first ones");
        assert_right(&job, &UNSTABLE);
        for (size_t j = at; j < FIRST; j++)
            set(&job, j, j);
    }
    job_destroy(&job);
}

static void test_input_order(void **state)
{
    (void)state;
    struct spec spec = top(CLSORT_U64, FIRST);
    spec.input_order = true;
    struct job job = make_selection(spec, DATA_REVERSED, MANY);
    for (size_t i = 0; i < TRIES; i++) {
        const size_t at = fault_index(i, FIRST), index = MANY - FIRST + at;
        set(&job, at - 1, index);
        set(&job, at, index - 1);
        assert_wrong(&job, &STABLE, "not in the order of the input");
        assert_right(&job, &KEYS_ONLY);
        set(&job, at, index);
        set(&job, at - 1, index - 1);

        /* One element is left out, and the next one after the k-th is selected. */
        for (size_t j = 0; j <= at; j++)
            set(&job, j, MANY - FIRST + j - 1);
        assert_wrong(&job, &STABLE, "not the first ones of the input");
        for (size_t j = 0; j <= at; j++)
            set(&job, j, MANY - FIRST + j);
    }
    assert_right(&job, &STABLE);
    job_destroy(&job);
}

static void test_wrong_nths(void **state)
{
    (void)state;
    for (size_t i = 0; i < TRIES; i++) {
        const size_t k = fault_index(i, MANY);
        struct job job = make_selection(nth(CLSORT_U64, k), DATA_SORTED, MANY);
        assert_right(&job, &STABLE);
        for (size_t wrong = k - 1; wrong <= k + 1 && wrong < MANY; wrong += 2) {
            set(&job, 0, wrong);
            assert_wrong(&job, &UNSTABLE, "not the k-th");
            assert_wrong(&job, &KEYS_ONLY, "not the k-th");
            memcpy(job.keys_out, job_key_at(&job, job.keys, k), sizeof(uint64_t));
            assert_wrong(&job, &UNSTABLE, "not that of its key");
            assert_right(&job, &KEYS_ONLY);
        }
        job_destroy(&job);

        job = make_selection(nth(CLSORT_U32, k), DATA_EQUAL, MANY);
        assert_right(&job, &STABLE);
        set(&job, 0, k - 1);
        assert_wrong(&job, &STABLE, "others than the first ones");
        assert_right(&job, &UNSTABLE);
        job_destroy(&job);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right_argsorts),    cmocka_unit_test(test_wrong_argsorts),
        cmocka_unit_test(test_unstable_argsorts), cmocka_unit_test(test_gathers),
        cmocka_unit_test(test_right_selections),  cmocka_unit_test(test_default_k),
        cmocka_unit_test(test_wrong_tops),        cmocka_unit_test(test_equal_keys),
        cmocka_unit_test(test_input_order),       cmocka_unit_test(test_wrong_nths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
