/* verify.h - is a result the sorted input? */
#ifndef CLSORT_BENCH_VERIFY_H
#define CLSORT_BENCH_VERIFY_H

#include "job.h"

/* A checksum of the multiset of the job's keys, or of its pairs of key and value. */
uint64_t verify_sum(const struct job *job, const void *keys, const void *values);

/*
 * Checks keys_out and values_out: the keys are in order, and the elements are those of the input,
 * whose verify_sum is given, each value still with its key. When stable, elements with equal keys
 * must be in the input's order, which can be told where the values carry the index of their key.
 * Returns NULL when all is well, else what is wrong, in words.
 */
const char *verify_result(const struct job *job, uint64_t sum, bool stable);

#endif
