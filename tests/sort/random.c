/* random.c - a differential fuzzer: random sorts and merges, each compared with the reference
 *
 *     random [FIRST_SEED [SEEDS [SORTS [MAX_POWER [DESCRIPTORS]]]]]
 *
 * A seed determines limits of the device and DESCRIPTORS descriptors, and for each of them the sorts of one plan: at
 * most SORTS, of up to 2^MAX_POWER elements. The first descriptor is random, and the others change those of its fields
 * that most programs do not depend on, so that thousands of plans can be tested. The seed is printed before any plan is
 * created, so that a crash can be repeated, too. A wrong sort is reported as a case for clsort-test-replay. */
#include "bits.h"
#include "sort_case.h"
#include "sort_data.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

struct counts {
    size_t plans, refused, right, wrong;
};

struct options {
    uint64_t first_seed, seeds;
    size_t sorts;
    unsigned max_power;
    size_t descriptors;
};

/* -- random numbers ---------------------------------------------------------------------------- */

struct random {
    uint64_t state;
};

static uint64_t next(struct random *random)
{
    return bits_mix(random->state += BITS_GAMMA);
}

/* Returns a number below `end`. */
static size_t below(struct random *random, size_t end)
{
    return (size_t)(next(random) % end);
}

static bool one_in(struct random *random, size_t n)
{
    return below(random, n) == 0;
}

/* Returns a number from 0 to 2^max_power whose number of bits is uniform. */
static size_t some_count(struct random *random, unsigned max_power)
{
    const size_t power = (size_t)1 << below(random, max_power + 1);
    /* Powers of two and their neighbours are the sizes of tiles. */
    if (one_in(random, 4))
        return power - 1 + (power < (size_t)1 << max_power ? below(random, 3) : below(random, 2));
    return below(random, power);
}

/* -- the device -------------------------------------------------------------------------------- */

/* Limits that an engine reads from the environment. An empty text is no limit. */
static const struct limit {
    const char *variable;
    const char *values[8];
} limits[] = {
    {"CLSORT_DEVICE_TYPE", {"", "gpu"}},
    {"CLSORT_MAX_WORK_GROUP", {"", "", "1", "2", "16", "32", "64", "256"}},
    {"CLSORT_MAX_LOCAL_MEM", {"", "", "", "8192", "16384", "20480", "32768"}},
    {"CLSORT_MAX_INDEX32", {"", "", "", "", "10", "100", "5000"}},
    {"CLSORT_MAX_ITERATIONS", {"", "", "", "", "8000"}},
    {"CLSORT_SUB_GROUP_SIZE", {"", "", "1", "2", "4", "8", "16"}},
    {"CLSORT_MAX_LAUNCH_TILES", {"", "", "", "1", "2", "5"}},
};

static void set_limits(struct random *random)
{
    for (size_t i = 0; i < LENGTH(limits); i++) {
        size_t values = 0;
        while (values < LENGTH(limits[i].values) && limits[i].values[values])
            values++;
        setenv(limits[i].variable, limits[i].values[below(random, values)], 1);
    }
}

/* -- the plan ---------------------------------------------------------------------------------- */

/* Adds parameters to the name of an algorithm. The library refuses some of them on small devices. */
static void add_parameters(struct random *random, char *algorithm, size_t size)
{
    static const char *const bitonic[] = {"B2", "B2+B4", "B2+B4+B8", "C2+B", "C4+B", "kernels=B"};
    static const char *const scatters[] = {"direct", "coalesced"};
    static const char *const merges[] = {"groups", "cores"}, *const paths[] = {"msd", "lsd",
                                                                               "splitters"};
    const size_t length = strlen(algorithm);
    char *end = algorithm + length;
    size -= length;
    if (strcmp(algorithm, "radix") == 0)
        snprintf(end, size, ":bits=%zu,items=%zu,scatter=%s", 1 + below(random, 8),
                 1 + below(random, 32), scatters[below(random, 2)]);
    else if (strcmp(algorithm, "onesweep") == 0)
        snprintf(end, size, ":bits=%zu,items=%zu,group=%u", 1 + below(random, 8),
                 1 + below(random, 48), 1u << below(random, 9));
    else if (strcmp(algorithm, "hybrid") == 0 && below(random, 2))
        snprintf(end, size, ":items=%zu", 1 + below(random, 48));
    else if (strcmp(algorithm, "hybrid") == 0)
        snprintf(end, size, ":path=%s", paths[below(random, LENGTH(paths))]);
    else if (strcmp(algorithm, "merge") == 0)
        snprintf(end, size, ":variant=%s", merges[below(random, 2)]);
    else if (strcmp(algorithm, "bitonic") == 0)
        snprintf(end, size, ":%s", bitonic[below(random, LENGTH(bitonic))]);
}

static void set_algorithm(struct random *random, struct sort_case *sort)
{
    size_t names = 0;
    while (clsort_algorithm_name(names))
        names++;
    const size_t name = below(random, 2 * names); /* half of the plans let the library choose */
    if (name < names)
        snprintf(sort->algorithm, sizeof sort->algorithm, "%s", clsort_algorithm_name(name));
    if (one_in(random, 3))
        add_parameters(random, sort->algorithm, sizeof sort->algorithm);
}

/* Returns a random entry of a list that ends with an entry without a name. */
static const struct custom_order *some_order(struct random *random, const struct custom_order *list)
{
    size_t orders = 0;
    while (list[orders].name)
        orders++;
    return &list[below(random, orders)];
}

static void set_bits(struct random *random, struct sort_case *sort)
{
    sort->begin_bit = sort->end_bit = 0;
    if (one_in(random, 3)) {
        sort->end_bit = (uint32_t)below(random, 8 * sort->type->size + 1);
        sort->begin_bit = sort->end_bit ? (uint32_t)below(random, sort->end_bit + 1) : 0;
    }
}

static void set_key(struct random *random, struct sort_case *sort)
{
    if (one_in(random, 6)) {
        sort->custom =
            some_order(random, one_in(random, 4) ? custom_orders_invalid : custom_orders);
        sort->flags = below(random, 2) ? CLSORT_UNSTABLE : 0;
        return;
    }
    sort->type = data_type_at(below(random, 11));
    sort->flags = (uint32_t)below(random, 8);
    if (!data_type_is_float(sort->type))
        sort->flags &= ~CLSORT_FLOAT_NUMERIC;
    set_bits(random, sort);
}

/* Forbids scratch memory. Most sorts need some and are refused, so most plans are changed to one that needs none. */
static void set_no_scratch(struct random *random, struct sort_case *sort)
{
    sort->flags |= CLSORT_NO_SCRATCH;
    if (one_in(random, 4))
        return;
    sort->flags |= CLSORT_UNSTABLE;
    sort->value_size %= 17;
    sort->operation = CLSORT_SORT;
    static const char *const algorithms[] = {"auto", "bitonic", "quick"};
    strcpy(sort->algorithm, algorithms[below(random, LENGTH(algorithms))]);
}

/* Returns a random plan: a case of which every sort of the plan is a variation. */
static struct sort_case some_plan(struct random *random)
{
    static const size_t value_sizes[] = {0, 0, 0, 0,  1,  2,  3,  4,   4,
                                         5, 8, 8, 12, 16, 17, 24, 100, 1000};
    struct sort_case plan = sort_case_default(0);
    set_key(random, &plan);
    set_algorithm(random, &plan);
    plan.value_size = value_sizes[below(random, LENGTH(value_sizes))];
    if (one_in(random, 6)) {
        plan.operation = CLSORT_MERGE_SORTED;
        /* The reference can sort the inputs by a strict weak order only. */
        plan.unsorted = one_in(random, 3) || (plan.custom && !plan.custom->precedes);
        if (one_in(random, 2)) /* others than "auto" and "merge" are refused */
            strcpy(plan.algorithm, "auto");
    }
    if (plan.operation == CLSORT_SORT && one_in(random, 4)) {
        plan.operation = CLSORT_ARGSORT;
        plan.value_size = one_in(random, 2) ? 4 : 8;
    }
    if (one_in(random, 6))
        set_no_scratch(random, &plan);
    return plan;
}

/* Returns the other type of integers of the same width. */
static const struct data_type *other_sign(const struct data_type *type)
{
    return data_type_of(type->key >= CLSORT_I8 ? type->key - CLSORT_I8 + CLSORT_U8
                                               : type->key - CLSORT_U8 + CLSORT_I8);
}

/* Returns a variation of a plan that most likely runs the same programs: integers of another sign, another direction,
 * other bits. */
static struct sort_case another_plan(struct random *random, const struct sort_case *base)
{
    struct sort_case plan = *base;
    if (one_in(random, 4))
        plan.flags ^= CLSORT_UNSTABLE;
    if (plan.custom)
        return plan;
    if (one_in(random, 2))
        plan.flags ^= CLSORT_DESCENDING;
    if (!data_type_is_float(base->type) && one_in(random, 2))
        plan.type = other_sign(base->type);
    set_bits(random, &plan);
    return plan;
}

/* -- the sorts --------------------------------------------------------------------------------- */

/* Draws what differs between the sorts of a plan. */
static void vary(struct random *random, size_t max_count, struct sort_case *sort)
{
    const bool two_inputs = sort_operation_has_two_inputs(sort->operation);
    if (two_inputs)
        sort->second_count = sort->count - below(random, sort->count + 1);
    sort->count -= sort->second_count;
    sort->spare = max_count - sort_case_total(sort);
    sort->dist = (enum data_dist)below(random, DATA_DIST_COUNT);
    sort_case_set_place(sort, two_inputs ? SORT_OUT_OF_PLACE
                                         : (enum sort_place)below(random, SORT_PLACE_COUNT));
    sort->own_scratch = below(random, 2) && !(sort->flags & CLSORT_NO_SCRATCH);
    sort->out_of_order = below(random, 2);
    sort->joined = two_inputs && below(random, 2);
    sort->memory = (enum guarded_memory)below(random, GUARDED_MEMORY_COUNT);
    sort->offset = one_in(random, 3) ? 0 : 64 + below(random, 100);
    sort->seed = next(random) % 1000000;
}

/* Returns whether CLSORT_NO_SCRATCH is set for a sort that needs scratch memory, according to its documentation. */
static bool lacks_scratch(const struct sort_case *plan)
{
    const bool some_bits =
        plan->end_bit > 0 && plan->end_bit - plan->begin_bit < 8 * plan->type->size;
    const bool equal_elements_differ =
        plan->value_size > 0 || plan->custom || some_bits || plan->flags & CLSORT_FLOAT_NUMERIC;
    return plan->flags & CLSORT_NO_SCRATCH &&
           (plan->operation != CLSORT_SORT || plan->value_size > 16 ||
            (equal_elements_differ && !(plan->flags & CLSORT_UNSTABLE)));
}

/* Returns whether the plan has to be refused. A named algorithm need not be stable. */
static bool must_refuse(const struct sort_case *plan)
{
    return lacks_scratch(plan) && strcmp(plan->algorithm, "auto") == 0;
}

/* Returns whether a plan may be refused: a named algorithm may not support it, or fail its self-test because of a fault
 * of the driver. "auto" has to find another one unless the driver cannot copy the keys. */
static bool may_refuse(const struct sort_case *plan, clsort_status status, const struct env *env)
{
    if (status == CLSORT_E_UNSUPPORTED && must_refuse(plan))
        return true;
    if (status == CLSORT_E_UNSUPPORTED && env_blames_driver(env))
        return true;
    return (status == CLSORT_E_UNSUPPORTED || status == CLSORT_E_SELF_TEST) &&
           strcmp(plan->algorithm, "auto") != 0;
}

static void run_sorts(struct random *random, const struct options *options, const struct env *env,
                      const struct sort_case *base, struct counts *counts)
{
    /* Bounds the bytes of all sorts of a plan, and so its time. */
    size_t bytes_left = (size_t)64 << 20;
    const unsigned max_power = 4 + (unsigned)below(random, options->max_power - 3);
    struct sort_case largest = *base;
    largest.count = (size_t)1 << max_power;
    const clsort_desc desc = sort_case_desc(&largest);
    clsort_plan *plan = NULL;
    const clsort_status status = clsort_plan_create(env->engine, &desc, &plan);
    counts->plans++;
    if (status != CLSORT_OK && may_refuse(base, status, env)) {
        printf("  refused: %s\n", clsort_status_string(status));
        counts->refused++;
        return;
    }
    if (status != CLSORT_OK || must_refuse(base)) {
        sort_case_report(&largest, status == CLSORT_OK ? "CLSORT_NO_SCRATCH was not refused"
                                                       : clsort_status_string(status));
        clsort_plan_destroy(plan);
        counts->wrong++;
        return;
    }
    for (size_t i = 0; i < options->sorts; i++) {
        struct sort_case sort = *base;
        sort.count = some_count(random, max_power);
        const size_t bytes = sort.count * (sort_case_key_size(base) + base->value_size);
        if (bytes > bytes_left)
            break;
        bytes_left -= bytes;
        vary(random, largest.count, &sort);
        if (sort_case_run_plan(&sort, env, plan) == SORT_RIGHT)
            counts->right++;
        else
            counts->wrong++;
    }
    clsort_plan_destroy(plan);
}

static void run_seed(uint64_t seed, const struct options *options, struct counts *counts)
{
    struct random random = {bits_mix(seed)};
    set_limits(&random);
    const struct sort_case plan = some_plan(&random);
    char text[SORT_CASE_TEXT];
    sort_case_print(&plan, text);
    printf("seed %" PRIu64 ": %s\n", seed, text);
    struct env env;
    const clsort_status status = env_open(&env);
    if (status != CLSORT_OK) {
        fprintf(stderr, "no device to test: %s\n", clsort_status_string(status));
        exit(EXIT_FAILURE);
    }
    run_sorts(&random, options, &env, &plan, counts);
    for (size_t i = 1; i < options->descriptors; i++) {
        const struct sort_case another = another_plan(&random, &plan);
        run_sorts(&random, options, &env, &another, counts);
    }
    env_close(&env);
}

/* Runs a seed in a child process. A crash is then a result of this seed alone, and the other seeds still run. */
static void run_in_child(uint64_t seed, const struct options *options, struct counts *counts)
{
    int status = 0;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        run_seed(seed, options, counts);
        exit(EXIT_SUCCESS);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
        fprintf(stderr, "WRONG: seed %" PRIu64 ": wait status %d\n", seed, status);
        counts->wrong++;
    }
}

int main(int argc, char **argv)
{
    uint64_t given[5] = {1, 1, 200, 14, 1};
    for (int i = 0; i < 5 && i + 1 < argc; i++)
        given[i] = strtoull(argv[i + 1], NULL, 10);
    const struct options options = {given[0], given[1], (size_t)given[2], (unsigned)given[3],
                                    (size_t)given[4]};
    if (argc > 6 || options.max_power < 4 || options.max_power > 24) {
        fprintf(stderr,
                "usage: random [FIRST_SEED [SEEDS [SORTS [MAX_POWER [DESCRIPTORS]]]]]; MAX_POWER "
                "is 4 to 24\n");
        return EXIT_FAILURE;
    }
    struct counts *counts =
        mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (counts == MAP_FAILED)
        return EXIT_FAILURE;
    for (uint64_t i = 0; i < options.seeds; i++)
        run_in_child(options.first_seed + i, &options, counts);
    printf("%zu plans, %zu of them refused; %zu sorts right, %zu wrong\n", counts->plans,
           counts->refused, counts->right, counts->wrong);
    return counts->wrong || !counts->right;
}
