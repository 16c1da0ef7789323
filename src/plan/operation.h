/* operation.h - the table of operations
 *
 * Code outside the algorithms that depends on the operation reads this table. An algorithm lists
 * the operations that it supports in cls_algo.operations.
 *
 * The table does not have what all operations have in common: the output is a permutation of the
 * elements of the inputs. Code that relies on it: cls_equal_elements_may_differ, cls_kind_of,
 * choose_variant, the gather, clsort_enqueue, and the input and comparison of the self-test. */
#ifndef CLSORT_PLAN_OPERATION_H
#define CLSORT_PLAN_OPERATION_H

#include "algo/algo.h"

struct cls_operation_info {
    const char *description; /* precedes the description of the sort spec: "merge of " */
    const char *unsupported; /* the reason for a refusal if an algorithm does not support it */
    bool is_measured;        /* ladders (ladder.h) are measured with this operation */
    bool on_host_arrays;     /* clsort_host supports it; api/host.c can only sort */
    bool in_place;           /* the output may be the input */

    /* Sets *arrays to the arrays of io. The caller has checked that the counts of io add up to at
     * most max_count. Fails if an array is missing or does not match the operation. */
    clsort_status (*read_io)(const clsort_io *io, const struct cls_spec *spec,
                             struct cls_arrays *arrays);

    /* For the self-test: returns how many of count elements belong to the second input, which
     * follows the first. */
    uint64_t (*second_count)(uint64_t count);

    /* For the self-test: turns random elements into a valid input. */
    clsort_status (*make_input)(const struct cls_spec *spec, uint64_t count, char *keys,
                                char *values);

    /* For the self-test: turns a copy of the input into the expected output. */
    clsort_status (*make_output)(const struct cls_spec *spec, uint64_t count, char *keys,
                                 char *values);
};

/* Returns NULL if there is no operation with this number (enum clsort_operation). */
const struct cls_operation_info *cls_operation_at(uint32_t number);

static inline const struct cls_operation_info *cls_operation_of(const struct cls_spec *spec)
{
    return cls_operation_at((uint32_t)spec->operation);
}

#endif
