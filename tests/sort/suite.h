/* suite.h - runs sort cases as CMocka tests, and counts those that are right, wrong and unsupported
 *
 * A program adds tests, each of which has a body that runs cases derived from a base case, and then calls
 * suite_finish. */
#ifndef CLSORT_TESTS_SUITE_H
#define CLSORT_TESTS_SUITE_H

#include "rotation.h"
#include "sort_case.h"

struct suite {
    struct env env;
    struct rotation rotation;
    uint64_t seed; /* of the rotation */
    struct suite_test *tests;
    size_t test_count;
    size_t right, unsupported, wrong;
    size_t varied; /* number of calls of suite_vary */
};

typedef void suite_body(struct suite *suite, const struct sort_case *base);

/* Opens the device, and starts the rotation with $CLSORT_TEST_SEED if that is set, else with `seed`. On failure prints
 * why on stderr and returns false. */
bool suite_open(struct suite *suite, uint64_t seed);

/* Returns the index-th algorithm to test: "auto", then the others, those for GPUs only if the device is one or is
 * tested as one; NULL past the last. */
const char *suite_algorithm(const struct suite *suite, size_t index);

void suite_set_algorithm(struct sort_case *sort, const char *algorithm);

/* *flags becomes the index-th combination of flags that is valid for the type. Returns false past the last. */
bool suite_flags(const struct data_type *type, size_t index, uint32_t *flags);

/* Adds a test. Its name consists of `what` and the algorithm, keys, order and value size of the base. */
void suite_add(struct suite *suite, const char *what, suite_body *body,
               const struct sort_case *base);

/* Runs a case in the body of a test. A test fails if any of its cases is wrong, and is skipped if all are unsupported.
 * "auto" must support every case, and "radix" every sort by a built-in order. */
enum sort_result suite_sort(struct suite *suite, const struct sort_case *sort);

/* Runs a case by every algorithm of suite_algorithm for which `wanted`, unless it is NULL, returns true. This is faster
 * than one case after the other, because the input is generated and sorted by the reference only once. */
void suite_sort_by_all(struct suite *suite, const struct sort_case *sort,
                       bool (*wanted)(const struct sort_case *sort));

/* Creates a plan for several cases, of which `largest` has the maximum number of elements. If the algorithm does not
 * support the case, or creation fails, counts that as suite_sort does and returns NULL. */
clsort_plan *suite_plan(struct suite *suite, const struct sort_case *largest);

/* Runs a case with a plan. Sets `spare` so that a replay creates an equal plan for max_count elements. */
void suite_sort_plan(struct suite *suite, struct sort_case *sort, clsort_plan *plan,
                     size_t max_count);

/* Sets seed, place, queue, scratch, offset and, for merges, joined, so that successive calls combine them all. */
void suite_vary(struct suite *suite, struct sort_case *sort);

/* A body: runs several cases that the rotation draws. */
void suite_rotate(struct suite *suite, const struct sort_case *base);

/* Runs all tests, prints the counts, closes the suite, and returns the exit status of the program. */
int suite_finish(struct suite *suite);

#endif
