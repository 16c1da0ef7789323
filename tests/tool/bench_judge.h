/* bench_judge.h - assertions about what clsort-bench finds in a result */
#ifndef CLSORT_TESTS_BENCH_JUDGE_H
#define CLSORT_TESTS_BENCH_JUDGE_H

#include "verify.h"

extern const struct verify_rules STABLE, UNSTABLE;

/* Returns what is wrong with the result, or NULL. */
const char *judge(const struct job *job, const struct verify_rules *rules);

void assert_right(const struct job *job, const struct verify_rules *rules);

/* Fails unless what is wrong with the result contains the text. */
void assert_wrong(const struct job *job, const struct verify_rules *rules, const char *text);

#endif
