/* bench_contest.c - contests of clsort-bench end as they should if a peer fails, is wrong, or refuses the input */
#include "contest.h"

#include "rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { COUNT = 1000, RUNS = 2, PREFIX_BYTES = 8 };
enum { CLSORT, PEER, CONTESTANTS };

static bool ready(const struct job *job, void *state)
{
    (void)state;
    memset(job->keys_out, 0, job->count * job->spec.type->size);
    return true;
}

static int compare(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static bool sort(const struct job *job, void *state)
{
    (void)state;
    memcpy(job->keys_out, job->keys, job->count * sizeof(uint32_t));
    qsort(job->keys_out, job->count, sizeof(uint32_t), compare);
    return true;
}

static bool do_nothing(const struct job *job, void *state)
{
    (void)job;
    (void)state;
    return true;
}

static bool fail_to_sort(const struct job *job, void *state)
{
    (void)job;
    (void)state;
    return false;
}

static bool must_not_open(const struct job *job, const char *algorithm, void **state)
{
    (void)job;
    (void)algorithm;
    (void)state;
    fail_msg("a peer that refused was opened");
    return false;
}

static const char *refuse(const struct job *job)
{
    return job->count == COUNT ? "this test" : NULL;
}

static const char *accept(const struct job *job)
{
    (void)job;
    return NULL;
}

/* Runs a contest of a right sort and the peer. Returns the outcome of the peer, and checks that its fault alone
 * makes the contest wrong. */
static struct contestant run(struct peer peer, bool is_right)
{
    static const struct peer clsort = {
        .name = "clsort", .prepare = ready, .sort = sort, .finish = do_nothing};
    const struct spec spec = {.op = OP_KEYS, .type = data_type_find("u32")};
    struct job job;
    assert_true(job_create(&spec, DATA_UNIFORM, (struct job_size){.first = COUNT}, NULL, &job));
    struct contestant *contestants = calloc(CONTESTANTS, sizeof *contestants);
    assert_non_null(contestants);
    peer.name = "peer";
    peer.prepare = ready;
    peer.finish = do_nothing;
    contestants[CLSORT].peer = &clsort;
    contestants[CLSORT].requested = "auto";
    contestants[PEER].peer = &peer;
    assert_true(contest_run(&job, RUNS, contestants, CONTESTANTS));
    assert_true(contest_is_right(contestants, PEER));
    assert_int_equal(contest_is_right(contestants, CONTESTANTS), is_right);
    const struct contestant result = contestants[PEER];
    free(contestants);
    job_destroy(&job);
    return result;
}

static void test_right(void **state)
{
    (void)state;
    const struct contestant result = run((struct peer){.sort = sort, .refuses = accept}, true);
    assert_false(result.failed || result.refused);
    assert_int_equal(result.runs, contest_runs(RUNS, COUNT));
}

static void test_wrong(void **state)
{
    (void)state;
    const struct contestant result = run((struct peer){.sort = do_nothing}, false);
    assert_false(result.failed || result.refused || result.verified);
}

static void test_failed(void **state)
{
    (void)state;
    const struct contestant result = run((struct peer){.sort = fail_to_sort}, false);
    assert_true(result.failed);
    assert_false(result.refused);
}

/* A peer that refuses is neither opened nor run, and is no error. */
static void test_refused(void **state)
{
    (void)state;
    const struct contestant result =
        run((struct peer){.sort = sort, .open = must_not_open, .refuses = refuse}, true);
    assert_true(result.failed && result.refused);
    assert_int_equal(result.runs, 0);
}

/* Records whose first 8 bytes differ, and records of which only the last two differ. */
static void test_prefixes(void **state)
{
    (void)state;
    struct row_layout layout;
    rows_lay_out(OP_RECORDS, 0, &layout);
    unsigned char *const rows = malloc(COUNT * ROWS_RECORD_BYTES);
    assert_non_null(rows);
    rows_fill(&layout, DATA_UNIFORM, 1, COUNT, 0, rows, COUNT);
    assert_null(rows_check_prefixes(&layout, rows, COUNT));
    const size_t pairs[][2] = {{0, 1}, {0, COUNT - 1}, {COUNT / 2, COUNT - 1}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        unsigned char *const a = rows + pairs[i][0] * ROWS_RECORD_BYTES;
        const unsigned char *const b = rows + pairs[i][1] * ROWS_RECORD_BYTES;
        unsigned char held[PREFIX_BYTES];
        memcpy(held, a, sizeof held);
        memcpy(a, b, sizeof held);
        assert_non_null(rows_check_prefixes(&layout, rows, COUNT));
        a[PREFIX_BYTES - 1] ^= 1;
        assert_null(rows_check_prefixes(&layout, rows, COUNT));
        memcpy(a, held, sizeof held);
    }
    rows_fill(&layout, DATA_EQUAL, 1, COUNT, 0, rows, COUNT);
    assert_non_null(rows_check_prefixes(&layout, rows, COUNT));
    assert_null(rows_check_prefixes(&layout, rows, 1));
    free(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right),    cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_failed),   cmocka_unit_test(test_refused),
        cmocka_unit_test(test_prefixes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
