/* primitives.h - self-tests of the primitives of sorts for work-groups (cl/self_test) */
#ifndef CLSORT_ALGO_PRIMITIVES_H
#define CLSORT_ALGO_PRIMITIVES_H

#include "algo/algo.h"

enum cls_primitive {
    CLS_PRIMITIVE_SCAN,          /* prefix sums over a work-group */
    CLS_PRIMITIVE_SUMMARY,       /* the key summary of a work-group */
    CLS_PRIMITIVE_RANK,          /* ranks of the 4-way split */
    CLS_PRIMITIVE_MATCH,         /* stable ranks by sub-group matches */
    CLS_PRIMITIVE_COUNTED_MATCH, /* the same, with digits that are counted first */
    CLS_PRIMITIVE_COUNT
};

/* Returns the name of the primitive in the report of the self-test. */
const char *cls_primitive_name(enum cls_primitive primitive);

/* Returns whether the algorithm uses the primitive. */
bool cls_primitive_is_of(enum cls_primitive primitive, const struct cls_algo *algo);

/* Tests the primitive on the device, unless a verdict is known. Returns CLSORT_E_SELF_TEST if its
 * results are wrong, CLSORT_E_UNSUPPORTED if the device has too little local memory for any
 * work-group. Waits for the device. */
clsort_status cls_primitive_test(struct cls_device *device, enum cls_primitive primitive);

#endif
