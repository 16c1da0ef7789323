/* suite.h - runs sorts as CMocka tests, and counts what was right, wrong and unsupported */
#ifndef CLSORT_TESTS_SUITE_H
#define CLSORT_TESTS_SUITE_H

#include "rotation.h"
#include "sort_case.h"

struct suite {
    struct env env;
    struct rotation rotation;
    struct suite_test *tests;
    size_t test_count;
    size_t right, unsupported, wrong;
};

/* A CMocka test: body runs sorts that start from base. */
typedef void suite_body(struct suite *suite, const struct sort_case *base);

/* Opens the device; on failure says why on stderr. The seed is the rotation's. */
bool suite_open(struct suite *suite, uint64_t seed);

/* The index-th algorithm to test, "auto" first, and those that are for GPUs only where the device is one or passes for
 * one; NULL past the last. */
const char *suite_algorithm(const struct suite *suite, size_t index);

/* The index-th combination of flags that fits the type; false past the last. */
bool suite_flags(const struct data_type *type, size_t index, uint32_t *flags);

/* Adds a test, named by what it is and the algorithm, type, order and value size of its base. */
void suite_add(struct suite *suite, const char *what, suite_body *body,
               const struct sort_case *base);

/* Runs a sort within a test's body. A test fails when any of its sorts is wrong, and is skipped
 * when all are unsupported. "auto" and "radix" must support everything. */
enum sort_result suite_sort(struct suite *suite, const struct sort_case *sort);

/* A body: sorts that the rotation draws. */
void suite_rotate(struct suite *suite, const struct sort_case *base);

/* Runs all tests, prints the counts, closes the suite and returns what main returns. */
int suite_finish(struct suite *suite);

#endif
