/* verify.h - verification of results */
#ifndef CLSORT_BENCH_VERIFY_H
#define CLSORT_BENCH_VERIFY_H

#include "job.h"

/* Returns a checksum of the multiset of keys, or of pairs of key and value. */
uint64_t verify_sum(const struct job *job, const void *keys, const void *values);

/* What a result must satisfy. */
struct verify_rules {
    bool stable;      /* elements with equal keys must keep the order of the input */
    bool zeros_equal; /* -0 and +0 are equal */
};

/* Verifies keys_out and values_out: the keys must be in order, and the elements must be those of
 * the input, each value with its key. sum: verify_sum of the input. Stability is verified if values
 * contain the index of their key. Returns NULL, or what is wrong. */
const char *verify_result(const struct job *job, uint64_t sum, const struct verify_rules *rules);

#endif
