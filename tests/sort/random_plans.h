/* random_plans.h - tests of random plans, each of which a seed determines */
#ifndef CLSORT_TESTS_RANDOM_PLANS_H
#define CLSORT_TESTS_RANDOM_PLANS_H

#include "env.h"

#include <stdint.h>

/* The arguments of the program, in this order; those that are not given keep their values. */
struct random_plans {
    uint64_t first_seed, seeds;
    size_t calls;       /* of each plan */
    unsigned max_power; /* a call has at most 2^max_power elements */
    uint64_t group;     /* number of seeds that share what programs depend on */
    const char
        *algorithm; /* as in clsort_desc, for tests that support it; NULL: the library chooses */
};

/* Reads the arguments, runs a CMocka test of all seeds, and returns the exit status of the program. run_plan creates
 * the plan of a seed and makes its calls. If something is wrong, it prints the seed and returns false. */
int random_plans_main(struct random_plans *plans, int argc, char **argv,
                      bool (*run_plan)(const struct env *env, uint64_t seed));

/* Makes a call of a plan with this description. Returns false if something is wrong. */
typedef bool random_plans_call(void *context, const char *description);

/* Creates the plan of a seed, makes calls of it, and destroys it. The plan is *plan during the calls. If
 * may_be_unsupported, it may be refused by CLSORT_E_UNSUPPORTED. If something is wrong, prints the seed and returns
 * false. */
bool random_plans_run(const struct random_plans *plans, const struct env *env, uint64_t seed,
                      const clsort_desc *desc, bool may_be_unsupported, clsort_plan **plan,
                      random_plans_call *call, void *context);

#endif
