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

/* Prints why the plan of a seed was not created. */
static void report(uint64_t seed, const clsort_desc *desc)
{
    char text[512];
    clsort_last_error(NULL, sizeof text, text, NULL);
    fprintf(stderr, "seed %" PRIu64 ", key type %u, flags %u, bits %u..%u, values of %zu: %s\n",
            seed, (unsigned)desc->key, desc->flags, desc->begin_bit, desc->end_bit,
            desc->value_size, text);
}

bool random_plans_run(const struct random_plans *plans, const struct env *env, uint64_t seed,
                      const clsort_desc *desc, bool may_be_unsupported, clsort_plan **plan,
                      random_plans_call *call, void *context)
{
    char text[1024];
    bool right = true;
    const clsort_status status = clsort_plan_create(env->engine, desc, plan);
    if (status == CLSORT_E_UNSUPPORTED && may_be_unsupported)
        return true;
    if (status) {
        report(seed, desc);
        return false;
    }
    assert_ok(clsort_plan_describe(*plan, desc->max_count, sizeof text, text, NULL));
    for (size_t i = 0; i < plans->calls; i++)
        if (!call(context, text)) {
            fprintf(stderr, "  seed %" PRIu64 ", call %zu: %s\n", seed, i, text);
            right = false;
        }
    clsort_plan_destroy(*plan);
    return right;
}
