/* big.c - counts of millions: around 2^20 for several shapes, around 2^24 and at 2^25 + 1 for a few, and all
 * distributions with so many that uneven buckets would not fit a core's cache */
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* From this count on a float no longer holds every index, and some sorts elsewhere go wrong. */
static const size_t float_limit = (size_t)1 << 24;

static void around_a_million(struct suite *suite, const struct sort_case *base)
{
    static const enum data_dist dists[] = {DATA_UNIFORM, DATA_ZIPF, DATA_HOT};
    struct sort_case sort = *base;
    for (size_t i = 0; i < 3; i++) {
        sort.count = ((size_t)1 << 20) - 1 + i;
        sort.dist = dists[i];
        sort.place = i ? SORT_IN_PLACE : SORT_OUT_OF_PLACE;
        suite_sort(suite, &sort);
    }
}

static void skewed(struct suite *suite, const struct sort_case *base)
{
    struct sort_case sort = *base;
    sort.count = 1500001;
    for (size_t dist = 0; dist < DATA_DIST_COUNT; dist++) {
        sort.dist = (enum data_dist)dist;
        sort.place = dist % 2 ? SORT_IN_PLACE : SORT_OUT_OF_PLACE;
        suite_sort(suite, &sort);
    }
}

static void around_the_float_limit(struct suite *suite, const struct sort_case *base)
{
    struct sort_case sort = *base;
    sort.count = float_limit - 1;
    suite_sort(suite, &sort);
    sort.count = float_limit + 1;
    sort.place = SORT_OUT_OF_PLACE;
    suite_sort(suite, &sort);
}

static void above_the_float_limit(struct suite *suite, const struct sort_case *base)
{
    struct sort_case sort = *base;
    sort.count = 2 * float_limit + 1;
    suite_sort(suite, &sort);
}

int main(void)
{
    static const struct {
        clsort_key key;
        uint32_t flags;
        size_t value_size;
    } shapes[] = {
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
    for (size_t a = 0; suite_algorithm(&suite, a); a++) {
        struct sort_case base = sort_case_default(0);
        snprintf(base.algorithm, sizeof base.algorithm, "%s", suite_algorithm(&suite, a));
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
            base.type = data_type_of(shapes[s].key);
            base.flags = shapes[s].flags;
            base.value_size = shapes[s].value_size;
            suite_add(&suite, "2^20", around_a_million, &base);
            if (strcmp(base.algorithm, "auto") == 0)
                suite_add(&suite, "skewed", skewed, &base);
            /* Pairs that may come in several orders take long to check. */
            if (base.type->key == CLSORT_U32 &&
                (base.value_size == 0 || sort_case_is_stable(&base)))
                suite_add(&suite, "2^24", around_the_float_limit, &base);
        }
        base = sort_case_default(0);
        snprintf(base.algorithm, sizeof base.algorithm, "%s", suite_algorithm(&suite, a));
        if (sort_case_is_stable(&base)) /* the others' comparisons have been there at 2^24 + 1 */
            suite_add(&suite, "2^25", above_the_float_limit, &base);
    }
    return suite_finish(&suite);
}
