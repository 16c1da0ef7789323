/* algos.c - the table of algorithms */
#include "algo/algo.h"

#include <string.h>

const struct cls_algo *const cls_algos[] = {&cls_algo_radix,
                                            &cls_algo_onesweep,
                                            &cls_algo_hybrid,
                                            &cls_algo_msd,
                                            &cls_algo_cpu_sample,
                                            &cls_algo_cpu_radix,
                                            &cls_algo_local,
                                            &cls_algo_count_cores,
                                            &cls_algo_count_work_group_8,
                                            &cls_algo_count_work_group_16,
                                            &cls_algo_merge_cores,
                                            &cls_algo_merge_work_group,
                                            &cls_algo_bitonic_vector,
                                            &cls_algo_bitonic_work_group,
                                            &cls_algo_quick,
                                            &cls_algo_gather,
                                            &cls_algo_merge_rows_cores,
                                            &cls_algo_merge_rows_work_group,
                                            &cls_algo_unique_cores,
                                            &cls_algo_unique_work_group,
                                            &cls_algo_check_cores,
                                            &cls_algo_check_work_group,
                                            NULL};

bool cls_algo_is(const struct cls_algo *algo, const struct cls_algo *other)
{
    return strcmp(algo->name, other->name) == 0;
}

const struct cls_algo *cls_algo_at(size_t index)
{
    for (size_t i = 0; cls_algos[i]; i++)
        if (cls_algos[i]->operations & CLS_OPERATION(CLSORT_SORT) &&
            (i == 0 || !cls_algo_is(cls_algos[i - 1], cls_algos[i])) && index-- == 0)
            return cls_algos[i];
    return NULL;
}
