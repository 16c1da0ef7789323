/* verify.h - is a result the sorted input? */
#ifndef CLSORT_BENCH_VERIFY_H
#define CLSORT_BENCH_VERIFY_H

#include "job.h"

/* A checksum of the multiset of the job's keys, or of its pairs of key and value. */
uint64_t verify_sum(const struct job *job, const void *keys, const void *values);

struct verify_rules {
    bool stable;      /* elements with equal keys are in the input's order */
    bool zeros_equal; /* of floats, +0 may come before -0 */
};

/*
 * Checks keys_out and values_out: the keys are in order, and the elements are those of the input,
 * whose verify_sum is given, each value still with its key. Whether they are stable can be told where the values carry
 * the index of their key. Returns NULL when all is well, else what is wrong, in words.
 */
const char *verify_result(const struct job *job, uint64_t sum, const struct verify_rules *rules);

#endif
