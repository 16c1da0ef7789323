/* records.h - descriptors for algorithms that compare by columns only */
#ifndef CLSORT_TESTS_UNIT_RECORDS_H
#define CLSORT_TESTS_UNIT_RECORDS_H

#include "algo/algo.h"

/* Makes the descriptor that of records of one column, for algorithms that compare by columns only. Returns false if it
 * has values, which these do not have. */
static inline bool describe_records(const struct cls_algo *algo, clsort_column *column,
                                    clsort_desc *desc)
{
    if (!(algo->traits & CLS_COLUMNS) || algo->traits & CLS_CUSTOM)
        return true;
    *column = (clsort_column){desc->key, 0, 0, 0};
    desc->key = CLSORT_U32;
    desc->columns = column;
    desc->column_count = 1;
    desc->record_size = sizeof(uint64_t);
    return desc->value_size == 0;
}

#endif
