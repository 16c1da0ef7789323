/* bench_verify_rows.c - clsort-bench accepts only right results of sorts by columns, of strings and of records
 *
 * The tests damage right results at many offsets. */
#include "bench_judge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MANY = 100000, TRIES = 16, STRING_BYTES = 19 };

static const enum operation OPERATIONS[] = {OP_COLUMNS, OP_STRINGS, OP_RECORDS, OP_PARTICLES};
enum { OPERATION_COUNT = sizeof OPERATIONS / sizeof *OPERATIONS };

/* The layout of the rows that sort_rows compares. */
static const struct row_layout *compared;

/* Compares rows, and then their addresses if they are pointers to rows of one array. */
static int compare_pointers(const void *a, const void *b)
{
    const unsigned char *x = *(unsigned char *const *)a, *y = *(unsigned char *const *)b;
    const int order = rows_compare(compared, x, y);
    return order != 0 ? order : (x > y) - (x < y);
}

/* Makes a job and its right result. */
static struct job make_sorted(enum operation op, struct row_layout *layout, enum data_dist dist)
{
    struct job job;
    rows_lay_out(op, STRING_BYTES, layout);
    const struct spec spec = {.op = op,
                              .type = &layout->type,
                              .rows = layout,
                              .value_size = op == OP_COLUMNS ? sizeof(uint32_t) : 0};
    assert_true(job_create(&spec, dist, (struct job_size){.first = MANY}, NULL, &job));
    const void **rows = malloc(MANY * sizeof *rows);
    assert_non_null(rows);
    for (size_t i = 0; i < MANY; i++)
        rows[i] = job_key_at(&job, job.keys, i);
    compared = layout;
    qsort(rows, MANY, sizeof *rows, compare_pointers);
    for (size_t i = 0; i < MANY; i++) {
        const size_t at =
            (size_t)((const char *)rows[i] - (const char *)job.keys) / layout->type.size;
        if (op == OP_COLUMNS)
            ((uint32_t *)job.values_out)[i] = (uint32_t)at;
        else
            memcpy((char *)job.keys_out + i * layout->type.size, rows[i], layout->type.size);
    }
    free(rows);
    return job;
}

/* Exchanges two neighbours in the result. */
static void swap(const struct job *job, size_t at)
{
    const size_t size = job->spec.value_size ? job->spec.value_size : job->spec.type->size;
    char *const a = (char *)(job->spec.value_size ? job->values_out : job->keys_out) + at * size;
    char held[ROWS_RECORD_BYTES];
    memcpy(held, a, size);
    memcpy(a, a + size, size);
    memcpy(a + size, held, size);
}

/* An element in the middle of the result, but neither the first nor the last. */
static size_t fault_index(size_t attempt)
{
    return 1 + attempt * (MANY - 4) / (TRIES - 1);
}

static void test_order(void **state)
{
    (void)state;
    for (int i = 0; i < OPERATION_COUNT; i++) {
        struct row_layout layout;
        struct job job = make_sorted(OPERATIONS[i], &layout, DATA_SHARED_PREFIX);
        assert_right(&job, &STABLE);
        for (size_t t = 0; t < TRIES; t++) {
            size_t at = fault_index(t);
            if (OPERATIONS[i] != OP_COLUMNS) /* keys_out has the rows */
                while (rows_compare(&layout, job_key_at(&job, job.keys_out, at),
                                    job_key_at(&job, job.keys_out, at + 1)) == 0)
                    at--;
            swap(&job, at);
            assert_wrong(&job, &UNSTABLE, "out of order");
            swap(&job, at);
        }
        assert_right(&job, &STABLE);
        job_destroy(&job);
    }
}

static void test_stability(void **state)
{
    (void)state;
    for (int i = 0; i < OPERATION_COUNT; i++) {
        struct row_layout layout;
        struct job job = make_sorted(OPERATIONS[i], &layout, DATA_EQUAL);
        assert_right(&job, &STABLE);
        for (size_t t = 0; t < TRIES; t++) {
            swap(&job, fault_index(t));
            if (OPERATIONS[i] == OP_STRINGS) /* equal strings are the same */
                assert_right(&job, &STABLE);
            else
                assert_wrong(&job, &STABLE, "not in the order of the input");
            assert_right(&job, &UNSTABLE);
            swap(&job, fault_index(t));
        }
        job_destroy(&job);
    }
}

/* Changes each byte of a row. */
static void test_bytes(void **state)
{
    (void)state;
    for (int i = 1; i < OPERATION_COUNT; i++) { /* OP_COLUMNS has no rows in the result */
        struct row_layout layout;
        struct job job = make_sorted(OPERATIONS[i], &layout, DATA_EQUAL);
        for (size_t byte = 0; byte < layout.type.size; byte++) {
            unsigned char *const last = (unsigned char *)job.keys_out + MANY * layout.type.size - 1;
            last[-(ptrdiff_t)byte] ^= 1;
            assert_non_null(judge(&job, &UNSTABLE));
            last[-(ptrdiff_t)byte] ^= 1;
        }
        assert_right(&job, &STABLE);
        job_destroy(&job);
    }
}

/* The first half of the key of each row is equal. */
static void test_shared_prefixes(void **state)
{
    (void)state;
    enum { BYTES = 40 };
    static unsigned char strings[MANY][BYTES];
    struct row_layout layout;
    size_t differ = 0;
    rows_lay_out(OP_STRINGS, BYTES, &layout);
    rows_fill(&layout, DATA_SHARED_PREFIX, 1, MANY, 0, strings, MANY);
    for (size_t i = 1; i < MANY; i++) {
        assert_memory_equal(strings[i], strings[0], BYTES / 2);
        differ += strings[i][BYTES / 2] != strings[0][BYTES / 2];
    }
    assert_in_range(differ, MANY * 9 / 10, MANY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_stability),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_shared_prefixes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
