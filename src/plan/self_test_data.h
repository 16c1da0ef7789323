/* self_test_data.h - input, expected output and actual output of one sort of the self-test */
#ifndef CLSORT_PLAN_SELF_TEST_DATA_H
#define CLSORT_PLAN_SELF_TEST_DATA_H

#include "base/spec.h"
#include "base/text.h"

#include <clsort.h>

/* Properties of the generated elements. */
struct cls_test_pattern {
    /* Equal keys have equal bits and equal values, so that every correct sort has the same output,
     * even if it is not stable. */
    bool has_one_result;
    bool constant_digit; /* one digit of the keys is constant, so that a pass is skipped */
    bool clusters; /* many keys differ in a few bits only, so that bins and buckets are uneven */
    bool few_keys; /* most elements have one of a few keys */
};

struct cls_test_data {
    const struct cls_spec *spec; /* with the values of the caller */
    uint64_t count;
    uint64_t out_count;            /* elements of the outputs */
    bool any_tie;                  /* equal keys may be in any order, as with has_one_result */
    size_t key_bytes, value_bytes; /* of all elements */
    size_t index_bytes;  /* of all indexes, if there is an output of indexes besides values */
    char *keys, *values; /* input; one block of memory holds all arrays */
    char *expected_keys, *expected_values;
    char *found_keys, *found_values; /* output of the device */
    char *expected_indexes, *found_indexes;
};

/* Generates count elements, which are a valid input for the operation of the sort spec, and sorts a
 * copy on the host. With a custom order all keys consist of zero bytes, since the library does not
 * know which other bytes form a valid key. */
clsort_status cls_test_data_create(const struct cls_spec *spec, uint64_t count,
                                   const struct cls_test_pattern *pattern,
                                   struct cls_test_data *data);
void cls_test_data_destroy(struct cls_test_data *data); /* also after a failure */

/* Compares the output of the device with the expected output. Returns CLSORT_E_SELF_TEST and
 * appends the finding if they differ. */
clsort_status cls_test_data_compare(const struct cls_test_data *data, struct cls_text *finding);

#endif
