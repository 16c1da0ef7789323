/* bench_expect.c - clsort-bench recognises peers that are far slower than they should be */
#include "expect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { CLSORT, STANDARD, VECTOR, COUNT };

static const struct peer clsort = {.name = "clsort"}, standard = {.name = "std::sort"},
                         vector = {.name = "vector", .slow_cause = "this test"};

/* A contest in which the vectorized sort is as many times as fast as std::sort. */
struct contest {
    struct job job;
    enum data_dist dist;
    struct contestant *contestants;
};

static struct contest make_contest(double speedup)
{
    struct contest contest = {{.spec.type = data_type_find("u32"), .count = EXPECT_MIN_COUNT},
                              DATA_UNIFORM,
                              calloc(COUNT, sizeof *contest.contestants)};
    assert_non_null(contest.contestants);
    contest.contestants[CLSORT].peer = &clsort;
    contest.contestants[CLSORT].median_s = 10;
    contest.contestants[STANDARD].peer = &standard;
    contest.contestants[STANDARD].median_s = speedup;
    contest.contestants[VECTOR].peer = &vector;
    contest.contestants[VECTOR].median_s = 1;
    return contest;
}

/* Judges the contest, frees it, and returns whether the vectorized sort is suspect. */
static bool judge(struct contest contest)
{
    expect_judge(&contest.job, contest.dist, contest.contestants, COUNT);
    const bool suspect = contest.contestants[VECTOR].suspect;
    assert_false(contest.contestants[CLSORT].suspect);
    assert_false(contest.contestants[STANDARD].suspect);
    free(contest.contestants);
    return suspect;
}

static void test_speedups(void **state)
{
    (void)state;
    assert_true(judge(make_contest(0.2)));
    assert_true(judge(make_contest(1.49)));
    assert_false(judge(make_contest(1.51)));
    assert_false(judge(make_contest(15)));
}

static void test_more_keys(void **state)
{
    (void)state;
    struct contest contest = make_contest(1);
    contest.job.count *= 4;
    assert_true(judge(contest));
}

/* Contests to which the expectation does not apply. */
static void test_not_judged(void **state)
{
    (void)state;
    struct contest contest = make_contest(1);
    contest.job.count--;
    assert_false(judge(contest));
    contest = make_contest(1);
    contest.dist = DATA_SORTED;
    assert_false(judge(contest));
    contest = make_contest(1);
    contest.job.spec.value_size = 4;
    assert_false(judge(contest));
    contest = make_contest(1);
    contest.job.spec.op = OP_CUSTOM;
    assert_false(judge(contest));
    contest = make_contest(1);
    contest.contestants[STANDARD].peer = &clsort;
    assert_false(judge(contest));
    contest = make_contest(1);
    contest.contestants[STANDARD].failed = true;
    assert_false(judge(contest));
    contest = make_contest(1);
    contest.contestants[VECTOR].failed = true;
    assert_false(judge(contest));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_speedups),
        cmocka_unit_test(test_more_keys),
        cmocka_unit_test(test_not_judged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
