/* bench_judge.c - assertions about what clsort-bench finds in a result */
#include "bench_judge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

const struct verify_rules STABLE = {.stable = true};
const struct verify_rules UNSTABLE = {.stable = false};

const char *judge(const struct job *job, const struct verify_rules *rules)
{
    return verify_result(job, verify_sum(job, job->keys, job->values), rules);
}

void assert_right(const struct job *job, const struct verify_rules *rules)
{
    const char *fault = judge(job, rules);
    if (fault)
        fail_msg("a right result of operation %d, %zu elements: %s", (int)job->spec.op, job->count,
                 fault);
}

void assert_wrong(const struct job *job, const struct verify_rules *rules, const char *text)
{
    const char *fault = judge(job, rules);
    if (!fault || !strstr(fault, text))
        fail_msg("operation %d: '%s' instead of '%s'", (int)job->spec.op, fault ? fault : "right",
                 text);
}
