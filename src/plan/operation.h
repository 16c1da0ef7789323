/* operation.h - the table of operations
 *
 * Code outside the algorithms that depends on the operation reads this table. An algorithm lists
 * the operations that it supports in cls_algo.operations. */
#ifndef CLSORT_PLAN_OPERATION_H
#define CLSORT_PLAN_OPERATION_H

#include "algo/algo.h"

struct cls_operation_info {
    const char *name;        /* "CLSORT_SORT" */
    const char *description; /* precedes the description of the sort spec: "merge of " */
    const char *unsupported; /* the reason for a refusal if an algorithm does not support it */
    bool is_measured;        /* ladders (ladder.h) are measured with this operation */
    bool on_host_arrays;     /* clsort_host supports it */
    bool in_place;           /* the output may be the input */
    bool has_keys;           /* the input has keys, which have an order; otherwise indexes */
    bool has_indexes;        /* clsort_desc.index_size has a meaning */
    bool may_omit_keys_out;  /* scratch memory then replaces it */
    bool has_segments;       /* clsort_desc.segments may be set */
    bool has_counts;         /* clsort_desc.count_size may be set */
    bool has_columns;        /* the order may be that of several columns, or of byte strings */
    bool compares_rows;      /* its algorithm compares elements by columns where they are */
    bool indexes_columns;    /* as has_indexes, if columns have a buffer each */
    bool selects;            /* the outputs have cls_arrays.selected elements */
    bool moves_no_values;    /* clsort_desc.value_size must be 0 */

    /* The members of clsort_io that become keys_in and values_out of struct cls_arrays. */
    const char *keys_in, *values_out;

    /* Sets *arrays to the arrays of io. The caller has checked that the counts of io add up to at
     * most max_count. Fails if an array is missing or does not match the operation. */
    clsort_status (*read_io)(const clsort_io *io, const struct cls_spec *spec,
                             struct cls_arrays *arrays);

    /* Changes io, which has the arrays of a sort with values of spec->value_bytes, so that it has
     * the members of the operation. NULL: these are the same. */
    void (*write_io)(clsort_io *io, const struct cls_spec *spec);

    /* For the self-test: makes random elements a valid input. NULL: every input is valid. */
    clsort_status (*make_input)(const struct cls_spec *spec, uint64_t count, char *keys,
                                char *values);

    /* For the self-test: makes a copy of the input the expected output. NULL: it is the input. */
    clsort_status (*make_output)(const struct cls_spec *spec, uint64_t count, char *keys,
                                 char *values);

    /* For the self-test, if the outputs have some elements of the input in its order: returns whether
     * they have element i. make_output is NULL then. */
    bool (*is_kept)(const struct cls_spec *spec, const char *keys, uint64_t i);

    /* For the self-test: returns what the operation must write to clsort_io.result. NULL: nothing. */
    uint64_t (*expected_result)(const struct cls_spec *spec, uint64_t count, const char *keys);
};

/* Returns NULL if there is no operation with this number (enum clsort_operation). */
const struct cls_operation_info *cls_operation_at(uint32_t number);

static inline const struct cls_operation_info *cls_operation_of(const struct cls_spec *spec)
{
    return cls_operation_at((uint32_t)spec->operation);
}

#endif
