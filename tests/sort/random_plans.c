/* random_plans.c - tests of random plans, each of which a seed determines */
#include "random_plans.h"

#include "check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct job {
    const struct random_plans *plans;
    bool (*run_plan)(const struct env *env, uint64_t seed);
};

static void all_seeds(void **state)
{
    const struct job *job = *state;
    const uint64_t end = job->plans->first_seed + job->plans->seeds;
    struct env env;
    bool right = true;
    assert_ok(env_open(&env));
    for (uint64_t seed = job->plans->first_seed; seed < end; seed++)
        right &= job->run_plan(&env, seed);
    env_close(&env);
    assert_true(right);
}

int random_plans_main(struct random_plans *plans, int argc, char **argv,
                      bool (*run_plan)(const struct env *env, uint64_t seed))
{
    struct job job = {plans, run_plan};
    const struct CMUnitTest tests[] = {cmocka_unit_test_prestate(all_seeds, &job)};
    if (argc > 1)
        plans->first_seed = strtoull(argv[1], NULL, 10);
    if (argc > 2)
        plans->seeds = strtoull(argv[2], NULL, 10);
    if (argc > 3)
        plans->calls = (size_t)strtoull(argv[3], NULL, 10);
    if (argc > 4)
        plans->max_power = (unsigned)strtoul(argv[4], NULL, 10);
    if (argc > 5)
        plans->group = strtoull(argv[5], NULL, 10);
    if (argc > 6)
        plans->algorithm = argv[6];
    return cmocka_run_group_tests(tests, NULL, NULL);
}

void random_plans_report(uint64_t seed, const clsort_desc *desc)
{
    char text[512];
    clsort_last_error(NULL, sizeof text, text, NULL);
    fprintf(stderr, "seed %" PRIu64 ", key type %u, flags %u, bits %u..%u, values of %zu: %s\n",
            seed, (unsigned)desc->key, desc->flags, desc->begin_bit, desc->end_bit,
            desc->value_size, text);
}
