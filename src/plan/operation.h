/* operation.h - what sets one operation apart from the others: a row of one table for each
 *
 * Everything outside the algorithms that depends on the operation goes through this table. An algorithm lists the
 * operations that it does in cls_algo.operations. */
#ifndef CLSORT_PLAN_OPERATION_H
#define CLSORT_PLAN_OPERATION_H

#include "algo/algo.h"

struct cls_operation_info {
    const char *description; /* in front of a sort spec's: "merge of " */
    const char *unsupported; /* the reason when an algorithm does not do it */
    bool is_measured;        /* ladders (ladder.h) are measured with it */
    bool on_host_arrays;     /* clsort_host does it */
    bool in_place;           /* the output may be the input */

    /* Takes the arrays from io, whose counts add up to at most the plan's; refuses what does not fit the operation. */
    clsort_status (*read_io)(const clsort_io *io, const struct cls_spec *spec,
                             struct cls_arrays *arrays);

    /* For the self-test, where count elements, one input behind the other, are random at first. */
    uint64_t (*second_count)(uint64_t count); /* elements of the second input */
    clsort_status (*make_input)(const struct cls_spec *spec, uint64_t count, char *keys,
                                char *values); /* makes them a valid input */
    clsort_status (*make_output)(
        const struct cls_spec *spec, uint64_t count, char *keys,
        char *values); /* turns a copy of the input into the expected output */
};

/* NULL when there is no operation of that number. */
const struct cls_operation_info *cls_operation_at(uint32_t number);

static inline const struct cls_operation_info *cls_operation_of(const struct cls_spec *spec)
{
    return cls_operation_at((uint32_t)spec->operation);
}

#endif
