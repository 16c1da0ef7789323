/* sweep.c - all counts up to a bound, all distributions and all ranges of bits, for one type and value size, by all
 * algorithms, each in all orders; counts in turn in one of the orders
 *
 *     sweep TYPE VALUE_SIZE [counts|distributions|bit-ranges]    the third argument leaves out the other loops */
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All counts below SMALL_COUNTS, then powers of two and their neighbours. */
enum { SMALL_COUNTS = 272, LARGEST_POWER = 17 };

/* order: counts from 0 through the orders of the type */
static void sort_count(struct suite *suite, const struct sort_case *base, size_t count,
                       size_t order)
{
    static const enum data_dist dists[] = {DATA_UNIFORM, DATA_SPECIAL, DATA_FEW};
    const size_t orders = data_type_is_float(base->type) ? 4 : 2;
    struct sort_case sort = *base;
    suite_flags(base->type, order % orders, &sort.flags);
    sort.count = count;
    sort.dist = dists[count % 3];
    sort.place = count % 2 ? SORT_IN_PLACE : SORT_OUT_OF_PLACE;
    sort.offset = 64;
    sort.seed = count;
    suite_sort_by_all(suite, &sort, NULL);
}

/* Each count is sorted in one order, and each order with all distributions and places. */
static void sweep_counts(struct suite *suite, const struct sort_case *base)
{
    for (size_t count = 0; count < SMALL_COUNTS; count++)
        sort_count(suite, base, count, count / 6);
    for (size_t power = 9; power <= LARGEST_POWER; power++) {
        size_t edge = (size_t)1 << power;
        for (size_t count = edge - 1; count <= edge + 1; count++)
            sort_count(suite, base, count, count + power);
        sort_count(suite, base, edge + edge / 2, power);
    }
}

/* Sorts that are not stable take long to check, and their steps do not depend on the keys. */
static bool is_stable_and_ascending(const struct sort_case *sort)
{
    return sort_case_is_stable(sort) && sort->flags == 0;
}

static void sweep_distributions(struct suite *suite, const struct sort_case *base)
{
    static const size_t counts[] = {100, 2000, 70000, 200000};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        for (size_t dist = 0; dist < DATA_DIST_COUNT; dist++) {
            for (size_t place = 0; place < SORT_PLACE_COUNT; place++) {
                struct sort_case sort = *base;
                sort.count = counts[c];
                sort.dist = (enum data_dist)dist;
                sort.place = (enum sort_place)place;
                suite_sort_by_all(suite, &sort, c < 3 ? NULL : is_stable_and_ascending);
            }
        }
    }
}

static void sweep_bit_ranges(struct suite *suite, const struct sort_case *base)
{
    const uint32_t width = (uint32_t)base->type->size * 8;
    for (uint32_t begin = 0; begin <= width; begin += 1 + width / 32) {
        for (uint32_t end = begin; end <= width; end++) {
            struct sort_case sort = *base;
            sort.count = end % 5 ? 500 + end : 66000; /* the larger one takes several launches */
            sort.dist = end % 2 ? DATA_UNIFORM : DATA_ENTROPY3;
            sort.begin_bit = begin;
            sort.end_bit = end;
            sort.seed = begin;
            suite_sort_by_all(suite, &sort, NULL);
        }
    }
}

/* Adds a loop if its name is the requested one; NULL requests all loops. */
static void add_loop(struct suite *suite, const char *requested, const char *name, suite_body *body,
                     const struct sort_case *base)
{
    if (!requested || strcmp(name, requested) == 0)
        suite_add(suite, name, body, base);
}

int main(int argc, char **argv)
{
    struct sort_case base = sort_case_default(0);
    base.type = argc == 3 || argc == 4 ? data_type_find(argv[1]) : NULL;
    if (!base.type) {
        fprintf(stderr, "usage: sweep TYPE VALUE_SIZE [counts|distributions|bit-ranges]\n");
        return EXIT_FAILURE;
    }
    base.value_size = (size_t)strtoul(argv[2], NULL, 10);

    struct suite suite;
    if (!suite_open(&suite, 1))
        return EXIT_FAILURE;
    suite_set_algorithm(&base, "all");
    add_loop(&suite, argv[3], "counts", sweep_counts, &base);
    for (size_t f = 0; suite_flags(base.type, f, &base.flags); f++) {
        add_loop(&suite, argv[3], "distributions", sweep_distributions, &base);
        add_loop(&suite, argv[3], "bit-ranges", sweep_bit_ranges, &base);
    }
    return suite_finish(&suite);
}
