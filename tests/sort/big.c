/* big.c - counts of millions: around 2^20 and, for u32 keys, around 2^24 and at 2^25 + 1, by all algorithms; and
 * all distributions, by the algorithm that the library chooses, with so many elements that uneven buckets exceed
 * the cache of a core */
#include "suite.h"

#include <stdlib.h>
#include <string.h>

/* Floats do not represent all integers above this one. In merge_sort_on_cpu.hpp of boostorg/compute (pull request
 * #486), the number of blocks was a float, so that the last of 2^24 + 1 elements was not sorted. */
static const size_t float_limit = (size_t)1 << 24;

static void around_a_million(struct suite *suite, const struct sort_case *base)
{
    static const enum data_dist dists[] = {DATA_UNIFORM, DATA_ZIPF, DATA_HOT};
    struct sort_case sort = *base;
    for (size_t i = 0; i < 3; i++) {
        sort.count = ((size_t)1 << 20) - 1 + i;
        sort.dist = dists[i];
        sort.place = i ? SORT_IN_PLACE : SORT_OUT_OF_PLACE;
        suite_sort_by_all(suite, &sort, NULL);
    }
}

static void all_distributions(struct suite *suite, const struct sort_case *base)
{
    struct sort_case sort = *base;
    sort.count = 1500001;
    for (size_t dist = 0; dist < DATA_DIST_COUNT; dist++) {
        sort.dist = (enum data_dist)dist;
        sort.place = dist % 2 ? SORT_IN_PLACE : SORT_OUT_OF_PLACE;
        suite_sort(suite, &sort);
    }
}

/* Pairs that may be in several orders take long to check. */
static bool is_quick_to_check(const struct sort_case *sort)
{
    return sort->value_size == 0 || sort_case_is_stable(sort);
}

static void around_the_float_limit(struct suite *suite, const struct sort_case *base)
{
    struct sort_case sort = *base;
    sort.count = float_limit - 1;
    sort.place = SORT_OUT_OF_PLACE;
    suite_sort_by_all(suite, &sort, is_quick_to_check);
    sort.count = float_limit + 1;
    sort.place = SORT_IN_PLACE;
    suite_sort_by_all(suite, &sort, is_quick_to_check);
}

/* Without bitonic sort, which takes the same steps as at 2^24 + 1. */
static void above_the_float_limit(struct suite *suite, const struct sort_case *base)
{
    struct sort_case sort = *base;
    sort.count = 2 * float_limit + 1;
    sort.place = SORT_OUT_OF_PLACE;
    suite_sort_by_all(suite, &sort, sort_case_is_stable);
}

int main(void)
{
    static const struct {
        clsort_key key;
        uint32_t flags;
        size_t value_size;
    } specs[] = {
        {CLSORT_U32, 0, 0},
        {CLSORT_U32, CLSORT_DESCENDING, 4},
        {CLSORT_F32, CLSORT_FLOAT_NUMERIC, 0},
        {CLSORT_U64, 0, 0},
        {CLSORT_I64, 0, 8},
        {CLSORT_U8, CLSORT_DESCENDING, 4},
        {CLSORT_I16, 0, 24},
    };
    struct suite suite;
    if (!suite_open(&suite, 1))
        return EXIT_FAILURE;
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) {
        struct sort_case base = sort_case_default(0);
        base.type = data_type_of(specs[s].key);
        base.flags = specs[s].flags;
        base.value_size = specs[s].value_size;
        suite_add(&suite, "distributions", all_distributions, &base);
        suite_set_algorithm(&base, "all");
        suite_add(&suite, "2^20", around_a_million, &base);
        if (base.type->key == CLSORT_U32)
            suite_add(&suite, "2^24", around_the_float_limit, &base);
    }
    struct sort_case base = sort_case_default(0);
    suite_set_algorithm(&base, "all");
    suite_add(&suite, "2^25", above_the_float_limit, &base);
    return suite_finish(&suite);
}
