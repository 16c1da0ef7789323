/* merge_sorted.c - merges of two inputs of many counts by one plan: sorted inputs, and inputs that are not
 *
 *     merge_sorted [MAX [ALGORITHM [ORDER]]]
 *
 * MAX leaves out larger inputs, for slow devices. ALGORITHM and ORDER (a key type or a custom order) leave out the
 * others.
 *
 * From inputs that are not sorted, every element must still be in the output once. */
#include "suite.h"

#include <stdlib.h>
#include <string.h>

static const size_t counts[] = {0, 1, 2, 33, 1000, 4097, 70001};
static size_t used_counts = sizeof counts / sizeof *counts;

/* All pairs of counts. */
static void all_pairs(struct suite *suite, const struct sort_case *base)
{
    const size_t max = counts[used_counts - 1], max_count = 2 * max + 1;
    struct sort_case merge = *base;
    merge.count = merge.second_count = max;
    merge.spare = 1;
    clsort_plan *plan = suite_plan(suite, &merge);
    for (size_t i = 0; plan && i < used_counts * used_counts; i++) {
        merge.count = counts[i / used_counts];
        merge.second_count = counts[i % used_counts];
        suite_vary(suite, &merge);
        merge.dist = merge.seed % 2 ? DATA_FEW : DATA_SPECIAL;
        suite_sort_plan(suite, &merge, plan, max_count);
    }
    clsort_plan_destroy(plan);
}

static void add_tests(struct suite *suite, struct sort_case *base, const char *only_algorithm)
{
    static const char *const algorithms[] = {"auto", "merge:variant=groups", "merge:variant=cores"};
    for (size_t a = 0; a < sizeof algorithms / sizeof *algorithms; a++) {
        if (only_algorithm && strcmp(only_algorithm, algorithms[a]) != 0)
            continue;
        suite_set_algorithm(base, algorithms[a]);
        base->unsorted = false;
        suite_add(suite, "sorted inputs", all_pairs, base);
        base->unsorted = true;
        if (a > 0)
            suite_add(suite, "unsorted inputs", all_pairs, base);
    }
}

int main(int argc, char **argv)
{
    static const struct {
        clsort_key key;
        uint32_t flags;
        size_t value_size;
    } merges[] = {
        {CLSORT_U32, 0, 0},
        {CLSORT_U32, 0, 4},
        {CLSORT_U32, 0, 100},
        {CLSORT_U32, 0, 260},
        {CLSORT_I64, CLSORT_DESCENDING, 4},
        {CLSORT_F32, CLSORT_FLOAT_NUMERIC, 0},
        {CLSORT_U8, 0, 4},
        {CLSORT_CUSTOM, 0, 4},
    };
    const size_t max = argc > 1 ? (size_t)strtoull(argv[1], NULL, 10) : SIZE_MAX;
    struct suite suite;
    while (used_counts > 1 && counts[used_counts - 1] > max)
        used_counts--;
    if (!suite_open(&suite, 1))
        return EXIT_FAILURE;
    for (size_t i = 0; i < sizeof merges / sizeof *merges; i++) {
        struct sort_case base = sort_case_default(0);
        base.operation = CLSORT_MERGE_SORTED;
        base.flags = merges[i].flags;
        base.value_size = merges[i].value_size;
        base.memory = GUARDED_CONST;
        if (merges[i].key == CLSORT_CUSTOM)
            base.custom = custom_orders;
        else
            base.type = data_type_of(merges[i].key);
        const char *name = base.custom ? base.custom->name : base.type->name;
        if (argc <= 3 || strcmp(argv[3], name) == 0)
            add_tests(&suite, &base, argc > 2 ? argv[2] : NULL);
    }
    return suite_finish(&suite);
}
