/* custom.c - sorts in custom orders, valid and invalid, of many counts by one plan
 *
 *     custom [MAX [ALGORITHM [ORDER]]]
 *
 * MAX leaves out larger counts, for slow devices. ALGORITHM and ORDER leave out the others.
 *
 * In an invalid order, every element must still be there once, and nothing may be written out of bounds. */
#include "check.h"
#include "suite.h"

#include <stdlib.h>
#include <string.h>

/* Round counts, and the counts around tile sizes. */
static const size_t counts[] = {0,    1,    2,     7,     8,     9,     33,    1000, 3839,
                                3840, 3841, 16383, 16384, 16385, 32769, 70001, 4097};

static size_t max_count;                        /* the maximum of these counts to test */
static const char *only_algorithm, *only_order; /* NULL: all */

static bool begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* Returns whether the driver miscopies such keys, so that every algorithm must refuse them: rusticl's llvmpipe
 * (src/device/quirks.c). */
static bool must_refuse(const struct env *env, const struct custom_order *order)
{
    char device[256] = "", name[64] = "";
    cl_platform_id platform = NULL;
    clGetDeviceInfo(env->device, CL_DEVICE_NAME, sizeof device, device, NULL);
    clGetDeviceInfo(env->device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL);
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, NULL);
    return ((order->key_size > 2 && order->key_size % 4 != 0) ||
            strcmp(order->name, "packed") == 0) &&
           begins_with(device, "llvmpipe") && begins_with(name, "rusticl");
}

static void all_counts(struct suite *suite, const struct sort_case *base)
{
    struct sort_case sort = *base;
    sort.count = max_count;
    if (must_refuse(&suite->env, sort.custom)) {
        assert_int_equal(sort_case_run(&sort, &suite->env), SORT_UNSUPPORTED);
        suite->right++;
        return;
    }
    clsort_plan *plan = suite_plan(suite, &sort);
    for (size_t i = 0; plan && i < sizeof counts / sizeof *counts; i++) {
        if (counts[i] <= max_count) {
            sort.count = counts[i];
            suite_vary(suite, &sort);
            suite_sort_plan(suite, &sort, plan, max_count);
        }
    }
    clsort_plan_destroy(plan);
}

/* Returns the index-th algorithm to test; NULL past the last. */
static const char *algorithm_at(size_t index)
{
    static const char *const names[] = {"auto", "merge:variant=groups", "merge:variant=cores"};
    const size_t count = sizeof names / sizeof *names;
    return index < count ? names[index] : clsort_algorithm_name(index - count);
}

/* Returns whether to test all algorithms, not only "auto". These are a selection, because compiling takes most of the
 * time. */
static bool needs_all_algorithms(const struct sort_case *base)
{
    static const char *const names[] = {"particle", "colour", "row"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(base->custom->name, names[i]) == 0)
            return base->value_size <= 4;
    }
    return !base->custom->precedes;
}

static void add_tests(struct suite *suite, struct sort_case *base)
{
    const char *algorithm;
    for (size_t i = 0; (algorithm = algorithm_at(i)) != NULL; i++) {
        const bool wanted = only_algorithm ? strcmp(only_algorithm, algorithm) == 0
                                           : i == 0 || needs_all_algorithms(base);
        suite_set_algorithm(base, algorithm);
        if (wanted)
            suite_add(suite, "custom", all_counts, base);
    }
}

/* The first order gets values of each kind. Values of the others are moved in the same way. */
static void add_order(struct suite *suite, const struct custom_order *order)
{
    static const size_t sizes[] = {0, 4, 16, 100};
    struct sort_case base = sort_case_default(0);
    base.custom = order;
    base.memory = GUARDED_CONST;
    if (only_order && strcmp(only_order, order->name) != 0)
        return;
    if (order != custom_orders) {
        base.value_size = order->key_size % 8 == 0 ? 4 : 0;
        add_tests(suite, &base);
        return;
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        base.value_size = sizes[i];
        add_tests(suite, &base);
    }
}

int main(int argc, char **argv)
{
    const struct custom_order *const lists[] = {custom_orders, custom_orders_invalid};
    const size_t max = argc > 1 ? (size_t)strtoull(argv[1], NULL, 10) : SIZE_MAX;
    struct suite suite;
    only_algorithm = argc > 2 ? argv[2] : NULL;
    only_order = argc > 3 ? argv[3] : NULL;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        if (counts[i] <= max && counts[i] > max_count)
            max_count = counts[i];
    }
    if (!suite_open(&suite, 1))
        return EXIT_FAILURE;
    for (size_t i = 0; i < 2; i++) {
        for (const struct custom_order *order = lists[i]; order->name; order++)
            add_order(&suite, order);
    }
    return suite_finish(&suite);
}
